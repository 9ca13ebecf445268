"""What the views on random vectors share: the slider over their length, and curves against it."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.measures.scaling import BY_ROOT_D, PLAIN, WIDTHS, growth_table
from pages.controls.chart import chart
from pages.controls.link import slide
from pages.controls.picture import theme
from viz.theme import Theme

LENGTHS = {float(d): str(d) for d in WIDTHS}


def choose_length(notes: DeltaGenerator) -> int:
    """How many dimensions the vectors have."""
    st.markdown("dimensions d", width="content")
    return slide("d", notes=notes)


@st.cache_data(max_entries=32, show_spinner="Drawing random vectors …")
def growth(seed: int) -> pd.DataFrame:
    """What becomes of random rows as vectors get longer, computed once for all visitors."""
    return growth_table(seed)


def colours(look: Theme) -> dict[str, str]:
    """Scores as they are and divided."""
    return {PLAIN: look.key, BY_ROOT_D: look.query}


def at_width(table: pd.DataFrame, d: int, scores: str) -> pd.Series:
    """The row of a table of growth for one length and one kind of scores."""
    return table[(table["dimensions"] == d) & (table["scores"] == scores)].iloc[0]


def against_width(
    table: pd.DataFrame,
    d: int,
    *,
    y: str,
    y_title: str,
    y_ticks: Mapping[float, str],
    level: tuple[float, str] | None = None,
) -> None:
    """One column of a table of growth against the length of the vectors, which doubles from tick to tick."""
    chart(
        table,
        key=f"{y}_curves",
        what=y_title.capitalize(),
        x="dimensions",
        y=y,
        by="scores",
        say=decimals,
        colours=colours(theme()),
        x_title="dimensions d of query and key",
        y_title=y_title,
        x_ticks=LENGTHS,
        y_ticks=y_ticks,
        log="x",
        mark=d,
        mark_name=f"d = {d}",
        level=level,
        height=300,
    )


def decimals(value: float) -> str:
    """A measured number with the digits that mean something here."""
    return f"{value:.2f}"
