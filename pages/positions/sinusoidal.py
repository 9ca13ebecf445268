"""Sinusoids: dot products of positions."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.measures.positions import schemes as sinusoids
from pages.contract.ask import Ask
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose, is_near
from pages.contract.sheet import PicturePart, Program
from pages.positions.any_scheme import SchemeAdditions, SchemeEffect, SchemeViewOptions
from viz.curves import Curves
from words import distance, two_decimals

APART, PRODUCT = "words apart", "dot product"
ASKED_APART = 3
"""Words between the two positions of the question for a dot product."""

ROUNDING, SHOWN = 1e-6, 0.01
"""Difference up to which two dot products are equal, and from which they are shown as different."""


def more(ask: Ask, entering: SchemeEffect) -> SchemeAdditions:
    """Show the dot product of two positions by their distance."""
    n, d = entering.n, entering.values.shape[1]
    found, spread = sinusoids.along_diagonals(sinusoids.products(n, d))
    products = list(map(float, found))
    return SchemeAdditions(
        headline=headline(n, spread),
        heading="Dot product of two positions by their distance",
        parts=(_products(found),),
        says=explanation(d),
        questions=lambda: (same_dot_product(products),),
        program=lambda: Program.calling(
            "Sinusoids: the vector that is added at each position.", sinusoids.matrix, n, d
        ),
    )


def _products(products: np.ndarray) -> PicturePart:
    n = len(products)
    picture = Curves(
        rows=pd.DataFrame({"curve": "Pᵢ · Pⱼ", APART: np.arange(n), PRODUCT: products}),
        title="Dot product of two sinusoidal vectors against distance",
        x=APART,
        y=PRODUCT,
        by="curve",
        say=two_decimals,
        colours={"Pᵢ · Pⱼ": "output"},
        x_title=APART,
        y_title=PRODUCT,
    )
    return PicturePart("products_chart", picture)


def headline(n: int, spread: float) -> str:
    """Say whether the dot product depends on the distance alone, up to rounding."""
    if spread < ROUNDING:
        return (
            f"Each of {n} positions has its own vector, and the dot product of two depends only on their "
            "distance."
        )
    return f"At the same distance, dot products of these {n} vectors differ by up to {distance(spread)}."


def explanation(d: int) -> str:
    """Say after how many words the fastest and the slowest of `d` dimensions repeat."""
    longest, shortest = sinusoids.wavelength(d // 2 - 1, d), sinusoids.wavelength(0, d)
    return (
        f"Each pair of dimensions turns like the hand of a clock: the fastest pair repeats after "
        f"{_words(shortest)}, the slowest after {_words(longest)}. The dot product is largest, {d // 2}, at "
        "distance 0. [Rotary positions](/positions?view=rotary&moved=3) turn queries and keys like such "
        "hands. What each scheme does beyond its training: "
        "[length extrapolation](/positions?view=length+extrapolation)."
    )


def _words(length: float) -> str:
    return f"{float(f'{length:.3g}'):,.0f} words" if length >= 100 else f"{length:.1f} words"


def same_dot_product(products: Sequence[float]) -> Choose | None:
    """Ask which two positions have the dot product of two others; None unless distance alone decides it."""

    def option(first: int, second: int, why_not: str = "") -> Option:
        product, asked = products[second - first], products[ASKED_APART]
        is_same = is_near(product, asked, within=ROUNDING, beyond=SHOWN)
        return Option(f"positions {first} and {second}", is_same, why_not)

    return choose(
        f"Which two sinusoidal vectors have the same dot product as the vectors of positions 1 and "
        f"{1 + ASKED_APART}?",
        option(9, 12),
        option(2, 8, "Twice the positions are twice the distance."),
        option(1, 5, "A position in common does not count: the distance is 4 in place of 3."),
        because=f"It is {two_decimals(products[ASKED_APART])} if two positions are {ASKED_APART} apart.",
    )


SINUSOIDAL = SchemeViewOptions(more=more, facts={"switches": frozenset()}, sizes=(32, 64, 128, 256))
