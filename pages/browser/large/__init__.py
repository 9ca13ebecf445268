"""The large view, which the switch *Large* turns on: the room of pictures, and the frame around them.

Every window counts as a stage `STAGE` units wide, whatever its pixels. The browser magnifies the drawing
until it fills the window, so all projectors of one shape share their figures.
"""

import re
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Literal

import streamlit as st

from pages.browser.component import component
from pages.contract.look import Look
from pages.contract.prose import JOINER
from viz.theme import Theme

HERE = Path(__file__)

LARGE = "large"

IS_ON = "large view is on"

SAYS = "sentence of the large view"

Says = Literal["alone", "below title", "not"]
"""Position of the headline on a large page: alone, below the title of a step, or not shown."""

STAGE, EDGE = 930, 8
"""Units of the width of the window, and of the margin at either side of the picture."""

LEAST_TYPE = 13.1
"""Units of the smallest letter: 18 pixels in a window 1280 pixels wide."""

HEADLINE, BELOW_TITLE, FREE_BELOW = 56, 40, 17
"""Units of height of the headline, alone or below a title, and of the line that names the model."""

LOWEST = 180
"""Smallest height of a picture in units, in a window of any height."""

HEADING, BETWEEN = 24, 16
"""Units of height of a heading above a picture, and of width between two pictures."""

ONE_LINE, TWO_LINES = 70, ((190, 20.0), (215, 18.0), (240, 16.0))
"""Characters that fit in one large line; then pairs: characters in two lines, and their size in units."""

SMALLER = ((95, 18.0), (230, 14.5))
"""Characters of a headline below a title that fit into its two lines, and the size of their type in units."""

HEIGHTS = {"alone": HEADLINE, "below title": BELOW_TITLE, "not": 6}
"""Units of height above a picture."""

LARGEST_HEADLINE, SMALLEST_HEADLINE = 25.0, 14.0
"""Units of the type of a headline of one line, and of the longest."""

MARKUP = re.compile(rf"\[([^\[\]]*)\]\([^()]*\)|[*`\\{JOINER}]")
"""Parts of a sentence in Markdown that readers do not see: addresses of links, and markup."""

_large = component(
    "large",
    *(HERE.with_name("large.js"), HERE.with_name("large_handle.css")),
    html="""<button type="button" aria-expanded="false" title="Controls (h)">
        <span>Show the controls</span></button>""",
)


def is_on() -> bool:
    """Return whether the page is large."""
    return bool(st.session_state.get(IS_ON, False))


def headline_placement() -> Says:
    """Return how the headline stands on the page."""
    said: Says = st.session_state.get(SAYS, "alone")
    return said


def bar(*, on: bool, says: Says = "alone") -> AbstractContextManager[object]:
    """Return the bar that folds away its content; while the switch is off, the page as it is."""
    st.session_state[IS_ON] = on
    st.session_state[SAYS] = says
    if not on:
        return nullcontext()
    _large(key="large_handle", height=0)
    put_style("page", HERE.with_name("large.css").read_text("utf-8"))
    return st.container(key="large_bar")


def put_style(of: str, css: str) -> None:
    """Draw a style sheet with the elements around it; `of` distinguishes it from others of the page.

    Streamlit (1.67) keeps a style sheet that stands alone elsewhere, where it outlives a rerun of its
    fragment.
    """
    with st.container(key=f"large_style_{of}"):
        st.html(f"<style>{css}</style><i hidden></i>")


def stage_look(theme: Theme, stage: int, said: Says = "alone") -> Look:
    """Return the look of a large picture, in a window `stage` units high."""
    width = STAGE - 2 * EDGE
    above = HEIGHTS[said]
    return Look(theme, width, width, max(LOWEST, stage - above - FREE_BELOW), fills=True)


def headline_type(markdown: str, said: Says = "alone") -> float:
    """Return the type size, in units, in which a headline fits into its two lines."""
    length = len(MARKUP.sub(r"\1", markdown))
    if said == "below title":
        return next((size for longest, size in SMALLER if length <= longest), LEAST_TYPE)
    if length <= ONE_LINE:
        return LARGEST_HEADLINE
    return next((size for longest, size in TWO_LINES if length <= longest), SMALLEST_HEADLINE)
