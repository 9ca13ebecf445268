"""Two layers in one: attention after attention, with nothing between, is attention once."""

from dataclasses import dataclass, replace
from typing import Any

from core.measures.blocks.collapse import SAME, TwoLayers, largest_difference, two_layers
from core.programs.collapse import collapse_program
from pages.blocks.questions import two_in_one
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Footnote, Formula, Notice, Sheet, Shown, Text
from pages.controls.examples import MARIA
from pages.controls.memory import remembered
from pages.controls.switches import WITHOUT_WINDOW, Architecture
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.loading import loaded
from pages.shell.scene import at_place
from viz.stages import Panel, staged
from viz.units import distance

TOO_FEW = "It takes two layers to make one of them: choose two or more."

FORMULA = Formula(
    r"o = A_2\,(A_1 X V_1)\,V_2 = (A_2 A_1)\,X\,(V_1 V_2)",
    "CS 224N note, eq 14–16, as matrices; a V takes the head's part of the output projection in",
)

AT_ONCE = "one layer with the weights A₂A₁ and the values V₁V₂"
HEADING = "**Largest difference from one layer after the other**\n"

COLUMNS, NARROW_PANEL = (3.6, 1.0), 120
"""The matrices in one row, narrower than usual, with the comparison beside them: below it is out of sight."""


TITLE = "Attention weights of two layers and their product"


@dataclass(frozen=True)
class Found:
    """A head of the first two layers; None where the model has only one."""

    scene: Scene
    both: TwoLayers | None


def ask(ask: Ask, scene: Scene) -> int:
    """The head, counted from 0."""
    return int(ask.menu("head", options=range(1, scene.switches.config.n_heads + 1))) - 1


def find(scene: Scene, head: int) -> Found:
    """The weights and values of the head in both layers."""
    asked = replace(scene, head=head)
    if scene.switches.config.n_layers < 2:
        return Found(asked, None)
    return Found(asked, _both(scene.words, scene.switches, head))


@remembered()
def _both(words: tuple[str, ...], switches: Architecture, head: int) -> TwoLayers:
    return two_layers(loaded(words, switches), head=head)


def sheet(found: Found, look: Look) -> Sheet:
    """The weights of both layers and their product, then the computations compared."""
    if found.both is None:
        return Sheet(notes=(Notice(TOO_FEW),))
    differences = _differences(found.both)
    left, _ = look.columns(COLUMNS)
    pictures = (FORMULA, _weights(found.both, found.scene.plain, left))
    return Sheet(
        answer=at_place(f"head {found.scene.head + 1} of both layers", _answer(differences[AT_ONCE])),
        parts=(
            Columns((pictures, (Text(_compared(differences)),)), COLUMNS),
            Text(_explanation(found.both.largest)),
            Footnote("E3"),
        ),
    )


def _weights(both: TwoLayers, words: tuple[str, ...], look: Look) -> Shown:
    panels = [
        Panel("A₂: layer 2", both.a2, "weights"),
        Panel("A₁: layer 1", both.a1, "weights", sign="·"),
        Panel("A₂A₁: one layer", both.weights, "weights", sign="="),
    ]
    size: dict[str, Any] = {"size": look.room(), "smallest": NARROW_PANEL}
    return Shown("two_layers", staged(panels, words, title=TITLE, theme=look.theme, **size))


def _differences(both: TwoLayers) -> dict[str, float]:
    """How far each computation is from one layer after the other, in any word and dimension."""
    ways = {
        AT_ONCE: both.at_once(),
        "ReLU between the two layers": both.with_relu(),
        "one layer as the note factorises it, A₁ and V₁V₂": both.factorised(),
    }
    in_turn = both.in_turn()
    return {name: largest_difference(in_turn, other) for name, other in ways.items()}


def _answer(difference: float) -> str:
    """Whether the one layer computes what the two compute."""
    one, two = "One layer with the weights A₂A₁ and the values V₁V₂", "one layer after the other"
    if difference < SAME:
        return f"{one} computes the same as {two}, up to a rounding of {distance(difference)}."
    return f"{one} does not compute the same as {two}: they differ by up to {distance(difference)}."


def _compared(differences: dict[str, float]) -> str:
    """A list of the computations."""
    rows = [
        f"- {name}: **{distance(one)}**, {'the same up to rounding' if one < SAME else 'not the same'}"
        for name, one in differences.items()
    ]
    return "\n".join([HEADING, *rows])


def _explanation(largest: float) -> str:
    """What was compared, and what makes a stack deeper."""
    return (
        f"The largest output is {distance(largest)}. A₁ and A₂ are the attention weights that the whole "
        "model computes for this sentence, held fixed here: then two layers are one layer with the weights "
        "A₂A₁, whose rows sum to 1. What makes a stack deeper is nonlinear: the softmax, through which layer "
        "1 influences A₂, and what stands between the layers, such as ReLU."
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """What two layers are together."""
    if found.both is None:
        return ()
    return (two_in_one(is_same=_differences(found.both)[AT_ONCE] < SAME),)


def program(found: Found) -> Program | None:
    """The product and the differences."""
    return None if found.both is None else Program(lambda: collapse_program(found.scene.subject))


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    sentence=MARIA,
    switches=WITHOUT_WINDOW,
)
