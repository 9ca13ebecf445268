"""The part of a question that phones get before the reveal, and checks of their answers.

A question is the plain data of `pages.contract.question.as_data`.
"""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from rooms.free_words import WordError, cleaned

Question = Mapping[str, Any]
Value = int | float | str | list[int] | list[float]
"""An answer: the number of an option, a number, a free word, an order, or the values of bars."""

ASKED = {
    "choose": ("text", "options"),
    "estimate": ("text", "bounds", "unit", "decimals"),
    "arrange": ("text", "items"),
    "sketch": ("text", "labels", "shares", "largest", "unit", "are_whole"),
    "words": ("text", "longest", "most_words"),
}
"""Fields of a question that phones get before the reveal, by its kind; none has the solution."""

SITUATION = ("sentences",)
"""Fields about the view of a question, which phones get too if it has them."""

DECIMALS = 4
"""Decimals that are kept of a bar: finer than a finger draws."""


class ReplyError(ValueError):
    """The value is no answer to this question; the message says what was expected."""


def without_solution(question: Question) -> dict[str, Any]:
    """Return the question as phones get it before the reveal: without its solution."""
    kind = question["kind"]
    shown = {name: question[name] for name in (*ASKED[kind], *SITUATION) if name in question}
    if kind == "choose":
        shown["options"] = [{"text": option["text"]} for option in question["options"]]
    return {"kind": kind, **shown}


def checked_reply(question: Question, given: Any) -> Value:
    """Return the answer as it is kept. Raises ReplyError if the value does not answer the question."""
    return _READERS[question["kind"]](question, given)


def _chosen(question: Question, given: Any) -> int:
    n_options = len(question["options"])
    if not is_whole(given) or not 0 <= given < n_options:
        raise ReplyError(f"expected the number of an option, 0 to {n_options - 1}")
    return given


def _estimated(question: Question, given: Any) -> float:
    smallest, largest = question["bounds"]
    if not _is_number(given) or not smallest <= given <= largest:
        raise ReplyError(f"expected a number from {smallest:g} to {largest:g}")
    return float(given)


def _arranged(question: Question, given: Any) -> list[int]:
    n_items = len(question["items"])
    if not isinstance(given, list) or not all(map(is_whole, given)) or sorted(given) != list(range(n_items)):
        raise ReplyError(f"expected the numbers from 0 to {n_items - 1} in some order")
    return list(given)


def _sketched(question: Question, given: Any) -> list[float]:
    n_bars, largest = len(question["labels"]), question["largest"]
    if not isinstance(given, list) or len(given) != n_bars or not all(_is_bar(one, largest) for one in given):
        raise ReplyError(f"expected {n_bars} numbers from 0 to {largest:g}")
    if question["are_whole"] and not all(float(one).is_integer() for one in given):
        raise ReplyError("expected whole numbers")
    return _as_shares(given) if question["shares"] else [round(float(one), DECIMALS) for one in given]


def _in_words(question: Question, given: Any) -> str:
    try:
        return cleaned(given, longest=question["longest"])
    except WordError as error:
        raise ReplyError(str(error)) from error


def _as_shares(values: Sequence[float]) -> list[float]:
    """Return the values divided by their sum, as the picture draws them."""
    total = sum(values)
    if total <= 0:
        raise ReplyError("expected at least one bar above 0")
    return [round(value / total, DECIMALS) for value in values]


def _is_bar(value: Any, largest: float) -> bool:
    return _is_number(value) and 0 <= value <= largest


def _is_number(value: Any) -> bool:
    """Return whether the value is a finite number; a bool is not."""
    return is_whole(value) or (isinstance(value, float) and isfinite(value))


def is_whole(value: Any) -> bool:
    """Return whether the value is a whole number; a bool is not."""
    return isinstance(value, int) and not isinstance(value, bool)


_READERS: Mapping[str, Any] = {
    "choose": _chosen,
    "estimate": _estimated,
    "arrange": _arranged,
    "sketch": _sketched,
    "words": _in_words,
}
