"""Clipping: a short training with it and without, and the share of its gradient that far words contribute."""

from collections.abc import Sequence
from math import isnan
from statistics import fmean, median

import pandas as pd
import streamlit as st

from core.measures.gradients import clipping as short
from core.measures.gradients.clipping import FAR, RATE, STEPS, THRESHOLD, Step
from core.programs.vanishing import clipping_program
from pages.controls.chart import chart
from pages.controls.cited import equation
from pages.controls.link import number
from pages.controls.memory import remembered
from pages.controls.picture import theme
from pages.controls.screen import columns
from pages.gradients.back import CURVE, VALUE, chosen_scale, curves_back, points
from pages.shell import Program, Scene
from viz.text import counted
from viz.units import magnitude, magnitude_ticks, per_cent

USUAL = "2"
"""The scale at first: the gradient explodes within the text, and few of its steps are clipped."""

BEFORE, AFTER, NEVER = "before", "clipped", "never clipped"
LIMIT = f"threshold {THRESHOLD:g}"
"""A line among the curves, so that its name stands beside them and not on them."""
STEP = "step"
HEIGHT = 360

LAST = 10
"""So many steps at the end are averaged."""

MOST, FEW = 0.8, 0.05
"""A share above the one drowns out the rest, and one below the other is next to nothing."""

DEAD = 0.01
"""A gradient that has less than this share of another's is said to have died."""

Trainings = tuple[Sequence[Step], Sequence[Step]]


def clipping(scene: Scene) -> Program:
    """Norms by step of two trainings, and the words that the first gradient is made of."""
    with scene.row:
        st.markdown("Recurrent weights at first", width="content")
        scale = chosen_scale(scene, USUAL)
        seed = number("seed", notes=scene.notes, width=120)
    clipped, never = _trained(scale, seed)
    left, right = columns(2)
    with left:
        st.markdown("**Gradient of the recurrent weights, step by step**")
        _draw_steps(clipped, never)
    with right:
        st.markdown("**The first gradient, word by word**")
        _draw_parts(clipped[0])
    st.markdown(told(clipped, never))
    equation(
        r"g \leftarrow g \cdot \min\Big(1, \frac{\theta}{\|g\|}\Big), \qquad "
        r"\frac{\partial L}{\partial W} = \sum_k \delta_{n-k}\, h_{n-k-1}^\top",
        "Pascanu, Mikolov & Bengio 2013, algorithm 1 and eq 4: g is the gradient of all weights together, "
        f"θ = {THRESHOLD:g}, and δ = ∂L/∂(W h + U x + b)",
    )
    st.caption(_how_measured(scale, seed) + _of_this_machine(clipped, never))
    return Program(
        lambda: clipping_program(scale, seed=seed),
        "the number, the loss and the two norms of every step, clipped and then never clipped, and after "
        "the first the parts of its gradient",
    )


@remembered(saying="Training twice …")
def _trained(scale: float, seed: int) -> Trainings:
    return short.training(scale, clips=True, seed=seed), short.training(scale, clips=False, seed=seed)


def _draw_steps(clipped: Sequence[Step], never: Sequence[Step]) -> None:
    curves = {
        BEFORE: [one.recurrent for one in clipped],
        AFTER: [one.recurrent * one.factor for one in clipped],
        NEVER: [one.recurrent for one in never],
    }
    shown, look = points({**curves, LIMIT: [THRESHOLD] * STEPS}, x=STEP, first=1), theme()
    chart(
        shown,
        key="steps_chart",
        what="The norm of the gradient of the recurrent weights",
        behind=lambda: pd.DataFrame({STEP: range(1, STEPS + 1), **curves}),
        x=STEP,
        y=VALUE,
        by=CURVE,
        say=magnitude,
        colours={BEFORE: look.recurrence, AFTER: look.value, NEVER: look.muted, LIMIT: look.ink},
        x_title="step",
        y_title="norm",
        x_ticks={at: str(at) for at in (1, *range(LAST, STEPS + 1, LAST))},
        y_ticks=magnitude_ticks(shown[VALUE]),
        log="y",
        height=HEIGHT,
    )


