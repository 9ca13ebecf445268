"""Questions on a page: asked, answered and resolved in the browser.

Nothing of an answer reaches the server, unless a room is asked (`asked_room.py`). If a view asks first, it
is covered until its questions are answered or somebody wants to see it at once. On the path questions stand
below the view and cover nothing.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from pages.browser.questions.asked_room import sealed
from pages.contract.question import Question, as_data

HERE = Path(__file__).with_name("questions.js")
KEY = "questions"
ROOM_PIECES = ("prose", "fields", "resolution", "hall", "ask_room", "wall")
"""The scripts of a room, in the order of their use: pages with questions and the player have them."""

OF_ROOM = ("AskedRoom", "differ", "pin", "prose", "roomAsked", "roomRevealed")
"""Names of the scripts of a room that other scripts use."""

PIECES = (*ROOM_PIECES, "at_stop", "questions")
"""The scripts of the component, in the order of their use."""


class Offered(NamedTuple):
    """Questions of a view, with the key of its cover and its settings; `pins` keep them under others.

    The `sentences` are those that the view is about.
    """

    cover: str
    questions: Sequence[Question]
    settings: Mapping[str, str]
    pins: Mapping[str, str]
    sentences: Sequence[str] = ()

    def data(self) -> dict[str, Any]:
        """Return all of it as plain data for the browser, with what a room is told of it sealed."""
        asked = [as_data(question) for question in self.questions]
        situation = {"sentences": list(self.sentences), "settings": dict(self.settings)}
        *questions, sealed_situation = sealed([*asked, situation])
        return {
            **self._asdict(),
            "questions": asked,
            "sealed": questions,
            "situation": sealed_situation,
        }


def ask_first(offered: Offered) -> None:
    """Put questions on the page, one after the other, for what is under a cover; a room may be asked them."""
    _component()(key=KEY, data=offered.data())


def offer_to_room(offered: Offered) -> None:
    """Tell the player of a lecture what a page asks: one key has the room asked it."""
    _offer()(key="offered", data=offered.data(), height=0)


def ask_below(box: str, questions: Sequence[Mapping[str, Any]], stop: Mapping[str, Any]) -> None:
    """Put the questions of a view of the path on the page, and after them what the `stop` says to remember.

    The browser keeps the answers under the name of the `box`.
    """
    _component()(key=KEY, data={"cover": box, "questions": list(questions), "stop": dict(stop)})


def room_script() -> str:
    """Return the scripts of a room as one object, `ROOM`: their names are not in the way of other scripts."""
    scripts = "\n".join(HERE.with_name(f"{name}.js").read_text("utf-8") for name in ROOM_PIECES)
    return f"const ROOM = (() => {{\n{scripts}\nreturn {{ {', '.join(OF_ROOM)} }};\n}})();"


def room_style() -> str:
    """Return the style sheet of a room that stands outside of a page."""
    return "\n".join(HERE.with_name(name).read_text("utf-8") for name in ("questions.css", "wall.css"))


@cache
def _offer() -> Any:
    """The component that keeps the questions of a page for the player."""
    return st.components.v2.component("offered", js=HERE.with_name("offered.js").read_text("utf-8"))


@cache
def _component() -> Any:
    """The component of the scripts beside this file."""
    js = "\n".join(HERE.with_name(f"{name}.js").read_text("utf-8") for name in PIECES)
    return st.components.v2.component("questions", js=js, css=room_style())
