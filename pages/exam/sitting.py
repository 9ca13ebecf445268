"""The exam on its page: the browser asks and keeps it, and the server reads the result of a link.

The link spells the answers in the order of `exam.toml`, after four digits that identify the exam.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

from pages.browser.scripts import PAPER, QUESTIONS
from pages.contract.ask import Ask
from pages.contract.question import Arrange, Choose, Estimate, Question, Sketch, as_data
from pages.contract.scene import Scene
from pages.contract.sheet import Drawing, Sheet
from pages.contract.static_questions import EXAM, StaticQuestion
from pages.contract.view import view
from pages.data.links import Link
from pages.path.stops import STOP, STOPS, StopView, path_at

HERE = Path(__file__).parent
ASKED = [one.asked() for one in EXAM.values()]

ANSWERS = "answers"

BETWEEN, INSIDE = "_", "-"
"""Signs between two answers, and between the parts of one."""

UNKNOWN = "x"  # the reader does not know

Answer = int | float | list[int] | str
"""The number of an option, a number, an order, shares in whole per cent, or `UNKNOWN`."""


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


def number_of(questions: Sequence[Question]) -> str:
    """Return four hexadecimal digits that identify the questions of a link's answers."""
    asked = [(question.text, _answerable(question)) for question in questions]
    return f"{crc32(json.dumps(asked).encode()) & 0xFFFF:04x}"


def read_answers(spelling: str, questions: Sequence[Question]) -> list[Answer]:
    """Return the answers that a link spells. Raises ValueError with the reason for wrong ones."""
    number, *spelt = spelling.split(BETWEEN)
    if number != number_of(questions) or len(spelt) != len(questions):
        raise ValueError("they belong to another version of the exam")
    asked = enumerate(zip(spelt, questions, strict=True), 1)
    return [_read(one, question, at) for at, (one, question) in asked]


def _answerable(question: Question) -> list[str]:
    match question:
        case Choose(options=options):
            return [one.text for one in options]
        case Arrange(items=items):
            return list(items)
        case Sketch(labels=labels):
            return list(labels)
        case Estimate(unit=unit):
            return [unit]


def _read(spelt: str, question: Question, at: int) -> Answer:
    if spelt == UNKNOWN:
        return UNKNOWN
    try:
        return _of_kind(spelt, question)
    except ValueError as error:
        raise ValueError(f"answer {at} does not fit its question") from error


def _of_kind(spelt: str, question: Question) -> Answer:
    """Return the answer to one question. Raises ValueError for a value that its field cannot give."""
    answer: Answer
    match question:
        case Choose(options=options):
            (chosen,) = _numbers(spelt, 1)
            answer, is_possible = chosen, chosen < len(options)
        case Arrange(items=items):
            answer = order = _numbers(spelt, len(items))
            is_possible = sorted(order) == list(range(len(items)))
        case Sketch(labels=labels):
            answer = shares = _numbers(spelt, len(labels))
            is_possible = sum(shares) > 0 and max(shares) <= 100
        case Estimate(bounds=(smallest, largest)):
            answer = number = _number(spelt)
            is_possible = smallest <= number <= largest
    if not is_possible:
        raise ValueError
    return answer


def _numbers(spelt: str, n: int) -> list[int]:
    if not re.fullmatch(rf"\d{{1,3}}({INSIDE}\d{{1,3}}){{{n - 1}}}", spelt, re.ASCII):
        raise ValueError
    return [int(one) for one in spelt.split(INSIDE)]


def _number(spelt: str) -> float:
    if not re.fullmatch(r"-?\d{1,9}(\.\d{1,4})?", spelt, re.ASCII):
        raise ValueError
    return float(spelt)
