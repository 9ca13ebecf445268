"""The recurrent network and self-attention over one sentence, side by side: the operations in each."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Bool, Int

from core.measures.distance import costs
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.programs import render_program
from pages.contract.ask import Ask
from pages.contract.examples import TEA
from pages.contract.model_descriptions import mask_in_words
from pages.contract.parameters import options_of
from pages.contract.prose import Typed
from pages.contract.question import Estimate
from pages.contract.question_builders import mistakes
from pages.contract.scene import Scene
from pages.contract.sheet import (
    Caption,
    Changes,
    Columns,
    Gesture,
    LinkValues,
    PicturePart,
    Point,
    Program,
    Sheet,
    Text,
)
from pages.contract.static_questions import static_question
from pages.contract.view import view
from pages.contract.words import Words
from viz.networks import AttentionNetwork, RecurrentNetwork, meaning_of_counts
from viz.text import quoted
from words import counted

DISTANCE, SERIAL = options_of("count")
"""Quantities that can be counted: the distance from a word, and serial operations."""

SOURCE, TARGET = "from", "to"
"""Parameters of the two words."""

MOST = 100_000
"""Greatest possible answer: more than the scores between 256 words."""

PRINTS = "the numbers in the boxes, row by row"
ONWARDS = "A network that reads onwards carries nothing back."
ONE_BY_ONE = (
    "A recurrent network does not read all words at once: every state is made of the state before it."
)

Network = tuple[Int[np.ndarray, "row word"], Sequence[costs.Node]]
"""Counts in the boxes, row by row from the word vectors, and the boxes that are lit."""


@view(
    sentence=TEA,
    switches=frozenset({"mask", "layers"}),
    defaults={"layers": 1, "mask": "bidirectional"},
)
def networks(ask: Ask, scene: Scene) -> Sheet:
    """Show both networks with their counts: of the distance from a word, or of serial operations."""
    if ask.choice("count", hide_label=True) == SERIAL:
        return serial(scene)
    return distance(scene, *ask_pair(ask, scene.words))


def ask_pair(ask: Ask, words: Words) -> tuple[int, int]:
    """Return two words, counted from 0: at first the first and the last."""
    source = ask.word(SOURCE, words, unchosen="first")
    target = ask.word(TARGET, words, unchosen="last")
    return 0 if source is None else source, len(words) - 1 if target is None else target


def serial(scene: Scene) -> Sheet:
    """Show the serial operations before each state is known; the last state is lit."""
    config, words = scene.switches.config, scene.words
    n, layers = len(words), config.n_layers
    end = [(layers, n - 1)]
    recurrent = costs.recurrent_serial_operations(n, layers), end
    attention = costs.attention_serial_operations(n, layers), end
    steps = int(recurrent[0][-1, -1])
    said = "Each state waits for the state before it.", "All states of a layer are computed at once."
    name = scene.unique_names[-1]
    return Sheet(
        headline=f"The state of *{name}* takes {counted(steps, 'serial operation')} in the "
        f"recurrent network, and {layers} in self-attention.",
        caption=_caption(config, "serial operations"),
        parts=(side_by_side(scene, recurrent, attention, None, said),),
        questions=lambda: (
            serial_operations_before(name, n, layers, steps) if n > 1 else None,
            static_question("serial_operations"),
        ),
        program=lambda: Program(
            lambda: _counting("serial operations", scene.plain, config.mask, n_layers=layers), PRINTS
        ),
    )


def _caption(config: ModelConfig, numbers: str) -> Caption:
    """Return the caption of networks that are drawn without weights, and what their numbers are."""
    networks = (
        f"networks of {counted(config.n_layers, 'layer')}, {mask_in_words(config.mask)} in self-attention"
    )
    return Caption(models=lambda: (networks,), notes=(f"numbers are {numbers}",))


def _counting(count: str, words: Sequence[str], mask: str, **constants: object) -> str:
    """Return the program that counts operations along the arrows of two networks."""
    named = MASKS[mask]
    return render_program(
        "counting",
        f"Operations of a recurrent network and of self-attention: {count}.",
        {"mask == 'named'": f"allowed = {named.program}  # {named.says}"},
        words=list(words),
        count=count,
        **constants,
    )


def distance(scene: Scene, source: int, target: int) -> Sheet:
    """Show the operations between one word and every state, and the paths to one of them if there are any."""
    config, words = scene.switches.config, scene.words
    n, layers, back = len(words), config.n_layers, target < source
    allowed = MASKS[config.mask].allowed(n)[0, 0].numpy()
    masked: dict[str, Any] = {"n_layers": layers, "allowed": allowed}
    recurrent = (
        costs.recurrent_interaction_distances(n, source, backwards=back, **masked),
        costs.recurrent_path(source, target, **masked),
    )
    attention = (
        costs.attention_interaction_distances(n, source, **masked),
        costs.attention_path(source, target, **masked),
    )
    names, paths = scene.unique_names, (recurrent[1], attention[1])

    return Sheet(
        headline=describe_paths(names[source], names[target], *paths, back=back),
        caption=_caption(config, f"operations from {quoted(str(names[source]))}"),
        parts=(
            side_by_side(
                scene,
                recurrent,
                attention,
                (source, target),
                (
                    describe_box_counts(names[source], layers) if paths[0] else ONWARDS,
                    describe_attention_path(allowed, paths[1]),
                ),
            ),
        ),
        questions=lambda: (
            operations_between(names[source], names[target], target - source, layers) if all(paths) else None,
            static_question("serial_operations"),
        ),
        program=lambda: Program(
            lambda: _counting(
                "distance", scene.plain, config.mask, n_layers=layers, origin=source, backwards=back
            ),
            PRINTS,
        ),
    )


def describe_paths(
    source: Typed, target: Typed, recurrent: Sequence[Any], attention: Sequence[Any], *, back: bool
) -> str:
    """Return the length of the path in either network, or that there is none; a way back reads backwards."""
    if not recurrent:
        return f"No path leads from *{source}* to the state of *{target}*, which stands before it."
    n = len(recurrent) - 1
    network = "a recurrent network that reads backwards" if back else "the recurrent network"
    return (
        f"The way from *{source}* to the state of *{target}* takes {counted(n, 'operation')} in {network}, "
        f"and {len(attention) - 1} in self-attention."
    )


def describe_box_counts(source: Typed, n_layers: int) -> str:
    """Return what the boxes of a recurrent network count."""
    layer = " and each further layer" * (n_layers > 1)
    return (
        f"A box counts the operations from *{source}*: one to read it, and one for each further word{layer}."
    )


def describe_attention_path(allowed: Bool[np.ndarray, "query key"], path: Sequence[Any]) -> str:
    """Return the operations on a path of self-attention, and the scores that a layer computes for it."""
    if not path:
        return "The mask hides it."
    n = len(allowed)
    alike = f"Between any two words: {counted(len(path) - 1, 'operation')}. " * bool(n > 1 and allowed.all())
    return f"{alike}The cost: {counted(costs.n_scores(n), 'score')} in each head and layer."


def side_by_side(
    scene: Scene,
    recurrent: Network,
    attention: Network,
    ends: tuple[int, int] | None,
    said: tuple[str, str],
) -> Columns:
    """Show the two networks, and below each the text in `said`; a click chooses one of the `ends`."""
    on_click: Gesture | None = None if ends is None else choose_end
    counted_here = meaning_of_counts(scene.plain, ends)
    known: dict[str, Any] = {"words": scene.plain, "ends": ends}
    allowed = MASKS[scene.switches.config.mask].allowed(len(scene.words))[0, 0].numpy()
    left = RecurrentNetwork(
        title=f"{counted_here}, recurrent network", counts=recurrent[0], path=recurrent[1], **known
    )
    right = AttentionNetwork(
        title=f"{counted_here}, self-attention",
        counts=attention[0],
        path=attention[1],
        allowed=allowed,
        **known,
    )
    return Columns(
        (
            (Text("## Recurrent network"), PicturePart("recurrent", left, on_click), Text(said[0])),
            (Text("## Self-attention"), PicturePart("attention", right, on_click), Text(said[1])),
        )
    )


def choose_end(points: Sequence[Point], link: LinkValues) -> Changes:
    """Return the effect of a click: on a word vector it sets the start of the path, on a state its end."""
    row, column = points[-1]["data"]
    return {TARGET if row else SOURCE: column + 1}


def operations_between(source: Typed, target: Typed, steps: int, n_layers: int) -> Estimate | None:
    """Ask for the operations of a recurrent network over `steps` words, back if negative; None over none."""
    if not steps:
        return None
    n = abs(steps)
    further = "1 more leads" if n == 1 else f"{n} more lead"
    up = f" and {n_layers - 1} up" if n_layers > 1 else ""
    backwards = " that reads backwards" * (steps < 0)
    return Estimate(
        text=f"How many operations lead from *{source}* to the state of *{target}* in a recurrent "
        f"network{of_layers(n_layers)}{backwards}, counting the one that reads *{source}*?",
        right=n + n_layers,
        bounds=(0, MOST),
        mistaken=mistakes(
            n + n_layers, (1, ONE_BY_ONE), (n, f"To enter the state of *{source}* is an operation too.")
        ),
        because=f"One operation leads into the state of *{source}*, {further} to *{target}*{up}.",
    )


def serial_operations_before(last: Typed, n_words: int, n_layers: int, operations: int) -> Estimate:
    """Ask for the operations that wait for one another before the last state of a recurrent network."""
    behind = "A layer need not wait for the whole layer below: it follows one word behind."
    return Estimate(
        text="How many serial operations does a recurrent network"
        f"{of_layers(n_layers)} take to the state of *{last}*, word {n_words}?",
        right=operations,
        bounds=(0, MOST),
        mistaken=mistakes(operations, (1, ONE_BY_ONE), (n_words * n_layers, behind)),
        because="Each state waits for the state before it"
        f"{', and each layer follows one word behind' * (n_layers > 1)}.",
    )


def of_layers(n_layers: int) -> str:
    """Return the depth of a network that has more than one layer."""
    return f" of {n_layers} layers" * (n_layers > 1)
