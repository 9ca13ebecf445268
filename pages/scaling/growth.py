"""What the views on random vectors share: the slider over their length, and curves against it."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from core.measures.scaling import BY_ROOT_D, PLAIN, WIDTHS, growth_table
from pages.contract.ask import Ask
from pages.controls.memory import remembered
from viz.curves import chart
from viz.picture import Picture
from viz.theme import Theme

LENGTHS = {float(d): str(d) for d in WIDTHS}
HEIGHT = 260

DRAWN = frozenset({"seed"})
"""The one switch of views that draw random vectors."""


def ask_length(ask: Ask) -> int:
    """How many dimensions the vectors have."""
    ask.name("dimensions d")
    return int(ask.slide("d"))


@remembered(saying="Drawing random vectors …")
def growth(seed: int) -> pd.DataFrame:
    """What becomes of random rows as vectors get longer, computed once for all visitors."""
    return growth_table(seed)


def colours(theme: Theme) -> dict[str, str]:
    """Scores as they are and divided."""
    return {PLAIN: theme.key, BY_ROOT_D: theme.query}


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
    height: int = HEIGHT,
    **look: Any,
) -> Picture:
    """One column of a table of growth against the length of the vectors, which doubles from tick to tick.

    `look` is what else `viz.curves.chart` takes.
    """
    return chart(
        table,
        x="dimensions",
        y=y,
        by="scores",
        say=decimals,
        x_title="dimensions d of query and key",
        y_title=y_title,
        x_ticks=LENGTHS,
        y_ticks=y_ticks,
        mark=d,
        mark_name=f"d = {d}",
        height=height,
        **look,
    )


def decimals(value: float) -> str:
    """A measured number with the digits that mean something here."""
    return f"{value:.2f}"
