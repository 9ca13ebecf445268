"""Questions before a view shows what it has found: asked, answered and resolved in the browser.

Nothing of an answer reaches the server. What the view shows is covered until its questions are answered, or
until somebody wants to see it at once.
"""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from pages.contract.question import Question, as_data

HERE = Path(__file__).with_name("questions.js")
PIECES = ("prose", "fields", "resolution", "questions")
"""The scripts of the component, in the order of their use."""


def cover(view: str) -> str:
    """The key of what is covered while the questions of a view, such as `masking paint`, are asked.

    The frame's style sheet hides what has such a key; the component shows it again.
    """
    return f"covered_{re.sub('[^a-z0-9]+', '_', view.lower())}"


def covered(view: str, what: str) -> AbstractContextManager[object]:
    """A container whose contents are hidden until the questions of the view are answered."""
    return st.container(key=f"{cover(view)}__{what}")


def ask_first(view: str, questions: Sequence[Question]) -> None:
    """Put the questions of a view on the page, one after the other."""
    data = {"cover": cover(view), "questions": [as_data(question) for question in questions]}
    _component()(key="questions", data=data)


@cache
def _component() -> Any:
    """The component of the scripts beside this file."""
    js = "\n".join(HERE.with_name(f"{name}.js").read_text("utf-8") for name in PIECES)
    return st.components.v2.component("questions", js=js, css=HERE.with_suffix(".css").read_text("utf-8"))
