"""Lecture mode: whether it is on, what room it gives to pictures, and the frame around them.

A window is taken for a stage that is `STAGE` units wide whatever its pixels: what is drawn for the stage is
magnified by the browser until it fills the window, and all projectors of one shape share their figures.
"""

import re
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import streamlit as st

from pages.contract.look import Look
from pages.contract.prose import JOINER
from viz.theme import Theme

HERE = Path(__file__)

LECTURE = "lecture"
"""The parameter that says whether it is on."""

IS_ON = "lecture mode is on"
"""The key under which a session keeps that the page is laid out so."""

STAGE, EDGE = 930, 8
"""Units in which the window is wide, and what is free at either side of the picture."""

LEAST_TYPE = 13.1
"""Units of the smallest letter: 18 pixels in a window 1280 wide."""

ANSWER, FREE_BELOW = 60, 6
"""Units of height that the answer has, in one line or two, and that are free below the picture."""

LOWEST = 180
"""Units of height that a picture has at least, in a window however low."""

HEADING, BETWEEN = 24, 16
"""Units of height of a heading above a picture, and of width between two pictures."""

ONE_LINE, TWO_LINES = 70, ((190, 20.0), (215, 18.0), (240, 16.0))
"""Characters of an answer that stand in one large line, and in two lines of a type of so many units."""

LARGE, SMALL = 25.0, 14.0
"""Units of the type of an answer of one line, and of the longest."""

MARKUP = re.compile(rf"\[([^\[\]]*)\]\([^()]*\)|[*`\\{JOINER}]")
"""What of a sentence in Markdown is not seen: where its links lead, and signs of its own."""

_lecture = st.components.v2.component(
    "lecture",
    html="""<button type="button" aria-expanded="false" title="Controls (h)">
        <span>Show the controls</span></button>""",
    css=HERE.with_name("lecture_handle.css").read_text("utf-8"),
    js=HERE.with_name("lecture.js").read_text("utf-8"),
)


def is_on() -> bool:
    """Whether the page is laid out for a lecture."""
    return bool(st.session_state.get(IS_ON, False))


def bar(*, on: bool) -> AbstractContextManager[object]:
    """The bar that holds what is written inside, folded away in a lecture; elsewhere the page as it is."""
    st.session_state[IS_ON] = on
    if not on:
        return nullcontext()
    _lecture(key="lecture_handle", height=0)
    put_style("page", HERE.with_name("lecture.css").read_text("utf-8"))
    return st.container(key="lecture_bar")


def put_style(of: str, css: str) -> None:
    """A style sheet that goes with what is drawn around it; `of` tells it from others of the page.

    Streamlit (1.67) keeps one that stands alone somewhere else, where it outlives a rerun of its fragment.
    """
    with st.container(key=f"lecture_style_{of}"):
        st.html(f"<style>{css}</style><i hidden></i>")


def stage_look(theme: Theme, stage: int) -> Look:
    """What a picture of a lecture is drawn for, in a window as high as `stage` units."""
    width = STAGE - 2 * EDGE
    return Look(theme, width, width, max(LOWEST, stage - ANSWER - FREE_BELOW), fills=True)


def type_of_answer(markdown: str) -> float:
    """The units of the type in which an answer fits into its two lines."""
    length = len(MARKUP.sub(r"\1", markdown))
    if length <= ONE_LINE:
        return LARGE
    return next((size for longest, size in TWO_LINES if length <= longest), SMALL)
