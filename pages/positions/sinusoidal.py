"""Sinusoids: the matrix that is added, one pair of dimensions as curves, and how two positions compare."""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.measures.positions import sinusoidal as sinusoids
from core.model.positions import SCHEMES
from core.programs.positions import sinusoidal_program
from pages.controls.chart import chart
from pages.controls.cited import equation
from pages.controls.link import menu, slide
from pages.controls.picture import Point, picture, theme
from pages.controls.screen import columns
from pages.shell import Program, Scene
from viz.number_map import describe_number_map, number_map
from viz.units import distance, quantity

LENGTH = 64
ONES = {-1.0: "−1", 0.0: "0", 1.0: "1"}
AT, APART = "words in", "words apart"


def sinusoidal(scene: Scene) -> Program:
    """The matrix on the left; on the right the chosen pair and the dot products."""
    with scene.row:
        n = menu("positions_shown", default=LENGTH, notes=scene.notes, width=165)
        d = menu("width", notes=scene.notes, width=185)
    left, right = columns([5, 6])
    with right:
        with st.container(horizontal=True, vertical_alignment="center", key="inline_pair"):
            st.caption("Pair of dimensions", width="content")
            pair = slide("pair", options=range(d // 2), default=min(4, d // 2 - 1), notes=scene.notes)
        _pair(n, d, pair)
        _products(n, d)
    with left:
        _matrix(n, d, pair)
    _told(n, d, pair)
    about = SCHEMES["sinusoidal"].about
    equation(about.formula, about.source)
    return Program(lambda: sinusoidal_program(n, d))


def _matrix(n: int, d: int, pair: int) -> None:
    st.markdown("## The vectors, a row for each position")
    values = sinusoids.matrix(n, d)
    figure = number_map(
        values,
        x_title="dimension",
        y_title="position",
        theme=theme(),
        height=470,
        framed=(2 * pair, 2 * pair + 1),
    )
    alt = describe_number_map(values, what="Sinusoids, a row for each position, a column for each dimension")
    picture(figure, key="waves", alt=alt, table=lambda: _table(values), on_click=_choose)


def _choose(point: Point) -> None:
    """A click on a column opens its pair."""
    st.session_state["pair"] = int(point["x"]) // 2


def _pair(n: int, d: int, pair: int) -> None:
    values, look = sinusoids.matrix(n, d), theme()
    names = {f"sine, {2 * pair}": look.query, f"cosine, {2 * pair + 1}": look.key}
    table = _long(range(n), AT, "value", dict(zip(names, values[:, 2 * pair : 2 * pair + 2].T, strict=True)))
    _draw(
        table,
        key="pair_chart",
        what="A pair of dimensions",
        x=AT,
        y="value",
        colours=names,
        x_title="position",
        y_title="value",
        x_ticks=_quarters(n),
        y_ticks=ONES,
    )


def _products(n: int, d: int) -> None:
    st.markdown("## Dot product of two positions by their distance")
    found, _ = sinusoids.along_diagonals(sinusoids.products(n, d))
    table = _long(range(n), APART, "dot product", {"p · p′": found})
    ticks = {0.0: "0", d / 4: f"{d // 4}", d / 2: f"{d // 2}"}
    names = {"p · p′": theme().output}
    _draw(
        table,
        key="products_chart",
        what="Dot products of positions",
        x=APART,
        y="dot product",
        colours=names,
        x_title=APART,
        y_title="dot product",
        x_ticks=_quarters(n),
        y_ticks=ticks,
    )


def _quarters(n: int) -> dict[float, str]:
    """Ticks at every quarter of so many positions."""
    return {float(at): str(at) for at in range(0, n + 1, n // 4)}


def distance_signed(number: float) -> str:
    """A number with two decimals and a real minus sign."""
    return f"{number:z.2f}".replace("-", "−")


_draw = partial(chart, by="curve", say=distance_signed, height=210)


def _told(n: int, d: int, pair: int) -> None:
    _, spread = sinusoids.along_diagonals(sinusoids.products(n, d))
    longest, shortest = sinusoids.wavelength(d // 2 - 1, d), sinusoids.wavelength(0, d)
    st.markdown(
        f"Each pair of dimensions turns like the hand of a clock: pair {pair} repeats after "
        f"**{_words(sinusoids.wavelength(pair, d))}**, the fastest pair after {_words(shortest)}, the "
        f"slowest after {_words(longest)}. The dot product of two positions depends only on their distance: "
        f"over all {n}² pairs here, two at the same distance differ by at most {distance(spread)}. The dot "
        f"product is largest, {d // 2}, at distance 0."
    )


def _words(length: float) -> str:
    return f"{quantity(length)} words" if length >= 100 else f"{length:.1f} words"


def _long(at: range, x: str, y: str, values: dict[str, np.ndarray]) -> pd.DataFrame:
    """A row for each point of each curve."""
    return pd.concat(pd.DataFrame({"curve": name, x: list(at), y: row}) for name, row in values.items())


def _table(values: np.ndarray) -> pd.DataFrame:
    n, d = values.shape
    index = pd.RangeIndex(n, name="position")
    return pd.DataFrame(values, index=index, columns=[f"dimension {at}" for at in range(d)])
