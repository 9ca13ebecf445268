"""Covers over what a view has found, taken away in the browser alone: see cover.js and questions.js."""

from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__)


def draw_plate(cover: str) -> None:
    """Put the plate on the page that stands in place of what a link covers, under this key."""
    _plate()(key="plate", data={"cover": cover})


def under_cover(cover: str, what: str) -> AbstractContextManager[Any]:
    """Return a container whose contents are hidden under a cover; `what` tells it from others."""
    return st.container(key=f"{cover}__{what}")


@cache
def _plate() -> Any:
    """The component of the script and the style sheet beside this file."""
    js, css = (HERE.with_name(f"cover{kind}").read_text("utf-8") for kind in (".js", ".css"))
    return st.components.v2.component("plate", js=js, css=css)
