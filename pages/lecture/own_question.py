"""The question of a step for a room: with its choices, a number, an order, a drawing or free words."""

from decimal import Decimal
from string import ascii_uppercase
from typing import Any
from zlib import crc32

from pages.lecture.step import LectureStep
from rooms.free_words import LONGEST_ANSWER, MOST_WORDS

FARTHEST = 1e9

HIGHEST = 100.0
"""Greatest height of a bar if no drawing is right."""

FREE_ABOVE = 1.25
"""Greatest height of a drawn bar, as a multiple of the highest right bar."""

ROUNDING = 1e-6

MOST_DECIMALS = 20
"""The most decimals that phones write."""


def own_question(step: LectureStep) -> dict[str, Any] | None:
    """Return the step's own question as plain data for phones; None if it has none that they can answer."""
    if not step.question or not step.answer_kind:
        return None
    asked: dict[str, Any] = {"text": step.question, "because": ""}
    match step.answer_kind:
        case "choice":
            right = step.right_option
            # A hall without phones calls out the letters.
            lettered = zip(ascii_uppercase, step.options, strict=False)
            options = [{"text": f"{letter}. {one}", "why_not": ""} for letter, one in lettered]
            solution = "" if right is None else options[right]["text"]
            return asked | {"kind": "choose", "options": options, "right": right, "solution": solution}
        case "number":
            return asked | _number(step)
        case "order":
            return asked | _order(step)
        case "drawing":
            return asked | _drawing(step)
    limits = {"longest": LONGEST_ANSWER, "most_words": MOST_WORDS}
    return asked | {"kind": "words", **limits, "right": None, "solution": ""}


def offered(step: LectureStep) -> list[str]:
    """Return the possible replies, as the plate, the projection and phones show them."""
    question = own_question(step) or {}
    options = [option["text"] for option in question.get("options", ())]
    return options or list(question.get("items", ()) or step.options)


def _number(step: LectureStep) -> dict[str, Any]:
    right = step.right_numbers[0] if step.right_numbers else None
    return {
        "kind": "estimate",
        "right": right,
        "bounds": [min(-FARTHEST, right or 0), max(FARTHEST, right or 0)],
        "unit": "",
        "decimals": min(_decimals(step.right), MOST_DECIMALS) if step.right else 0,
        "near": 0.0,
        "mistaken": [],
        "solution": step.right,
    }


def _decimals(number: str) -> int:
    """Return the number of decimals of a number, also of one with an exponent."""
    exponent = Decimal(number).as_tuple().exponent
    assert isinstance(exponent, int)
    return max(0, -exponent)


def _order(step: LectureStep) -> dict[str, Any]:
    """Return the options mixed, because the file has them in the right order."""
    mixed = sorted(step.options, key=lambda one: crc32(f"{step.question}|{one}".encode()))
    if mixed == list(step.options):
        mixed = [*mixed[1:], mixed[0]]
    right = [mixed.index(one) for one in step.options]
    return {"kind": "arrange", "items": mixed, "right": right, "solution": ", ".join(step.options)}


def _drawing(step: LectureStep) -> dict[str, Any]:
    right = list(step.right_numbers) or None
    are_shares = right is not None and abs(sum(right) - 1) < ROUNDING
    largest = HIGHEST if right is None else 1.0 if are_shares else FREE_ABOVE * max(right)
    solution = ", ".join(
        f"{label} {value:g}" for label, value in zip(step.options, right or (), strict=False)
    )
    return {
        "kind": "sketch",
        "labels": list(step.options),
        "right": right,
        "shares": are_shares,
        "largest": largest,
        "unit": "",
        "are_whole": False,
        "mistaken": [],
        "solution": solution,
    }
