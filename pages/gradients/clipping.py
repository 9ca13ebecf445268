"""Clipping: a short training with it and without, and the share of far words in its gradient."""

from collections.abc import Sequence
from math import isnan
from statistics import median

import pandas as pd

from core.learning.tasks import NEXT_WORD
from core.measures.gradients import clipping as short
from core.measures.gradients.clipping import FAR, RATE, STEPS, THRESHOLD, ClippingStep
from core.programs import Call
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.model_descriptions import trained_on
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Columns, Fold, Formula, PicturePart, Program, Sheet, Text
from pages.contract.static_questions import static_question
from pages.contract.view import view
from pages.gradients.back import CURVE, VALUE, ask_scale, curves_back, how_measured, points
from viz.curves import Curves
from words import counted, magnitude, per_cent

USUAL = "2"
"""The scale at first: the gradient explodes within the text, and few of its steps are clipped."""

BEFORE, AFTER, NEVER = "before clipping", "clipped", "never clipped"
LIMIT = f"threshold {THRESHOLD:g}"
"""Name of a line among the curves, so that it stands beside them and not on them."""
STEP = "step"

LAST = 10
"""Number of steps at the end that are averaged."""

DEAD = 0.01
"""A gradient below this share of another one is said to have died."""

LIMITED = (
    r"g \leftarrow g \cdot \min\Big(1, \frac{\tau}{\|g\|}\Big), \qquad "
    r"\frac{\partial L}{\partial W} = \sum_k h_{n-k-1}^\top\, \delta_{n-k}"
)
LIMITED_BY = (
    "Pascanu, Mikolov & Bengio 2013: g is the gradient of all weights together, "
    f"τ = {THRESHOLD:g}, and δ = ∂L/∂(h W + x U + b)"
)

CAPTION = Caption(
    models=lambda: (
        f"RNN {trained_on(NEXT_WORD.name)}: 1 layer, {short.STEPS} steps of {short.BATCH} texts, learning "
        f"rate {short.RATE:g}",
    )
)

Run = Sequence[ClippingStep]


@view(question="What does clipping change, and what not?")
def clipping(ask: Ask, scene: Scene) -> Sheet:
    """Show the norms by step of two trainings, and the words that make up the first gradient."""
    ask.name("Recurrent weights at first")
    scale, seed = ask_scale(ask, USUAL), ask.number("seed", width=120)
    clipped, never = _trained(scale, seed)
    return Sheet(
        headline=describe_clipped_step(clipped),
        caption=CAPTION,
        parts=(
            Columns(
                (
                    (
                        Text("**Gradient of the recurrent weights, step by step**"),
                        _norms(clipped, never),
                    ),
                    (Text("**The first gradient, word by word**"), _parts(clipped[0])),
                )
            ),
            *map(Text, filter(None, (describe_far_share(clipped[0]), describe_saturation(clipped, never)))),
            Fold("The formula", (Formula(LIMITED, LIMITED_BY),)),
            how_measured(how(scale, seed, is_cut=_first_cut(clipped) is not None)),
        ),
        questions=lambda: (static_question("what_clipping_changes"),),
        program=lambda: Program.calling(
            "A short training of an RNN, its gradient clipped and not: loss, and norms of every step.",
            short.training,
            scale,
            clips=True,
            seed=seed,
            then=[Call(short.training, scale, clips=False, seed=seed)],
            prints=(
                "the number, the loss and the two norms of every step, clipped and then never clipped, and "
                "after the first the parts of its gradient"
            ),
        ),
    )


@cached_for_all(saying="Training twice …")
def _trained(scale: float, seed: int) -> tuple[Run, Run]:
    """Return the training with clipping, and the one without: they are equal if no step is clipped."""
    clipped = short.training(scale, clips=True, seed=seed)
    is_cut = _first_cut(clipped) is not None
    return clipped, short.training(scale, clips=False, seed=seed) if is_cut else clipped