def _draw_parts(first: Step) -> None:
    look = theme()
    curves_back(
        {BEFORE: first.parts, AFTER: first.clipped},
        key="parts_chart",
        what="What each word adds to the first gradient of the recurrent weights",
        y_title="‖δ hᵀ‖",
        colours={BEFORE: look.recurrence, AFTER: look.value},
        mark=FAR + 0.5,
        mark_name="far →",
        height=HEIGHT,
    )


def told(clipped: Sequence[Step], never: Sequence[Step]) -> str:
    """What clipping does to the step, and what it leaves as it is."""
    return f"{_mended(clipped, never)} {_not_mended(clipped[0])}"


def _mended(clipped: Sequence[Step], never: Sequence[Step]) -> str:
    """What clipping does to the length of a step, and how a training without it ends."""
    if all(one.factor == 1 for one in clipped):
        return (
            f"**Clipping has nothing to do here**: in none of {len(clipped)} steps the gradient of all "
            f"weights is longer than {THRESHOLD:g}."
        )
    step, cut = next((at, one) for at, one in enumerate(clipped, start=1) if one.factor < 1)
    move = RATE * cut.recurrent / cut.weights
    return (
        f"**What clipping mends is the length of a step**: in step {step} the gradient of the recurrent "
        f"weights has the norm {magnitude(cut.recurrent)}. It would have moved them by {magnitude(move)} "
        f"times their own length, and clipped it moves them by {magnitude(move * cut.factor)}."
        f"{_dead(clipped, never)}"
    )


def _dead(clipped: Sequence[Step], never: Sequence[Step]) -> str:
    """Whether the training without clipping has ended where nothing can be learned any more."""
    left, left_of_never = (median(one.recurrent for one in run[-LAST:]) for run in (clipped, never))
    if left_of_never >= DEAD * left:
        return ""
    return (
        f" Never clipped, steps are so long that in the last one {per_cent(never[-1].saturated)} of the "
        f"states are where tanh is flat: in the last {LAST} steps the gradient of the recurrent weights has "
        f"a median norm of {magnitude(left_of_never)}, and hardly anything is learned about earlier words "
        "any more."
    )


def _not_mended(first: Step) -> str:
    """The share of far words, the same before and after."""
    before, after = first.far, short.share_of_far(first.clipped)
    if isnan(before):
        return ""
    return (
        "**What it does not mend is the direction**: one factor multiplies the parts of all words. Words "
        f"more than {FAR} back, {len(first.parts) - FAR - 1} of {len(first.parts)}, make {per_cent(before)} "
        f"of the first gradient before clipping and {per_cent(after)} after it: {of_the_share(before)}"
    )


def of_the_share(far: float) -> str:
    """What a share of far words means for learning, with clipping as without."""
    if far > MOST:
        return (
            "distant words contribute nearly all of it, with clipping and without. What near words add stays "
            "drowned out."
        )
    if far < FEW:
        return (
            "distant words contribute almost nothing, with clipping and without. What has vanished does not "
            "come back."
        )
    return "near and distant words both contribute, with clipping and without."


def _of_this_machine(clipped: Sequence[Step], never: Sequence[Step]) -> str:
    """The numbers that rounding errors change where gradients explode; none where none do."""
    n_clipped = sum(one.factor < 1 for one in clipped)
    if not n_clipped:
        return ""
    loss, loss_of_never = (fmean(one.loss for one in run[-LAST:]) for run in (clipped, never))
    return (
        f" Clipping cut {counted(n_clipped, 'step')} of {len(clipped)}, and the mean loss of the last {LAST} "
        f"steps is {loss:.2f} nats clipped and {loss_of_never:.2f} never clipped. Where gradients explode "
        "so do rounding errors, even those of double precision: on another machine the curves may part after "
        "a few steps, and these three numbers may differ."
    )


def _how_measured(scale: float, seed: int) -> str:
    """Which network is trained, and on what."""
    return (
        f"An RNN of one layer and {short.D_MODEL} units, at initialisation with seed {seed}, its recurrent "
        f"weights multiplied by {scale:g}, reads {short.LENGTH} words of training sentences and predicts the "
        f"next, in {STEPS} steps of plain gradient descent (batches of {short.BATCH}, rate {RATE:g}). "
        "The threshold is for the norm of the gradient of all weights, of which the curves show a part. "
        "The share is that in the sum of the lengths of all parts."
    )
