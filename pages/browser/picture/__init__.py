"""The frame of a picture: its theme, its text for screen readers, its table, and its clicks."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from pages.browser.component import component
from pages.browser.screen import look
from pages.contract.parameters import TABLE, in_view
from pages.contract.sheet import NUMBERS, Gesture, PicturePart
from pages.shell.text_links import linked
from pages.state.link import State, choose, visitor_action
from pages.state.session_parameters import HERE, SessionParameters

_clicks = component("clicks", Path(__file__).with_name("clicks.js"))

BARE = {"displayModeBar": False}
"""Plotly's buttons are hidden: our button for saving stands below the picture, see `saving`."""

CLICKED, MET = "pictures that answer to clicks", "last click met"
"""Session keys: the clickable pictures by their keys, and the id of the last click handled."""

Point = dict[str, Any]
"""A clicked point: its chart, x, y, curve, data, id, and the id of its stroke."""

DECIMALS, MISSING = 4, "–"
"""Number of decimals of shares in a table, and the sign for a missing number."""

FIXED = st.column_config.NumberColumn(format=f"%.{DECIMALS}f")


def draw_picture(part: PicturePart) -> None:
    """Show a picture of a sheet, and its table folded below; a click on it changes the link."""
    draw_figure(part, part.picture.figure(look().for_picture))
    draw_table(part)


def draw_table(part: PicturePart) -> None:
    """Draw the table of a picture below it, folded, if it has one."""
    if part.picture.has_table:
        draw_numbers(part.key, part.picture.table)


def draw_figure(part: PicturePart, figure: Any) -> None:
    """Show the picture of a sheet as this figure, which may be larger; a click on it changes the link."""
    # A figure keeps its width, and its container scrolls in a narrower window: Streamlit would squeeze it
    # until its words overlap.
    width, alt = figure.size[0], part.picture.alt()
    with st.container(key=f"{part.key}_scrolled"):
        st.plotly_chart(figure, key=part.key, theme=None, width=width, config=BARE, alt=alt)
    if part.on_click is not None:
        st.session_state[CLICKED][part.key] = part


def _follow(state: State, key: str, gesture: Gesture, point: Point) -> None:
    """Add a point to a stroke: the link becomes what the whole stroke makes of the link before it."""
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
    clicked: Mapping[str, PicturePart] = st.session_state[CLICKED]
    if clicked:
        charts = {key: {"drags": part.drags} for key, part in clicked.items()}
        _clicks(key="clicks", data={"charts": charts}, on_points_change=_click, height=0)


def _click() -> None:
    """Handle all clicked points before a rerun, and the points that a pressed pointer passes."""
    clicked: Mapping[str, PicturePart] = st.session_state.get(CLICKED, {})
    with visitor_action() as state:
        for point in st.session_state["clicks"].get("points") or ():
            if point["id"] > st.session_state.get(MET, 0):
                st.session_state[MET] = point["id"]
                part = clicked.get(point["chart"])
                if part is not None and part.on_click is not None:
                    _follow(state, part.key, part.on_click, point)


def linked_expander(title: str, name: str, *, is_open: bool = False) -> Any:
    """Return an expander; the parameter of this name in the link says whether it is open."""
    asked = in_view(name, default=is_open)
    st.session_state[name] = SessionParameters(HERE).value(asked)
    return st.expander(title, key=name, on_change=partial(choose, asked), type="compact")


def draw_numbers(
    chart: str,
    table: Callable[[], pd.DataFrame | None],
    *,
    title: str = "",
    note: Callable[[pd.DataFrame], str] | None = None,
) -> None:
    """Draw the table behind the picture `chart`, made when the reader opens it; `note` says what it shows.

    A plain numbering of rows gets no column, because its heading would be empty. All shares of a column have
    the same number of decimals, and a dash stands for a missing number.
    """
    expander = linked_expander(title or NUMBERS, f"{chart}{TABLE}")
    if expander.open:
        shown = table()
        assert shown is not None, "a picture without a table has no title that unfolds it"
        expander.dataframe(
            shown,
            hide_index=has_no_names(shown.index),
            # Else 1 would stand above 0.9961.
            column_config={str(name): FIXED for name, column in shown.items() if _are_shares(column)},
            placeholder=MISSING,
        )
        if note is not None:
            expander.caption(linked(note(shown)))


def _are_shares(column: pd.Series) -> bool:
    """Return whether four decimals suffice: no number is above 1, and none is too small."""
    if not pd.api.types.is_float_dtype(column):
        return False
    sizes = column.dropna().abs()
    smallest = sizes[sizes > 0].min()
    return bool(len(sizes) and sizes.max() <= 1 and not smallest < 10.0**-DECIMALS)


def has_no_names(rows: pd.Index) -> bool:
    """Return whether the rows are only numbered."""
    return isinstance(rows, pd.RangeIndex) and rows.name is None
