"""Questions before a view shows what it has found: asked, answered and resolved in the browser.

Nothing of an answer reaches the server, but where a room is asked (`asked_room.py`). What the view shows is
covered until its questions are answered, or until somebody wants to see it at once.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from pages.browser.questions.asked_room import ask_room, said_of_room
from pages.contract.question import Question, as_data

HERE = Path(__file__).with_name("questions.js")
KEY = "questions"
PIECES = ("prose", "fields", "resolution", "hall", "ask_room", "questions")
"""The scripts of the component, in the order of their use."""


def ask_first(cover: str, questions: Sequence[Question]) -> None:
    """Put questions on the page, one after the other, for what is under a cover."""
    asked = [as_data(question) for question in questions]
    data = {"cover": cover, "questions": asked, "room": said_of_room()}
    _component()(
        key=KEY,
        data=data,
        on_ask_change=lambda: ask_room(st.session_state[KEY].get("ask"), cover, asked),
    )


@cache
def _component() -> Any:
    """The component of the scripts beside this file."""
    js = "\n".join(HERE.with_name(f"{name}.js").read_text("utf-8") for name in PIECES)
    return st.components.v2.component("questions", js=js, css=HERE.with_suffix(".css").read_text("utf-8"))
