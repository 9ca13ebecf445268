"""Sinusoids: the matrix that is added, one pair of dimensions as curves, and how two positions compare."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from core.measures.positions import sinusoidal as sinusoids
from core.model.positions import SCHEMES
from core.programs.positions import sinusoidal_program
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Changes, Columns, Controls, Formula, Point, Sheet, Shown, Text
from pages.positions.questions import products_by_distance, same_dot_product
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.curves import chart
from viz.number_map import colour_map
from viz.units import distance, quantity, two_decimals

LENGTH = 64
ONES = {-1.0: "−1", 0.0: "0", 1.0: "1"}
AT, APART = "words in", "words apart"
PAIR = "pair"
"""The spot of the slider that chooses a pair of dimensions."""


@dataclass(frozen=True)
class Choices:
    """How many positions and dimensions are shown, and the pair of dimensions that is drawn as curves."""

    n: int
    d: int
    pair: int


@dataclass(frozen=True)
class Found:
    """The vectors, a row for each position, and the dot products of two positions by their distance.

    `spread` is how far two dot products at one distance differ at most.
    """

    choices: Choices
    matrix: np.ndarray
    products: np.ndarray
    spread: float


def ask(ask: Ask, scene: Scene) -> Choices:
    """The size of the matrix, and above the curves the pair."""
    n = ask.menu("positions_shown", default=LENGTH, width=165)
    d = ask.menu("width", width=185)
    with ask.at(PAIR):
        ask.name("Pair of dimensions")
        pair = ask.slide("pair", options=range(d // 2), default=min(4, d // 2 - 1))
    return Choices(n, d, pair)


def find(scene: Scene, choices: Choices) -> Found:
    """The sinusoids, which no model has learned."""
    n, d = choices.n, choices.d
    return Found(choices, sinusoids.matrix(n, d), *sinusoids.along_diagonals(sinusoids.products(n, d)))


def sheet(found: Found, look: Look) -> Sheet:
    """The matrix on the left; on the right the chosen pair and the dot products."""
    about, (n, d, pair) = SCHEMES["sinusoidal"].about, _sizes(found.choices)
    left, right = look.columns((5, 6))
    curves = (
        Controls(PAIR),
        _pair(found, right),
        Text("## Dot product of two positions by their distance"),
        _products(found, right),
    )
    return Sheet(
        answer=answer(n, found.spread),
        parts=(
            Formula(about.formula, about.source),
            Columns((_vectors(found, left), curves), (5, 6)),
            Text(told(d, pair)),
        ),
    )


def _sizes(choices: Choices) -> tuple[int, int, int]:
    return choices.n, choices.d, choices.pair


def _vectors(found: Found, look: Look) -> tuple[Text, Shown]:
    pair = found.choices.pair
    picture = colour_map(
        found.matrix,
        title=f"Sinusoidal position vectors of {found.choices.d} dimensions",
        x_title="dimension",
        y_title="position",
        theme=look.theme,
        height=420,
        framed=(2 * pair, 2 * pair + 1),
    )
    shown = Shown("waves", picture, on_click=lambda points, link: open_pair(points))
    return Text("## The vectors, a row for each position"), shown


def open_pair(points: Sequence[Point]) -> Changes:
    """The change to the pair whose column was clicked."""
    return {"pair": int(points[-1]["x"]) // 2}


def _pair(found: Found, look: Look) -> Shown:
    n, _, pair = _sizes(found.choices)
    names = {f"sine, {2 * pair}": look.theme.query, f"cosine, {2 * pair + 1}": look.theme.key}
    waves = dict(zip(names, found.matrix[:, 2 * pair : 2 * pair + 2].T, strict=True))
    return _curves(
        "pair_chart",
        f"Sinusoids of dimensions {2 * pair} and {2 * pair + 1} against position",
        _long(range(n), AT, "value", waves),
        look,
        names,
        x=AT,
        y="value",
        x_title="position",
        y_ticks=ONES,
    )


def _products(found: Found, look: Look) -> Shown:
    n, d, _ = _sizes(found.choices)
    return _curves(
        "products_chart",
        "Dot product of two sinusoidal vectors against distance",
        _long(range(n), APART, "dot product", {"p · p′": found.products}),
        look,
        {"p · p′": look.theme.output},
        x=APART,
        y="dot product",
        x_title=APART,
        y_ticks={0.0: "0", d / 4: f"{d // 4}", d / 2: f"{d // 2}"},
    )


def _curves(
    key: str, title: str, table: pd.DataFrame, look: Look, colours: dict[str, str], **axes: Any
) -> Shown:
    """Curves over positions, with ticks at every quarter of them."""
    n = len(table) // len(colours)
    picture = chart(
        table,
        title=title,
        by="curve",
        say=two_decimals,
        theme=look.theme,
        within=look.width,
        colours=colours,
        y_title=axes["y"],
        x_ticks={float(at): str(at) for at in range(0, n + 1, n // 4)},
        height=190,
        **axes,
    )
    return Shown(key, picture)


def _long(at: range, x: str, y: str, values: dict[str, np.ndarray]) -> pd.DataFrame:
    """A row for each point of each curve."""
    return pd.concat(pd.DataFrame({"curve": name, x: list(at), y: row}) for name, row in values.items())


def answer(n: int, spread: float) -> str:
    """That the dot product depends on the distance alone, as far as numbers of a machine can."""
    return (
        "The dot product of two positions depends only on their distance: over all "
        f"{n}² pairs here, two at the same distance differ by at most {distance(spread)}."
    )


def told(d: int, pair: int) -> str:
    """After how many words the chosen pair repeats, the fastest and the slowest of `d` dimensions."""
    longest, shortest = sinusoids.wavelength(d // 2 - 1, d), sinusoids.wavelength(0, d)
    return (
        f"Each pair of dimensions turns like the hand of a clock: pair {pair} repeats after "
        f"**{_words(sinusoids.wavelength(pair, d))}**, the fastest pair after {_words(shortest)}, the "
        f"slowest after {_words(longest)}. The dot product is largest, {d // 2}, at distance 0."
    )


def _words(length: float) -> str:
    return f"{quantity(length)} words" if length >= 100 else f"{length:.1f} words"


def questions(found: Found) -> tuple[Question | None, ...]:
    """What two dot products have in common, and how they fall with the distance."""
    products = list(map(float, found.products))
    return same_dot_product(products), products_by_distance(products, found.choices.d / 2)


def program(found: Found) -> Program:
    """A program for the matrix."""
    return Program(lambda: sinusoidal_program(found.choices.n, found.choices.d))


VIEW = View(sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program))
