"""Answers of an exam as a link spells them: in the order of the data, after the number of the exam."""

import json
import re
from collections.abc import Sequence
from zlib import crc32

from pages.contract.question import Arrange, Choose, Estimate, Question, Sketch

BETWEEN, INSIDE = "_", "-"
"""Signs between two answers, and between the parts of one."""

UNKNOWN = "x"
"""The answer of a reader who does not know."""

Answer = int | float | list[int] | str
"""The number of an option, a number, an order, shares in whole per cent, or `UNKNOWN`."""


def number_of(questions: Sequence[Question]) -> str:
    """Return four signs that identify the questions of a link's answers."""
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
