"""Covers over the results of a view, removed in the browser alone: see cover.js and questions.js."""

import re
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from pages.browser.component import component

HERE = Path(__file__).parent


def cover_key(view: str, until: Literal["answered", "revealed"]) -> str:
    """Return the key of the covered part of a view, such as `masking paint`.

    Questions cover it until they are answered, a link until somebody reveals it. The frame's style sheet
    hides an element with such a key; the browser shows it again.
    """
    return f"covered_until_{until}_{re.sub('[^a-z0-9]+', '_', view.lower())}"


def draw_plate(cover: str, frame: Mapping[str, Any]) -> None:
    """Draw a plate in place of a covered part, with its `frame`: the sentence, settings and subjects."""
    plate = component("plate", HERE / "cover.js", HERE / "cover.css")
    plate(key="plate", data={"cover": cover, "frame": frame})


def under_cover(cover: str, what: str) -> AbstractContextManager[Any]:
    """Return a container whose contents are hidden under a cover; `what` distinguishes it from others."""
    return st.container(key=f"{cover}__{what}")
