"""Jacobians: the factors that an RNN multiplies on the way back, and the exponentials they come to."""

from math import ceil
from typing import Any

import numpy as np
import streamlit as st

from core.measures.gradients.jacobians import Product, Recurrence, Weights, is_same, product
from core.measures.gradients.reach import factor_per_word
from core.programs.vanishing import jacobians_program
from core.text.language import encode
from pages.controls.chart import chart
from pages.controls.cited import equation
from pages.controls.link import choice, number
from pages.controls.memory import remembered
from pages.controls.picture import theme
from pages.controls.screen import columns
from pages.gradients.back import (
    BACK,
    CURVE,
    STEADY,
    VALUE,
    chosen_reach,
    chosen_scale,
    curves_back,
    points,
    said,
    ticks_back,
    verdict,
    what_is_read,
)
from pages.gradients.rounding import ROUNDED, told_of_rounding
from pages.shell import Program, Scene
from viz.text import counted
from viz.units import magnitude

MEASURED, WORST, AVERAGE = "product", "largest", "mean"
"""The curves: what is measured, and what the largest singular values predict and the mean ones."""

NEAR = 30
"""By this factor at most a prediction misses the product, at every k, if it is said to come near.

The product's norm is that of its most stretched direction, of 64, and the prediction is about all of them.
"""

HEIGHT, OF_FACTORS = 400, 300


def jacobians(scene: Scene) -> Program:
    """The norm of the product against the number of factors, and the singular values of each factor."""
    with scene.row:
        weights = _chosen(scene)
        furthest = chosen_reach(scene)
    scene.name_unknown(encode(scene.plain).unknown)
    found, otherwise = _multiplied(scene.words, weights, scene.layer, furthest)
    holds = is_same(found, otherwise)
    _draw(found, None if holds else otherwise)
    st.markdown(told(found, weights) if holds else told_of_rounding(found, otherwise))
    left, right = columns([3, 2])
    with left:
        _draw_factors(found)
    with right:
        _formulas()
    st.caption(_how_measured(len(scene.words), weights, furthest))
    return Program(
        lambda: jacobians_program(scene.plain, weights, layer=scene.layer, furthest=furthest),
        "for every k the norm of the product, and of the factor that came last its largest singular value "
        "and the root mean square of all",
    )


def _chosen(scene: Scene) -> Weights:
    """The RNN that the controls describe."""
    notes, usual = scene.notes, Weights()
    st.markdown("Recurrent weights", width="content")
    recurrence: Recurrence = choice("recurrence", default=usual.recurrence, notes=notes, hide_label=True)
    scale = chosen_scale(scene, "1")
    seed = usual.seed
    if recurrence != usual.recurrence:
        seed = number("seed", default=usual.seed, notes=notes, width=120)
    return Weights(recurrence=recurrence, scale=scale, seed=seed)


@remembered()
def _multiplied(
    words: tuple[str, ...], weights: Weights, layer: int, furthest: int
) -> tuple[Product, Product]:
    """The product, and what it is with another rounding error in every weight."""
    asked: dict[str, Any] = {"layer": layer, "furthest": furthest}
    return product(words, weights, **asked), product(words, weights, **asked, rounding=True)


def _draw(found: Product, otherwise: Product | None) -> None:
    """The product, the same with other rounding errors if it then differs, and the two exponentials."""
    backs, look = range(len(found.norms)), theme()
    rounded = {} if otherwise is None else {ROUNDED: otherwise.norms}
    curves_back(
        {
            MEASURED: found.norms,
            **rounded,
            WORST: [found.worst**k for k in backs],
            AVERAGE: [found.average**k for k in backs],
        },
        found.words,
        key="product_chart",
        what="The norm of ∂ last state / ∂ state k words back",
        y_title="‖∂hₙ / ∂hₙ₋ₖ‖",
        colours={MEASURED: look.recurrence, ROUNDED: look.value, WORST: look.muted, AVERAGE: look.selection},
        dashed=(WORST, AVERAGE),
        level=(1.0, "1"),
        height=HEIGHT,
    )


def _draw_factors(found: Product) -> None:
    """The largest and the mean singular value of every factor, one for each word on the way."""
    shown = points({WORST: found.largest, AVERAGE: found.mean}, x=BACK, first=1, positive=False)
    look, top = theme(), int(shown[VALUE].max()) + 1
    chart(
        shown,
        key="factors_chart",
        what="The singular values of each factor",
        x=BACK,
        y=VALUE,
        by=CURVE,
        say=magnitude,
        colours={WORST: look.muted, AVERAGE: look.selection},
        dashed=(),
        x_title="words back",
        y_title="singular values",
        x_ticks=ticks_back(len(found.largest)),
        y_ticks={at: str(at) for at in range(top + 1)},
        level=(1.0, "1"),
        height=OF_FACTORS,
    )


def told(found: Product, weights: Weights) -> str:
    """The norm of the product, and how near the two exponentials come to it."""
    furthest, factor = len(found.largest), factor_per_word(found.norms)
    left = magnitude(float(found.norms[-1]))
    return (
        f"**{verdict(factor)}**: every further word multiplies the norm of the product by {said(factor)}, "
        f"and after {furthest} words it is {left}. The **{WORST}** singular value of a factor is "
        f"{found.worst:.2f} in the geometric mean, and the product cannot exceed "
        f"${found.worst:.2f}^{{{furthest}}}$, {_of_the_largest(found.worst, factor, weights)} "
        f"Over all directions a factor stretches by {found.average:.3f} in the **{AVERAGE}** (root mean "
        f"square of the singular values), and {_of_the_mean(found)}"
    )


def _of_the_largest(worst: float, factor: float, weights: Weights) -> str:
    """Whether the largest singular values alone tell what happens."""
    if worst < 1 - STEADY:
        return "which makes sure that the gradient vanishes."
    if worst < 1 + STEADY:
        return "so that it cannot explode; whether it vanishes, this does not tell."
    if factor < 1 + STEADY:
        return f"but that is above 1 and only allows an explosion: {_why_not(weights)}."
    return "which allows the explosion."


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


def _how_measured(n_typed: int, weights: Weights, furthest: int) -> str:
    """Which network this is."""
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


def _formulas() -> None:
    equation(
        r"\frac{\partial h_n}{\partial h_{n-k}} = \prod_{t=n}^{n-k+1} \text{diag}(1 - h_t^2)\, W",
        "Pascanu, Mikolov & Bengio 2013, eq 5, for h = tanh(W h + U x + b); from left to right the factors "
        "go back in time",
    )
    equation(
        r"\Big\| \prod_t J_t \Big\| \;\le\; \prod_t \| J_t \|, \qquad "
        r"\text{mean of } J = \sqrt{\tfrac{1}{d}\textstyle\sum_i \sigma_i^2}",
        "J is a factor and ‖J‖ its largest singular value σ: Pascanu et al. 2013, eq 6–7. That the mean "
        "predicts products of random factors: Schoenholz et al. 2017, section 4, for layers, not words",
    )
