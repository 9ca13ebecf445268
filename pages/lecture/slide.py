"""A slide of a lecture as a page in a hall: words, a formula or a picture in place of a view."""

import re
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import streamlit as st

from pages.browser.component import component
from pages.browser.cover import cover_key, draw_plate, under_cover
from pages.browser.large import HERE as LARGE_VIEW
from pages.browser.large import put_style
from pages.browser.scripts import KEPT
from pages.lecture.step import LectureStep

HERE = Path(__file__)

COVER = cover_key("slide of a lecture", "revealed")

TITLED = "titled"

TEXT_TYPES, WIDEST_LINE = ((8, 30.0), (12, 24.0), (17, 18.0)), 1500
"""Greatest numbers of lines for the type sizes of a text, in units; and units of all letters in a line."""

LEAST_TEXT = 14.0
FORMULA_TYPES = ((25, 48.0), (45, 36.0), (70, 26.0), (110, 19.0))
"""Greatest numbers of signs for the type sizes of a formula, in units."""

LEAST_FORMULA = 14.0

_COMMAND = re.compile(r"\\(?:mathrm|mathbf|text|left|right|frac|begin|end)\b|[{}_^&\s]|\\,")


def draw_slide(step: LectureStep) -> None:
    """Draw a slide, under a cover if the link says so."""
    put_style("page", LARGE_VIEW.with_name("large.css").read_text("utf-8"))
    css = HERE.with_name("slide.css").read_text("utf-8")
    sizes = f"--text: {type_of_text(step.text)}; --formula: {type_of_formula(step.formula)};"
    put_style("slide", f"{css}\n.st-key-slide {{ {sizes} }}")
    is_covered = st.query_params.get("cover") == "1"
    if is_covered:
        draw_plate(COVER, {})
    cover: AbstractContextManager[Any] = under_cover(COVER, "slide") if is_covered else nullcontext()
    with cover, st.container(key="slide"), st.container(key=f"slide_of_{step.kind}"):
        _draw(step)


def _draw(step: LectureStep) -> None:
    has_title = step.title and not (st.query_params.get(TITLED) == "1" and step.kind not in ("title", "end"))
    if has_title or step.kind == "end":
        with st.container(key="slide_heading"):
            st.markdown(_on_one_line(step.title or "The end"))
    if step.kind == "formula":
        with st.container(key="slide_math"):
            st.latex(step.formula)
    if step.kind == "picture":
        picture = component(
            "slide_picture", KEPT, *(HERE.with_name(f"slide_picture{one}") for one in (".js", ".css"))
        )
        picture(key="slide_image", data={"picture": step.picture, "alt": step.text or step.title})
    if step.text:
        with st.container(key="slide_words"):
            st.markdown(step.text)


def type_of_text(text: str) -> float:
    """Return the units of the type in which a text fits below a title."""
    for most, size in TEXT_TYPES:
        per_line = WIDEST_LINE / size
        lines = sum(max(1, -(-len(line) // per_line)) for line in text.splitlines())
        if lines <= most:
            return size
    return LEAST_TEXT


def type_of_formula(formula: str) -> float:
    """Return the units of the type in which the longest line of a formula fits into the window."""
    longest = max(len(_COMMAND.sub("", line)) for line in formula.split(r"\\"))
    return next((size for most, size in FORMULA_TYPES if longest <= most), LEAST_FORMULA)


def _on_one_line(title: str) -> str:
    return re.sub(r"([\\`*_{}\[\]()#+.!|<>~:$-])", r"\\\1", title)
