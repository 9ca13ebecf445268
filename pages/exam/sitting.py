"""The exam on its page: the browser asks and keeps it, and the server reads the result of a link."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pages.browser.scripts import PAPER, QUESTIONS
from pages.contract.ask import Ask
from pages.contract.question import as_data
from pages.contract.scene import Scene
from pages.contract.sheet import Drawing, Sheet
from pages.contract.static_questions import EXAM, StaticQuestion
from pages.contract.view import view
from pages.data.links import Link
from pages.exam.answers import Answer, number_of, read_answers
from pages.path.stops import STOP, STOPS, StopView, path_at

HERE = Path(__file__).parent
ASKED = [one.asked() for one in EXAM.values()]

ANSWERS = "answers"
"""Parameter with the answers of a result."""


@view(asks=False)
def exam(ask: Ask, scene: Scene) -> Sheet:
    """Return the questions, or the result of a link."""
    given = ask.parsed(ANSWERS, lambda said: read_answers(said, ASKED), default=None, instead="the exam")
    return Sheet(
        headline=_headline(given),
        parts=(
            Drawing(
                "exam",
                HERE / "exam.js",
                _data(given),
                on=(*QUESTIONS, PAPER, HERE / "kept.js", HERE / "result.js"),
                is_saved=False,
            ),
        ),
    )


def _headline(given: Sequence[Answer] | None) -> str:
    if given is not None:
        return "The address of this page holds the result of an exam."
    return f"{len(ASKED)} questions on the path. The solutions follow after the last one."


def _data(given: Sequence[Answer] | None) -> Mapping[str, Any]:
    """Return the questions for the browser, and the answers of the link if it has some."""
    questions = [
        {**as_data(question), "reread": _reread(one)}
        for one, question in zip(EXAM.values(), ASKED, strict=True)
    ]
    alt = "The result of an exam" if given is not None else "An exam, asked and resolved in the browser"
    return {"alt": alt, "number": number_of(ASKED), "questions": questions, "given": given}


def _reread(one: StaticQuestion) -> Mapping[str, str]:
    """Return the link to the view that teaches an answer, as its stop shows it."""
    assert one.reread is not None, "a question of the exam has it"
    number, link = taught_at(one.reread)
    return {"path": path_at(link, number), "label": f"Stop {number} · {link.label}"}


def taught_at(reread: Link) -> tuple[int, Link]:
    """Return the stop that a link names, and the link of its view there, named as its tab is."""
    number = int(reread.parameters[STOP])
    views = (view.named for view in STOPS[number - 1].views)
    found = next((one for one in views if (one.address, one.view) == (reread.address, reread.view)), None)
    return number, found or StopView(link=reread).named
