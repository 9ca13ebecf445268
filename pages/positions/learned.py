"""A learned table: which positions training has made alike, and where it has not been."""

import numpy as np
import pandas as pd
import streamlit as st

from core.measures.positions.learned import LearnedTable, learned_table
from core.model.config import Mask, ModelConfig
from core.model.positions import SCHEMES
from core.programs.positions import learned_program
from pages.controls.chart import chart
from pages.controls.cited import equation
from pages.controls.link import menu
from pages.controls.picture import picture, theme
from pages.controls.screen import columns
from pages.shell import Program, Scene
from viz.number_map import describe_number_map, number_map

LENGTHS = (32, 64, 128, 256)
LENGTH = 128
REACH = "training ends here"
X, Y = "words in", "degrees"
WITHOUT_GRADIENT: dict[Mask, str] = {
    "causal": "no training sentence predicts a word from them",
    "bidirectional": "no training sentence is that long",
}
"""Why the rest of the table has no gradient. Under the causal mask that goes for the last word of the longest
sentence too: no word follows it."""


def learned(scene: Scene) -> Program:
    """The cosines of all pairs of rows on the left; the rows and what training changed on the right."""
    with scene.row:
        n = menu("positions_shown", options=LENGTHS, default=LENGTH, notes=scene.notes, width=165)
    table = _table_of(scene.switches.config)
    left, right = columns([1, 1])
    with left:
        _similarities(table, n)
    with right:
        _rows(table, n)
        _turned(table, n)
    _told(table, scene.switches.config.mask)
    about = SCHEMES["learned"].about
    equation(about.formula, about.source)
    return Program(lambda: learned_program(scene.switches.config, n))


@st.cache_resource(max_entries=32, show_spinner=False)
def _table_of(config: ModelConfig) -> LearnedTable:
    return learned_table(config)


def _borders(table: LearnedTable) -> dict[str, float]:
    return {REACH: table.reach}


def _similarities(table: LearnedTable, n: int) -> None:
    st.markdown("## Cosine between the vectors of two positions")
    values = table.similarities(n)
    figure = number_map(
        values,
        x_title="position",
        y_title="position",
        theme=theme(),
        height=480,
        borders=_borders(table),
        word="cosine",
    )
    alt = describe_number_map(values, what="Cosines between the learned vectors of two positions")
    picture(figure, key="similarities", alt=alt, table=lambda: _frame(values, "position"))


def _rows(table: LearnedTable, n: int) -> None:
    st.markdown("## The learned vectors, a column for each position")
    values = table.after[:n]
    figure = number_map(
        values.T,
        x_title="position",
        y_title="dimension",
        theme=theme(),
        height=230,
        borders=_borders(table),
    )
    alt = describe_number_map(values.T, what="The learned vectors, a column for each position")
    picture(figure, key="table", alt=alt, table=lambda: _frame(values, "dimension"))


def _turned(table: LearnedTable, n: int) -> None:
    st.markdown("## Angle between each vector before training and after it")
    degrees = pd.DataFrame({"curve": "angle", X: np.arange(n), Y: table.turned()[:n]})
    chart(
        degrees,
        key="turned",
        what="Angle in degrees between the vector of each position before training and after it",
        x=X,
        y=Y,
        by="curve",
        say=lambda value: f"{value:.1f}°",
        colours={"angle": theme().output},
        x_title="position",
        y_title="degrees",
        x_ticks={float(at): str(at) for at in range(0, n + 1, n // 4)},
        y_ticks={0.0: "0°", 45.0: "45°", 90.0: "90°"},
        height=210,
    )


def _told(table: LearnedTable, mask: Mask) -> None:
    n_rows = len(table.after)
    rest = float(table.turned()[table.reach :].max())
    st.markdown(
        f"Training has changed the direction of the first **{table.reach}** of {n_rows} vectors. The other "
        f"{n_rows - table.reach} still have their random direction, but for at most {rest:.2f}° of rounding: "
        f"{WITHOUT_GRADIENT[mask]}, so they never had a gradient. A longer sentence has random numbers added "
        f"to its later words, and after position {n_rows} there is no vector at all."
    )


def _frame(values: np.ndarray, column: str) -> pd.DataFrame:
    index = pd.RangeIndex(values.shape[0], name="position")
    return pd.DataFrame(values, index=index, columns=[f"{column} {at}" for at in range(values.shape[1])])
