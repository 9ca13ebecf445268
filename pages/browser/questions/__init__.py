"""Questions on a page: asked, answered and resolved in the browser.

No reply reaches the server, unless a room is asked (`room_questions.py`). If a view asks first, it is covered
until its questions are answered or the visitor uncovers it. On the path questions stand below the view and
cover nothing.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pages.browser.component import component
from pages.browser.questions.room_questions import sealed
from pages.contract.question import Question, as_data

HERE = Path(__file__).with_name("questions.js")
KEY = "questions"
ROOM_PIECES = ("prose", "fields", "resolution", "hall", "ask_room", "wall")
"""The scripts of a room, in the order of their use: pages with questions and the player have them."""

OF_ROOM = ("AskedRoom", "differ", "pin", "prose", "roomAsked", "roomRevealed")
"""Names of the scripts of a room that other scripts use."""

PIECES = (*ROOM_PIECES, "at_stop", "questions")
STYLES = (HERE.with_name("questions.css"), HERE.with_name("wall.css"))


class PageQuestions(NamedTuple):
    """Questions of a view; `pins` are parameters that keep them the same under other settings."""

    cover: str
    questions: Sequence[Question]
    settings: Mapping[str, str]
    pins: Mapping[str, str]
    sentences: Sequence[str] = ()

    def data(self) -> dict[str, Any]:
        """Return all of it as plain data for the browser, with the questions for a room sealed."""
        asked = [as_data(question) for question in self.questions]
        situation = {"sentences": list(self.sentences), "settings": dict(self.settings)}
        *questions, sealed_situation = sealed([*asked, situation])
        return {**self._asdict(), "questions": asked, "sealed": questions, "situation": sealed_situation}


def ask_first(offered: PageQuestions) -> None:
    """Ask the questions about a covered part on the page, one after the other; a room may be asked them."""
    _component()(key=KEY, data=offered.data())


def offer_to_room(offered: PageQuestions) -> None:
    """Pass the questions of a page to the player of a lecture, where a key asks them in a room."""
    component("offered", HERE.with_name("offered.js"))(key="offered", data=offered.data(), height=0)


def ask_below(box: str, questions: Sequence[Mapping[str, Any]], stop: Mapping[str, Any]) -> None:
    """Ask questions below a view of the path; the browser keeps the replies by the name of the `box`."""
    _component()(key=KEY, data={"cover": box, "questions": list(questions), "stop": dict(stop)})


def room_script() -> str:
    """Return the scripts of a room as one object, `ROOM`, whose names cannot clash with other scripts."""
    scripts = "\n".join(HERE.with_name(f"{name}.js").read_text("utf-8") for name in ROOM_PIECES)
    return f"const ROOM = (() => {{\n{scripts}\nreturn {{ {', '.join(OF_ROOM)} }};\n}})();"


def room_style() -> str:
    """Return the style sheet of a room outside of a page."""
    return "\n".join(path.read_text("utf-8") for path in STYLES)


def _component() -> Any:
    return component("questions", *(HERE.with_name(f"{name}.js") for name in PIECES), *STYLES)
