"""Questions before a view shows what it has found: asked, answered and resolved in the browser.

Nothing of an answer reaches the server, but where a room is asked (`asked_room.py`). What the view shows is
covered until its questions are answered, or until somebody wants to see it at once.
"""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from pages.contract.question import Question, as_data
from pages.controls.questions.asked_room import ask_room, said_of_room

HERE = Path(__file__).with_name("questions.js")
KEY = "questions"
PIECES = ("prose", "fields", "resolution", "hall", "ask_room", "questions")
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
    asked = [as_data(question) for question in questions]
    data = {"cover": cover(view), "questions": asked, "room": said_of_room()}
    _component()(
        key=KEY,
        data=data,
        on_ask_change=lambda: ask_room(st.session_state[KEY].get("ask"), cover(view), asked),
    )


@cache
def _component() -> Any:
    """The component of the scripts beside this file."""
    js = "\n".join(HERE.with_name(f"{name}.js").read_text("utf-8") for name in PIECES)
    return st.components.v2.component("questions", js=js, css=HERE.with_suffix(".css").read_text("utf-8"))
