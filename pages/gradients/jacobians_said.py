"""What is said of a product of Jacobians, and of the two exponentials that are predicted of it."""

from math import ceil

import numpy as np

from core.measures.gradients.jacobians import Product, Weights
from core.measures.gradients.reach import exponential
from pages.gradients.back import STEADY, said, verdict, what_is_read
from viz.text import counted
from viz.units import magnitude

MEASURED, WORST, AVERAGE = "product", "largest", "mean"
"""The curves: what is measured, and what the largest singular values predict and the mean ones."""

TINY = np.finfo(float).tiny
"""The smallest norm that has a logarithm here."""

NEAR = 30
"""By this factor at most a prediction misses the product, at every k, if it is said to come near.

The product's norm is that of its most stretched direction, of 64, and the prediction is about all of them.
"""


def answer(found: Product) -> str:
    """What becomes of the norm of the product: by an exponential if one fits, else as it was measured."""
    left, n = magnitude(float(found.norms[-1])), counted(len(found.largest), "word")
    becomes = verdict(found.norms)
    if becomes is None:
        at = int(np.abs(np.log(np.maximum(found.norms, TINY))).argmax())
        begins = "The norm of the product follows no exponential: it begins at 1"
        if at in (0, len(found.largest)):
            return f"{begins}, and after {n} it is {left}."
        return (
            f"{begins}, after {counted(at, 'word')} it is {magnitude(float(found.norms[at]))}, "
            f"and after {n} it is {left}."
        )
    return (
        f"The gradient {becomes}: in the exponential that fits best every further word multiplies the norm "
        f"of the product by {said(exponential(found.norms))}. After {n} it is {left}."
    )


def told(found: Product, weights: Weights) -> str:
    """How near the two exponentials come to the norm of the product."""
    return (
        f"The **{WORST}** singular value of a factor is "
        f"{found.worst:.2f} in the geometric mean, and the product cannot exceed "
        f"${found.worst:.2f}^{{{len(found.largest)}}}$, {_of_the_largest(found, weights)} "
        f"Over all directions a factor stretches by {found.average:.3f} in the **{AVERAGE}** (root mean "
        f"square of the singular values), and {_of_the_mean(found)}"
    )


def _of_the_largest(found: Product, weights: Weights) -> str:
    """What the largest singular values alone tell, and how far the product stays below their product."""
    if found.worst < 1 - STEADY:
        return "which makes sure that the gradient vanishes."
    if found.worst < 1 + STEADY:
        return "so it cannot explode; whether it vanishes, this does not tell."
    last = float(found.norms[-1])
    below = len(found.largest) * np.log(found.worst) - np.log(max(last, TINY))
    if below < np.log(NEAR):
        return "which allows it to grow, and it nearly gets there."
    return f"which only allows an explosion. The product stays far below: {_why_not(weights)}."


def _why_not(weights: Weights) -> str:
    """Why a product stays below that of the largest singular values."""
    if weights.recurrence == "orthogonal":
        return (
            f"orthogonal weights stretch all directions alike, here by {weights.scale:g}, and tanh′ = 1 − h² "
            "shrinks them, the more the further a unit is saturated"
        )
    return "what one factor stretches most, the next one turns elsewhere"


def _of_the_mean(found: Product) -> str:
    """Whether the mean singular values tell it, and where they do not, by how much they miss it at worst."""
    predicted = f"${found.average:.3f}^k$"
    with np.errstate(divide="ignore"):
        missed = np.log(found.norms) - np.arange(len(found.norms)) * np.log(found.average)
    furthest_off = int(np.abs(missed).argmax())
    off = float(np.exp(np.abs(missed[furthest_off])))
    if off <= NEAR:
        return f"{predicted} comes near the product: at every k within a factor of {ceil(off)}."
    size = "small" if missed[furthest_off] > 0 else "large"
    return (
        f"{predicted} misses the product: {counted(furthest_off, 'word')} back it is {magnitude(off)} times "
        f"too {size}."
    )


def how(n_typed: int, weights: Weights, furthest: int) -> str:
    """A sentence that names the network."""
    origin = {
        "trained": "The RNN is that of *distance*, trained on the next word",
        "random": f"The RNN is that of *distance* at initialisation, seed {weights.seed}",
        "orthogonal": f"An RNN at initialisation, seed {weights.seed}, its recurrent weights made "
        "orthogonal: before they are scaled they turn vectors and stretch none",
    }[weights.recurrence]
    return (
        f"{origin}. Scaling multiplies the recurrent weights of both layers by {weights.scale:g}, nothing "
        f"else, and the text is read anew. {what_is_read(n_typed, furthest)} Norms are largest singular "
        "values, in double precision. Gradients on the way down through layers, and not back through words: "
        "[Blocks](/blocks)."
    )
