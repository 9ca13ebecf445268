"""Softmax: what becomes of its entropy and of its gradient as vectors get longer."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log2

import pandas as pd

from core.measures.scaling import BY_ROOT_D, N_KEYS, N_ROWS, PLAIN
from core.programs.scaling import growth_program
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Formula, Sheet, Shown, Text
from pages.scaling.growth import DRAWN, against_width, ask_length, at_width, colours, growth
from pages.scaling.questions import equal_scores, larger_gradient
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.units import per_cent

BITS = {float(bits): str(bits) for bits in range(5)}
HEIGHT = 300
SIZES = {tenths / 10: f"0.{tenths}" if tenths else "0" for tenths in range(5)}
EQUATION = Formula(
    r"\left\lVert \frac{\partial \alpha}{\partial s} \right\rVert = "
    r"\left\lVert \operatorname{diag}(\alpha) - \alpha \alpha^\top \right\rVert_F",
    "the derivative of a softmax; why it matters: FNLP slides, Scaling the dot product",
)

TAKEN = "Where one key has nearly all the weight, a small change of a score changes next to nothing."
NOT_YET = "At this d the gradient without the division is the larger one."

Row = Mapping[str, float]
"""What the rows of one length come to: their `largest` weight and their `gradient` norm among it."""


@dataclass(frozen=True)
class Found:
    """A length, and what becomes of random rows at every length."""

    seed: int
    d: int
    growth: pd.DataFrame


def ask(ask: Ask, scene: Scene) -> int:
    """The dimensions."""
    return ask_length(ask)


def find(scene: Scene, d: int) -> Found:
    """Entropy and gradient of random rows."""
    return Found(scene.switches.seed, d, growth(scene.switches.seed))


def sheet(found: Found, look: Look) -> Sheet:
    """Entropy and gradient side by side, at the length that the slider shows and at all others."""
    plain, divided = (dict(at_width(found.growth, found.d, name)) for name in (PLAIN, BY_ROOT_D))
    left, right = look.columns((1, 1))
    return Sheet(
        answer=_answer(found.d, plain, divided),
        parts=(
            EQUATION,
            Columns((_entropy(found, left), _gradient(found, right))),
            Text(_explanation(plain, divided)),
        ),
    )


def _entropy(found: Found, look: Look) -> tuple[Text, Shown]:
    picture = against_width(
        found.growth,
        found.d,
        y="entropy",
        y_title="entropy in bits",
        y_ticks=BITS,
        title="Entropy of attention weights against number of dimensions",
        theme=look.theme,
        within=look.width,
        colours=colours(look.theme),
        log="x",
        height=HEIGHT,
        level=(log2(N_KEYS), "equal weights"),
    )
    heading = "## Entropy of the attention weights"
    return Text(heading), Shown("entropy_curves", picture)


def _gradient(found: Found, look: Look) -> tuple[Text, Shown]:
    picture = against_width(
        found.growth,
        found.d,
        y="gradient",
        y_title="gradient norm",
        y_ticks=SIZES,
        title="Gradient norm of the softmax against number of dimensions",
        theme=look.theme,
        within=look.width,
        colours=colours(look.theme),
        log="x",
        height=HEIGHT,
    )
    heading = "## Norm of the softmax's gradient"
    return Text(heading), Shown("gradient_curves", picture)


def _answer(d: int, plain: Row, divided: Row) -> str:
    """The largest weight and the gradient with and without the division."""
    return (
        f"At d = {d} the largest attention weight is {per_cent(plain['largest'])} without the division and "
        f"{per_cent(divided['largest'])} with it; the gradient norm is {plain['gradient']:.3f} and "
        f"{divided['gradient']:.3f}."
    )


def _explanation(plain: Row, divided: Row) -> str:
    """Over what the means are, and what a large weight does to learning."""
    why = TAKEN if plain["gradient"] < divided["gradient"] else NOT_YET
    return (
        f"Means over {N_ROWS} random rows of {N_KEYS} keys. The gradient norm is the root of the summed "
        f"squares of the derivatives of all weights of a row by all its scores. {why}"
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """What equal scores become, and which gradient is larger."""
    plain, divided = (at_width(found.growth, found.d, name) for name in (PLAIN, BY_ROOT_D))
    return (
        equal_scores(N_KEYS),
        larger_gradient(found.d, float(plain["gradient"]), float(divided["gradient"])),
    )


def program(found: Found) -> Program:
    """A program for the means."""
    return Program(lambda: growth_program(found.seed))


VIEW = View(sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program), switches=DRAWN)
