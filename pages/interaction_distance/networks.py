"""The recurrent network and self-attention over one sentence, side by side: the operations in each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Int

from core.measures.distance import costs
from core.programs import distance_program, serial_program
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.predict import told_apart
from pages.contract.question import Question
from pages.contract.sheet import Changes, Columns, Link, Point, Sheet, Shown, Text
from pages.interaction_distance import questions as expected
from pages.interaction_distance.pair import SOURCE, TARGET, Pair, ask_pair, from_first_to_last
from pages.interaction_distance.switches import OF_NETWORKS
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.networks import attention_network, recurrent_network
from viz.text import counted

Counts = Int[np.ndarray, "row word"]

DISTANCE, SERIAL = COUNTS = ("distance from a word", "serial operations")
"""What can be counted: Figure 2 and Figure 1 of the CS 224N note."""


@dataclass(frozen=True)
class Choices:
    """What is counted, and between which words."""

    count: str
    pair: Pair


@dataclass(frozen=True)
class Network:
    """Counts in the boxes of a network, row by row from the word vectors, and the path lit in it."""

    counts: Counts
    path: Sequence[costs.Node] = ()


@dataclass(frozen=True)
class Found:
    """Two networks over a sentence. Of serial operations, which are of every state, no path is lit."""

    count: str
    pair: Pair
    recurrent: Network
    attention: Network


def ask(ask: Ask, scene: Scene) -> Choices:
    """What is counted and, of distances, from which word to which."""
    count, config = ask.choice("count", options=COUNTS, hide_label=True), scene.switches.config
    if count == SERIAL:
        return Choices(count, from_first_to_last(scene.words, config))
    return Choices(count, ask_pair(ask, scene.words, config))


def find(scene: Scene, choices: Choices) -> Found:
    """The counts of both networks, and the paths between the two words if there are any."""
    pair = choices.pair
    n, layers = len(pair.words), pair.config.n_layers
    if choices.count == SERIAL:
        recurrent = Network(costs.recurrent_serial_operations(n, layers))
        return Found(choices.count, pair, recurrent, Network(costs.attention_serial_operations(n, layers)))
    masked: dict[str, Any] = {"n_layers": layers, "allowed": pair.allowed}
    return Found(
        choices.count,
        pair,
        Network(
            costs.recurrent_interaction_distances(n, pair.source, **masked),
            costs.recurrent_path(*pair.ends, **masked),
        ),
        Network(
            costs.attention_interaction_distances(n, pair.source, **masked),
            costs.attention_path(*pair.ends, **masked),
        ),
    )


def sheet(found: Found, look: Look) -> Sheet:
    """The two networks with their counts, and what these say."""
    is_serial = found.count == SERIAL
    recurrent, attention = _serial_said() if is_serial else _path_said(found)
    columns = (
        (Text("## Recurrent network"), _recurrent(found, look), Text(recurrent)),
        (Text("## Self-attention"), _attention(found, look), Text(attention)),
    )
    return Sheet(
        answer=_serial_answer(found) if is_serial else _path_answer(found), parts=(Columns(columns),)
    )


def _recurrent(found: Found, look: Look) -> Shown:
    pair, network = found.pair, found.recurrent
    drawn = recurrent_network(
        pair.plain, network.counts, ends=_ends(found), path=network.path, theme=look.theme
    )
    return Shown("recurrent", drawn, on_click=_gesture(found))


def _attention(found: Found, look: Look) -> Shown:
    pair, network = found.pair, found.attention
    drawn = attention_network(
        pair.plain,
        network.counts,
        ends=_ends(found),
        path=network.path,
        theme=look.theme,
        allowed=pair.allowed,
    )
    return Shown("attention", drawn, on_click=_gesture(found))


def _ends(found: Found) -> tuple[int, int] | None:
    return None if found.count == SERIAL else found.pair.ends


def _gesture(found: Found) -> Callable[[Sequence[Point], Link], Changes] | None:
    return None if found.count == SERIAL else choose


def choose(points: Sequence[Point], link: Link) -> Changes:
    """A click on a word vector chooses where the path starts, one on a state where it ends."""
    row, column = points[-1]["data"]
    return {TARGET if row else SOURCE: column + 1}


def _serial_answer(found: Found) -> str:
    """How many operations stand one after the other before the state of the last word."""
    n, in_attention = (int(one.counts[-1, -1]) for one in (found.recurrent, found.attention))
    return (
        f"Before the state of *{found.pair.words[-1]}* {'stands' if n == 1 else 'stand'} "
        f"{counted(n, 'serial operation')} in the recurrent network, {in_attention} in self-attention."
    )


def _serial_said() -> tuple[str, str]:
    """Why, of either network."""
    return "Each state waits for the one before it.", "All states of a layer are computed at once."


def _path_answer(found: Found) -> str:
    """How long the path is in either network, or that there is none."""
    pair = found.pair
    source, target = (pair.words[at] for at in pair.ends)
    if not found.recurrent.path:
        return f"No path leads from *{source}* to the state of *{target}*, which stands before it."
    n, n_attention = len(found.recurrent.path) - 1, len(found.attention.path) - 1
    return (
        f"Between *{source}* and the state of *{target}* {'lies' if n == 1 else 'lie'} "
        f"{counted(n, 'operation')} in {_network_named(pair)}, {n_attention} in self-attention."
    )


def _network_named(pair: Pair) -> str:
    """Name the recurrent network: a way back needs one that reads the other way."""
    source, target = pair.ends
    return "a recurrent network that reads backwards" if source > target else "the recurrent network"


def _path_said(found: Found) -> tuple[str, str]:
    """How the path runs in either network, and what attention pays for its own."""
    pair = found.pair
    if not found.recurrent.path:
        return "A network that reads onwards carries nothing back.", "The mask hides it."
    n, layers = len(pair.words), pair.config.n_layers
    steps = len(found.attention.path) - 1
    is_alike = n > 1 and pair.allowed.all()
    alike = f"Between any two words: {counted(steps, 'operation')}. " if is_alike else ""
    scores = counted(costs.n_scores(n, n_layers=layers), "score")
    return (
        "One operation after the other.",
        f"{alike}The price: {scores} per head instead of {counted(n * layers, 'recurrent step')}.",
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """The operations between the words or in a row, and what has to wait for what."""
    pair, layers = found.pair, found.pair.config.n_layers
    names, last = told_apart(pair.words), int(found.recurrent.counts[-1, -1])
    if found.count == SERIAL:
        return expected.recurrent_serial(names[-1], len(names), layers, last), expected.serial_operations()
    source, target = (names[at] for at in pair.ends)
    if not (found.recurrent.path and found.attention.path):
        paths = bool(found.recurrent.path), bool(found.attention.path)
        mask = pair.config.mask
        return (expected.path_under_mask(mask, source, target, recurrent=paths[0], attention=paths[1]),)
    walk = expected.Walk(
        source,
        target,
        n_words=abs(pair.target - pair.source),
        n_layers=layers,
        operations=len(found.recurrent.path) - 1,
        back=pair.target < pair.source,
    )
    return expected.recurrent_operations(walk), expected.serial_operations()


def program(found: Found) -> Program:
    """What counts what stands in the boxes."""
    pair = found.pair
    shape: dict[str, Any] = {"n_layers": pair.config.n_layers, "mask": pair.config.mask}
    prints = "the numbers in the boxes, row by row"
    if found.count == SERIAL:
        return Program(lambda: serial_program(pair.plain, **shape), prints)
    return Program(lambda: distance_program(pair.plain, origin=pair.source, **shape), prints)


VIEW = View(sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program), **OF_NETWORKS)
