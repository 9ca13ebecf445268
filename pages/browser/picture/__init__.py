"""The frame of a picture: its theme, its text for screen readers, the table behind it, and its clicks."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from pages.browser.screen import look
from pages.contract.parameters import TABLE, in_view
from pages.contract.sheet import NUMBERS, Gesture, Shown
from pages.shell.linked import linked
from pages.state.link import State, acting, choose
from pages.state.notes import HERE
from pages.state.page_answers import PageAnswers
from viz.theme import THEMES, Theme

_clicks = st.components.v2.component("clicks", js=Path(__file__).with_name("clicks.js").read_text("utf-8"))

BARE = {"displayModeBar": False}
"""Plotly's own buttons are left out: what saves a picture stands below it, see `saving`."""

CLICKED, MET = "pictures that answer to clicks", "last click met"
"""The keys under which a session keeps these pictures, by their keys, and the id of the last click."""

Point = dict[str, Any]
"""A clicked point: its chart, x, y, curve, data, id, and the id of its stroke."""

DECIMALS, MISSING = 4, "–"
"""How many decimals the shares in a table have, and what stands where a number is missing."""


def theme() -> Theme:
    """The theme the visitor sees, so that a figure is drawn for it."""
    return THEMES[st.context.theme.type or "light"]


def draw_picture(part: Shown) -> None:
    """Show a picture of a sheet; what is clicked on it changes the link.

    The table is asked for only when the reader opens it.
    """
    draw_figure(part, part.picture.figure(look().for_picture))
    draw_table(part)


def draw_table(part: Shown) -> None:
    """Fold the table of a picture below it, if it has one."""
    if part.picture.has_table:
        draw_numbers(part.key, part.picture.table)


def draw_figure(part: Shown, figure: Any) -> None:
    """Show the picture of a sheet as this figure, which may be larger; a click on it changes the link."""
    # A figure keeps its own width, and its container scrolls where the window is narrower: Streamlit would
    # squeeze it, and words laid out for its width would overlap.
    width, alt = figure.size[0], part.picture.alt()
    with st.container(key=f"{part.key}_scrolled"):
        st.plotly_chart(figure, key=part.key, theme=None, width=width, config=BARE, alt=alt)
    if part.on_click is not None:
        st.session_state[CLICKED][part.key] = part


def _follow(state: State, key: str, gesture: Gesture, point: Point) -> None:
    """One more point of a stroke: the link becomes what the whole stroke makes of the link before it."""
    kept = f"{key}_stroke"
    stroke, points, before = st.session_state.get(kept, (None, (), {}))
    if stroke != point["stroke"]:
        points, before = (), state.link
    points = (*points, point)
    st.session_state[kept] = (point["stroke"], points, before)
    state.change(gesture(points, before))


@contextmanager
def following_clicks() -> Iterator[None]:
    """Follow the clicks on all pictures drawn inside, with one component that stands after them."""
    st.session_state[CLICKED] = {}
    yield
    clicked: Mapping[str, Shown] = st.session_state[CLICKED]
    if clicked:
        charts = {key: {"drags": part.drags} for key, part in clicked.items()}
        _clicks(key="clicks", data={"charts": charts}, on_points_change=_click, height=0)


def _click() -> None:
    """Follow every clicked point before the page is drawn again; those that a pressed pointer passes too."""
    clicked: Mapping[str, Shown] = st.session_state.get(CLICKED, {})
    with acting() as state:
        for point in st.session_state["clicks"].get("points") or ():
            if point["id"] > st.session_state.get(MET, 0):
                st.session_state[MET] = point["id"]
                part = clicked.get(point["chart"])
                if part is not None and part.on_click is not None:
                    _follow(state, part.key, part.on_click, point)


def linked_expander(title: str, name: str, *, is_open: bool = False) -> Any:
    """A title that unfolds; the parameter of this name says in the link whether it is open."""
    asked = in_view(name, default=is_open)
    st.session_state[name] = PageAnswers(HERE).value(asked)
    return st.expander(title, key=name, on_change=partial(choose, asked), type="compact")


def draw_numbers(
    chart: str,
    table: Callable[[], pd.DataFrame | None],
    *,
    title: str = "",
    note: Callable[[pd.DataFrame], str] | None = None,
) -> None:
    """The table behind the picture `chart`, made only when the reader opens it; `note` says what it shows.

    Rows that are merely counted have no column for that: its heading would be empty. All shares of a column
    have as many decimals, and where there is no number stands a dash.
    """
    expander = linked_expander(title or NUMBERS, f"{chart}{TABLE}")
    if expander.open:
        shown = table()
        assert shown is not None, "a picture without a table has no title that unfolds it"
        expander.dataframe(
            shown,
            hide_index=has_no_names(shown.index),
            column_config=_as_many_decimals(shown),
            placeholder=MISSING,
        )
        if note is not None:
            expander.caption(linked(note(shown)))


def _as_many_decimals(table: pd.DataFrame) -> dict[str, Any]:
    """How columns are written whose numbers lie between −1 and 1; else 1 would stand above 0.9961."""
    four = st.column_config.NumberColumn(format=f"%.{DECIMALS}f")
    return {str(name): four for name, column in table.items() if _are_shares(column)}


def _are_shares(column: pd.Series) -> bool:
    """Whether four decimals say what there is to say: no number is larger than 1, and none too small."""
    if not pd.api.types.is_float_dtype(column):
        return False
    sizes = column.dropna().abs()
    smallest = sizes[sizes > 0].min()
    return bool(len(sizes) and sizes.max() <= 1 and not smallest < 10.0**-DECIMALS)


def has_no_names(rows: pd.Index) -> bool:
    """Whether rows are merely counted."""
    return isinstance(rows, pd.RangeIndex) and rows.name is None
