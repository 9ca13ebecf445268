"""A page at a stop of the path: the bar above it, or the way back to the stop, and the end below it."""

from typing import Any
from urllib.parse import urlencode

import streamlit as st

from pages.browser.questions import ask_below
from pages.path import bar
from pages.path.stops import STOP, STOPS, StopView, box_of, path_at, questions_of, stop_of
from pages.shell.base import add_base_path
from pages.state.link import current_state

SHOWN, LEFT = "view of the stop", "left view of the stop"
"""Session keys: the stop and its view that were shown last, and the link with which the view was left."""


def bar_above(number: int, shown: StopView | None) -> str:
    """Return the bar above a page at a stop: the stop on its own views, on other pages the way back.

    It leads to the view that was left, in its last state, or to the first view of the stop.
    """
    kept: Any = st.session_state
    if shown is not None:
        kept[SHOWN], kept[LEFT] = (number, shown), None
        return bar.above(number, shown)
    last, view = kept.get(SHOWN, (0, None))
    if last == number:
        kept[LEFT] = kept[LEFT] or _link_left(number, view)
        if kept[LEFT]:
            return bar.detour(number, view, kept[LEFT])
    first = STOPS[number - 1].views[0]
    return bar.detour(number, first, path_at(first.link, number))


def _link_left(number: int, view: StopView) -> str | None:
    """Return the link with which the session has just left a view of this stop; None if it left another."""
    page, link = current_state().left or ("", {})
    is_of_stop = page == view.link.address and link.get(STOP) == [str(number)]
    return f"/{page}?{urlencode(link, doseq=True)}" if is_of_stop else None


def draw_end(number: int, view: StopView) -> None:
    """Ask the questions of a view of a stop, and draw the ways on."""
    questions, stop = questions_of(number, view), stop_of(number, view)
    if questions and view.is_changed(current_state().link):
        st.html(add_base_path(bar.as_it_opens(number, view)))
    if questions or stop["remember"]:
        ask_below(box_of(number, view), questions, stop)
    st.html(add_base_path(bar.below(number, view)))
