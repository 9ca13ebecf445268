"""The end of a page at a stop of the path: questions, the lines to remember, and the ways on."""

import streamlit as st

from pages.browser.questions import ask_below
from pages.path import bar
from pages.path.questions import box_of, questions_of, stop_of
from pages.path.stops import StopView
from pages.shell.base import add_base_path
from pages.state.link import current_state


def draw_end(number: int, view: StopView) -> None:
    """Ask the questions of a view of a stop, and draw the ways on."""
    questions, stop = questions_of(number, view), stop_of(number, view)
    if questions and view.is_changed(current_state().link):
        st.html(add_base_path(bar.as_it_opens(number, view)))
    if questions or stop["remember"]:
        ask_below(box_of(number, view), questions, stop)
    st.html(add_base_path(bar.below(number, view)))
