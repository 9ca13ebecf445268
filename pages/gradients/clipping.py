"""Clipping: a short training with it and without, and the share of its gradient that far words contribute."""

from dataclasses import dataclass

import pandas as pd

from core.measures.gradients import clipping as short
from core.measures.gradients.clipping import FAR, STEPS, THRESHOLD, Step
from core.programs.vanishing import clipping_program
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Formula, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.gradients import clipping_said as said
from pages.gradients import questions as expected
from pages.gradients.back import CURVE, VALUE, ask_scale, curves_back, how_measured, points
from pages.gradients.clipping_said import LAST, Steps
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.curves import chart
from viz.units import magnitude, magnitude_ticks

USUAL = "2"
"""The scale at first: the gradient explodes within the text, and few of its steps are clipped."""

BEFORE, AFTER, NEVER = "before clipping", "clipped", "never clipped"
LIMIT = f"threshold {THRESHOLD:g}"
"""A line among the curves, so that its name stands beside them and not on them."""
STEP = "step"
HEIGHT = 310

LIMITED = (
    r"g \leftarrow g \cdot \min\Big(1, \frac{\theta}{\|g\|}\Big), \qquad "
    r"\frac{\partial L}{\partial W} = \sum_k h_{n-k-1}^\top\, \delta_{n-k}"
)
LIMITED_BY = (
    "Pascanu, Mikolov & Bengio 2013, algorithm 1 and eq 4: g is the gradient of all weights together, "
    f"θ = {THRESHOLD:g}, and δ = ∂L/∂(h W + x U + b)"
)


@dataclass(frozen=True)
class Choices:
    """What the recurrent weights are multiplied by at first, and the seed of all weights."""

    scale: float
    seed: int


@dataclass(frozen=True)
class Found:
    """The steps of two trainings: clipped, and never clipped."""

    choices: Choices
    clipped: Steps
    never: Steps


def ask(ask: Ask, scene: Scene) -> Choices:
    """How the weights are drawn."""
    ask.name("Recurrent weights at first")
    return Choices(ask_scale(ask, USUAL), ask.number("seed", width=120))


def find(scene: Scene, choices: Choices) -> Found:
    """The two trainings."""
    return Found(choices, *_trained(choices.scale, choices.seed))


@remembered(saying="Training twice …")
def _trained(scale: float, seed: int) -> tuple[Steps, Steps]:
    return short.training(scale, clips=True, seed=seed), short.training(scale, clips=False, seed=seed)


def sheet(found: Found, look: Look) -> Sheet:
    """Norms by step of two trainings, and the words that the first gradient is made of."""
    clipped, never = found.clipped, found.never
    left, right = look.columns((1, 1))
    how = f"{said.how(found.choices.scale, found.choices.seed)}{said.of_this_machine(clipped, never)}"
    return Sheet(
        answer=said.answer(clipped),
        parts=(
            Formula(LIMITED, LIMITED_BY),
            Columns(
                (
                    (Text("**Gradient of the recurrent weights, step by step**"), _norms(found, left)),
                    (Text("**The first gradient, word by word**"), _parts(clipped[0], right)),
                )
            ),
            *map(Text, filter(None, (said.told(clipped, never),))),
            how_measured(how),
        ),
    )


def _norms(found: Found, look: Look) -> Shown:
    curves = {
        BEFORE: [one.recurrent for one in found.clipped],
        AFTER: [one.recurrent * one.factor for one in found.clipped],
        NEVER: [one.recurrent for one in found.never],
    }
    shown, theme = points({**curves, LIMIT: [THRESHOLD] * STEPS}, x=STEP, first=1), look.theme
    picture = chart(
        shown,
        title="Gradient norm of the recurrent weights during training",
        behind=lambda: pd.DataFrame({STEP: range(1, STEPS + 1), **curves}),
        x=STEP,
        y=VALUE,
        by=CURVE,
        say=magnitude,
        theme=theme,
        within=look.width,
        colours={BEFORE: theme.recurrence, AFTER: theme.value, NEVER: theme.muted, LIMIT: theme.ink},
        x_title="training step",
        y_title="gradient norm",
        x_ticks={at: str(at) for at in (1, *range(LAST, STEPS + 1, LAST))},
        y_ticks=magnitude_ticks(shown[VALUE]),
        log="y",
        height=HEIGHT,
    )
    return Shown("steps_chart", picture)


def _parts(first: Step, look: Look) -> Shown:
    picture = curves_back(
        {BEFORE: first.parts, AFTER: first.clipped},
        title="Norm of what each word adds to the first gradient",
        theme=look.theme,
        within=look.width,
        y_title="norm of a word's part, ‖δ hᵀ‖",
        colours={BEFORE: look.theme.recurrence, AFTER: look.theme.value},
        mark=FAR + 0.5,
        mark_name="far →",
        height=HEIGHT,
    )
    return Shown("parts_chart", picture)


def questions(found: Found) -> tuple[Question | None, ...]:
    """What clipping changes."""
    return (expected.what_clipping_changes(),)


def program(found: Found) -> Program:
    """A program for the two trainings."""
    return Program(
        lambda: clipping_program(found.choices.scale, seed=found.choices.seed),
        "the number, the loss and the two norms of every step, clipped and then never clipped, and after "
        "the first the parts of its gradient",
    )


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    question="What does clipping mend, and what not?",
)
