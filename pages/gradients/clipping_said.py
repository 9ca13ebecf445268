"""What is said of a training with clipping and without: what clipping mends, and what not."""

from collections.abc import Sequence
from math import isnan
from statistics import fmean, median

from core.measures.gradients import clipping as short
from core.measures.gradients.clipping import FAR, RATE, STEPS, THRESHOLD, Step
from viz.text import counted
from viz.units import magnitude, per_cent

Steps = Sequence[Step]

LAST = 10
"""Number of steps at the end that are averaged."""

DEAD = 0.01
"""A gradient that has less than this share of another's is said to have died."""


def answer(clipped: Steps) -> str:
    """What clipping does to the length of the first step that it cuts."""
    step = _first_cut(clipped)
    if step is None:
        return (
            f"Clipping has nothing to do here: in none of {counted(len(clipped), 'step')} the gradient of "
            f"all weights is longer than {THRESHOLD:g}."
        )
    cut = clipped[step]
    move = RATE * cut.recurrent / cut.weights
    return (
        f"What clipping mends is the length of a step: step {step + 1} would have moved the recurrent "
        f"weights by {magnitude(move)} times their own length, and clipped it moves them by "
        f"{magnitude(move * cut.factor)}."
    )


def _first_cut(clipped: Steps) -> int | None:
    """The first step that clipping cuts, counted from 0."""
    return next((at for at, one in enumerate(clipped) if one.factor < 1), None)


def told(clipped: Steps, never: Steps) -> str:
    """How a training without clipping ends, and what clipping leaves as it is."""
    dead = "" if _first_cut(clipped) is None else _dead(clipped, never)
    return f"{dead} {_not_mended(clipped[0])}".strip()


def _dead(clipped: Steps, never: Steps) -> str:
    """Where the states of the training without clipping have ended, and how small its gradient is."""
    left, left_of_never = (median(one.recurrent for one in run[-LAST:]) for run in (clipped, never))
    if left_of_never >= DEAD * left:
        return ""
    return (
        f"Never clipped, {per_cent(never[-1].saturated)} of the states of the last step are where tanh is "
        f"flat. In the last {LAST} steps the gradient of the recurrent weights has a median norm of "
        f"{magnitude(left_of_never)}, less than {per_cent(DEAD)} of that with clipping."
    )


def _not_mended(first: Step) -> str:
    """The share of far words, the same before and after."""
    before, after = first.far, short.share_of_far(first.clipped)
    if isnan(before):
        return ""
    return (
        "**What it does not mend is the direction**: one factor multiplies the parts of all words. Words "
        f"more than {FAR} back, {len(first.parts) - FAR - 1} of {len(first.parts)}, make {per_cent(before)} "
        f"of the first gradient before clipping and {per_cent(after)} after it."
    )


def of_this_machine(clipped: Steps, never: Steps) -> str:
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


def how(scale: float, seed: int) -> str:
    """A sentence on the network that is trained, and on what."""
    return (
        f"An RNN of one layer and {short.D_MODEL} units, at initialisation with seed {seed}, its recurrent "
        f"weights multiplied by {scale:g}, reads {short.LENGTH} words of training sentences and predicts the "
        f"next, in {STEPS} steps of plain gradient descent (batches of {short.BATCH}, rate {RATE:g}). "
        "The threshold is for the norm of the gradient of all weights, of which the curves show a part. "
        "The share is that in the sum of the lengths of all parts."
    )
