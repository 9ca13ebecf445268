"""All schemes: the same sentence, layer and head under each of them, and where each of them enters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from core.measures.distance.attention_distance import mean_attention_distance
from core.measures.heads.rollout import mean_over_heads
from core.measures.reading import Reading
from core.model.config import POSITIONS, Positions
from core.model.masks import MASKS
from core.model.positions import SCHEMES, InjectionPoint
from core.programs.positions import weights_program
from core.sources import UnavailableError
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Changes, Controls, Point, Sheet, Shown, Text
from pages.contract.words import marked
from pages.controls.examples import OVEN
from pages.controls.parameters import options_of
from pages.controls.switches import Architecture
from pages.controls.weights import ablation_label, absent_of, hidden_words, missing_notes
from pages.positions.questions import order_without_positions, scheme_that_rotates
from pages.positions.switches import OF_THE_WEIGHTS
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.scene import at_place, reading, subject
from viz.schemes import Panel, side_by_side
from viz.text import counted

MEAN, HEAD = options_of("of")
PROGRAM = "program"
"""The spot of the menu that chooses the scheme of the program."""

ASKED: Positions = "alibi"
"""The scheme of which a row is asked: it leaves the most to expect, for it prefers near words."""

COUNTING_ONCE = (
    " Even without positions this model can tell something of the order: under the causal mask a word "
    "attends to those before it alone. In one layer their own order makes no difference."
)
COUNTING = (
    " Even without positions this model can tell the order: under the causal mask every word can attend to "
    "one word more than the word before it. Choose *bidirectional* to remove this cue."
)
WHERE = (
    "Above each matrix is the path from a word vector **x** over queries **q** and keys **k** to the scores; "
    "the blue box marks where positions are added. A click on the matrix opens the view of its scheme. "
    "*Distance* is the mean attention distance, from a word to the words it attends to, weighted by "
    "attention."
)
STOPS: dict[InjectionPoint, str] = {"embed": "x", "rotate": "q k", "bias": "scores"}
"""What is changed at each injection point, as it is written above the matrices; in the order of the path."""


@dataclass(frozen=True)
class Choices:
    """The layer, the head or None for the mean over heads, and the scheme that the program is about."""

    layer: int
    head: int | None
    positions: Positions


@dataclass(frozen=True)
class Seen:
    """The sentence under one scheme: the switches, what was read, and the weights shown of it."""

    switches: Architecture
    reading: Reading
    weights: Float[np.ndarray, "query key"]

    @property
    def distance(self) -> float:
        """The mean attention distance in words."""
        return mean_attention_distance(self.weights)


@dataclass(frozen=True)
class Found:
    """The sentence under every scheme that there is a model for; `missing` says which are not there."""

    scene: Scene
    choices: Choices
    seen: Mapping[Positions, Seen]
    missing: str

    @property
    def first(self) -> Reading:
        """The reading under the first of the schemes: words and mask are the same under all."""
        return next(iter(self.seen.values())).reading


def ask(ask: Ask, scene: Scene) -> Choices:
    """The mean or one head, of a layer; below the picture the scheme of the program."""
    config = scene.switches.config
    of = ask.choice("of", hide_label=True)
    layer = ask.menu("layer", options=range(1, config.n_layers + 1), width=120) - 1
    head = None
    if of == HEAD:
        head = ask.menu("head", options=range(1, config.n_heads + 1), width=120) - 1
    with ask.at(PROGRAM):
        positions: Positions = ask.menu("positions", label="Program for", width=240)
    return Choices(layer, head, positions)


def find(scene: Scene, choices: Choices) -> Found:
    """Every scheme that there is a model for. Raises UnavailableError where there is none at all."""
    seen: dict[Positions, Seen] = {}
    missing: UnavailableError | None = None
    for positions in POSITIONS:
        try:
            seen[positions] = _seen(scene, positions, choices)
        except UnavailableError as error:
            missing = error
    if missing is None:
        return Found(scene, choices, seen, "")
    if not seen:
        raise missing
    every = [_with(scene.switches, positions).config for positions in POSITIONS]
    return Found(scene, choices, seen, absent_of(scene.switches.source, every))


def _seen(scene: Scene, positions: Positions, choices: Choices) -> Seen:
    switches = _with(scene.switches, positions)
    read, (layer, head) = reading(scene.words, switches), (choices.layer, choices.head)
    heads = read.of_layer(layer)
    weights = mean_over_heads(heads[None])[0] if head is None else heads[head]
    return Seen(switches, read, weights)


def _with(switches: Architecture, positions: Positions) -> Architecture:
    return replace(switches, config=replace(switches.config, positions=positions))


def sheet(found: Found, look: Look) -> Sheet:
    """A small matrix for each scheme in one figure, and what tells them apart."""
    switches, n_models = found.scene.switches, len(found.seen)
    ablation = (Text(ablation_label(switches.ablations)),) if switches.ablations else ()
    trained, mask = switches.weights.trained, switches.config.mask
    of_head = found.choices.head is not None
    return Sheet(
        answer=at_place(
            _place(found.choices), answer({name: one.distance for name, one in found.seen.items()})
        ),
        notes=(*missing_notes(found.missing), *ablation),
        unknown=tuple(found.first.unknown),
        parts=(
            _picture(found, look),
            Text(
                told(
                    n_models,
                    trained=trained,
                    of_head=of_head,
                    mask=mask,
                    n_layers=switches.config.n_layers,
                    shows_loss=not switches.ablations,
                )
            ),
            Controls(PROGRAM),
        ),
    )


def _picture(found: Found, look: Look) -> Shown:
    picture = side_by_side(
        [_panel(positions, one) for positions, one in found.seen.items()],
        marked(found.scene.words, found.first.unknown),
        title=f"Attention weights under every position scheme, {_of(found.choices)}",
        theme=look.theme,
        allowed=found.first.allowed(),
        size=look.room(),
    )
    shown = list(found.seen)
    return Shown("schemes", picture, on_click=lambda points, link: open_view(shown, points))


def _of(choices: Choices) -> str:
    """The head within a title."""
    head = "mean over heads" if choices.head is None else f"head {choices.head + 1}"
    return f"layer {choices.layer + 1}, {head}"


def open_view(shown: Sequence[Positions], points: Sequence[Point]) -> Changes:
    """The change to the view of the scheme whose matrix was clicked, where it has one."""
    positions = shown[points[-1]["data"]]
    return {"view": positions} if SCHEMES[positions].injection_point() is not None else {}


def _panel(positions: Positions, one: Seen) -> Panel:
    scheme = SCHEMES[positions]
    point = scheme.injection_point()
    below = [scheme.about.in_brief, f"{one.distance:.2f} words away"]
    record = one.switches.weights.record(one.switches.config)
    if record is not None and not one.switches.ablations:
        below.append(f"loss {record.loss:.2f} nats")
    return Panel(
        title=positions,
        matrix=one.weights,
        below=tuple(below),
        stops=tuple(STOPS.values()),
        lit=None if point is None else list(STOPS).index(point),
    )


def _place(choices: Choices) -> str:
    head = "" if choices.head is None else f", head {choices.head + 1}"
    return f"layer {choices.layer + 1}{head}"


def answer(distances: Mapping[Positions, float]) -> str:
    """Under which schemes words attend nearest and furthest, in the mean."""
    nearest, furthest = min(distances, key=distances.__getitem__), max(distances, key=distances.__getitem__)
    low, high = (f"{distances[name]:.2f}" for name in (nearest, furthest))
    if not any(distances.values()):
        return "Whatever the scheme, each word attends to itself alone."
    if low == high:
        under = f"all {len(distances)} schemes" if len(distances) > 1 else f"*{nearest}*"
        return f"Under {under} a word attends {low} words away in the mean."
    return (
        f"In the mean a word attends from {low} words away under *{nearest}* to {high} words away under "
        f"*{furthest}*."
    )


def told(
    n_models: int, *, trained: bool, of_head: bool, mask: str, n_layers: int, shows_loss: bool = True
) -> str:
    """What is written beside the matrices, and how far the models compare."""
    counting = "" if MASKS[mask].looks_ahead else COUNTING if n_layers > 1 else COUNTING_ONCE
    if not trained:
        return (
            f"{WHERE} All {len(POSITIONS)} models have the same random weights: only the scheme differs."
            f"{counting}"
        )
    shown = "" if of_head else " Each matrix is the mean over the heads of its layer."
    loss = f"; *loss* is on unseen sentences{hidden_words(mask)}" * shows_loss
    return (
        f"{WHERE} {counted(n_models, 'model')} learned from the same sentences, each with its own "
        f"scheme{loss}.{shown}{counting}"
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """Which scheme enters where, and what a mask tells without any."""
    config = found.scene.switches.config
    return (
        scheme_that_rotates({name: SCHEMES[name].injection_point() for name in found.seen}),
        order_without_positions(config.mask, config.n_layers, found.first.allowed()),
    )


def program(found: Found) -> Program:
    """The weights under the scheme chosen for it."""
    choices, scene = found.choices, found.scene
    switches = _with(scene.switches, choices.positions)
    about = subject(scene.words, switches, layer=choices.layer, head=choices.head or 0)
    return Program(lambda: weights_program(about, mean=choices.head is None))


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    sentence=OVEN,
    switches=OF_THE_WEIGHTS,
    one_model=False,
)