def _norms(clipped: Run, never: Run) -> PicturePart:
    curves = {
        BEFORE: [one.recurrent for one in clipped],
        AFTER: [one.recurrent * one.factor for one in clipped],
        NEVER: [one.recurrent for one in never],
    }
    shown = points({**curves, LIMIT: [THRESHOLD] * STEPS}, x=STEP, first=1)
    picture = Curves(
        rows=shown,
        title="Gradient norm of the recurrent weights during training",
        make_table=lambda: pd.DataFrame({STEP: range(1, STEPS + 1), **curves}),
        x=STEP,
        y=VALUE,
        by=CURVE,
        say=magnitude,
        colours={BEFORE: "recurrence", AFTER: "value", NEVER: "muted", LIMIT: "ink"},
        x_title="training step",
        y_title="gradient norm",
        log="y",
    )
    return PicturePart("steps_chart", picture)


def _parts(first: ClippingStep) -> PicturePart:
    picture = curves_back(
        {BEFORE: first.parts, AFTER: first.clipped},
        title="Norm of the part that each word adds to the first gradient",
        y_title="norm of a word's part, ‖hᵀ δ‖",
        colours={BEFORE: "recurrence", AFTER: "value"},
        mark=FAR + 0.5,
        mark_name="far →",
    )
    return PicturePart("parts_chart", picture)


def _first_cut(clipped: Run) -> int | None:
    """Return the first step that is clipped, counted from 0."""
    return next((at for at, one in enumerate(clipped) if one.factor < 1), None)


def describe_clipped_step(clipped: Run) -> str:
    """Return how clipping changes the length of the first step that it clips."""
    step = _first_cut(clipped)
    if step is None:
        return (
            f"Clipping changes nothing here: in {counted(len(clipped), 'step')}, no gradient is longer than "
            f"the threshold, {THRESHOLD:g}."
        )
    cut = clipped[step]
    move = RATE * cut.recurrent / cut.weights
    return (
        f"Clipping shortens step {step + 1}: it moves the recurrent weights by "
        f"{magnitude(move * cut.factor)} times their own length instead of {magnitude(move)}."
    )


def describe_far_share(first: ClippingStep) -> str:
    """Return the share of far words, which one factor for all leaves unchanged; empty without a gradient."""
    if isnan(first.far):
        return ""
    return (
        "The direction stays: one factor multiplies the parts of all words. "
        f"{len(first.parts) - FAR - 1} of the {len(first.parts)} words after the first are more than {FAR} "
        f"back. They make {per_cent(first.far)} of the first gradient, before clipping and after it."
    )


def describe_saturation(clipped: Run, never: Run) -> str:
    """Return where the states of the unclipped training ended; empty unless its gradient has died."""
    left, left_of_never = (median(one.recurrent for one in run[-LAST:]) for run in (clipped, never))
    if _first_cut(clipped) is None or left_of_never >= DEAD * left:
        return ""
    return (
        f"Without clipping, {per_cent(never[-1].saturated)} of the states of the last step are where tanh is "
        f"flat. In the last {LAST} steps the gradient of the recurrent weights has a median norm of "
        f"{magnitude(left_of_never)}. This is less than {per_cent(DEAD)} of the norm with clipping."
    )


def how(scale: float, seed: int, *, is_cut: bool) -> str:
    """Return a sentence on the network and its training; a caveat if a gradient is clipped."""
    caveat = (
        " If gradients explode, rounding errors explode too. So on another machine the curves may differ "
        "after a few steps."
    )
    return (
        f"An RNN has one layer of {short.D_MODEL} units and begins with seed {seed}, its recurrent weights "
        f"multiplied by {scale:g}. It reads {short.LENGTH} words of training sentences and predicts the "
        f"next. It takes {STEPS} steps of plain gradient descent (batches of {short.BATCH}, rate {RATE:g}). "
        "The threshold is for the norm of the gradient of all weights. The curves show only the recurrent "
        f"weights. Shares are of the summed lengths of all parts.{caveat * is_cut}"
    )
