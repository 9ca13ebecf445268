"""An answer is a number within bounds, or a list of them; the solution is not sent before the reveal."""

import json
from math import inf, nan
from typing import Any

import pytest

from pages.contract.question import Arrange, Choose, Estimate, Option, Sketch, as_data
from rooms.replies import ReplyError, checked_reply, without_solution
from tests.covering import each
from tests.rooms.questions import ALL, ARRANGE, CHOOSE, ESTIMATE, SKETCH, WHOLE


@each(
    ("question", "given", "kept"),
    [
        (CHOOSE, 0, 0),
        (CHOOSE, 2, 2),
        (ESTIMATE, 0, 0.0),
        (ESTIMATE, 99.5, 99.5),
        (ARRANGE, [2, 0, 1], [2, 0, 1]),
        (SKETCH, [0.2, 0.2, 0.4], [0.25, 0.25, 0.5]),
        (SKETCH, [1, 0, 0], [1.0, 0.0, 0.0]),
        (WHOLE, [0, 11, 5.0], [0.0, 11.0, 5.0]),
    ],
)
def test_an_answer_is_kept_as_numbers(question: dict[str, Any], given: Any, kept: Any) -> None:
    assert checked_reply(question, given) == kept


NEVER = [None, "1", "<b>", True, {}, [], [[1]], nan, inf, -inf, "x" * 100, {"0": 1}, [None], ["a", "b", "c"]]


@each("question", ALL.values())
@each("given", NEVER)
def test_text_and_nan_are_never_an_answer(question: dict[str, Any], given: Any) -> None:
    with pytest.raises(ReplyError):
        checked_reply(question, given)


@each(
    ("question", "given"),
    [
        *((CHOOSE, -1), (CHOOSE, 3), (CHOOSE, 1.0), (ESTIMATE, -0.1), (ESTIMATE, 100.1), (ESTIMATE, 10**400)),
        *((ARRANGE, [0, 1]), (ARRANGE, [0, 0, 1]), (ARRANGE, [0, 1, 3]), (ARRANGE, [0, True, 2])),
        *((SKETCH, [0.5, 0.5]), (SKETCH, [0, 0, 0]), (SKETCH, [0.1, 0.1, 1.1]), (SKETCH, [0.1, 0.1, -0.1])),
        *((SKETCH, [0.1, 0.1, nan]), (SKETCH, [0.1, 0.1, True]), (WHOLE, [1, 2, 2.5]), (WHOLE, [1, 2, 12])),
    ],
)
def test_answers_beyond_the_bounds_are_refused(question: dict[str, Any], given: Any) -> None:
    with pytest.raises(ReplyError, match="expected"):
        checked_reply(question, given)


@each("question", ALL.values())
def test_the_solution_is_hidden_before_the_reveal(question: dict[str, Any]) -> None:
    shown = without_solution(question)
    assert "secret" not in json.dumps(shown)
    assert not {"right", "because", "solution", "near", "mistaken"} & shown.keys()
    assert shown["text"] == question["text"]


def test_questions_of_the_pages_are_accepted_unchanged() -> None:
    why = "it says so"
    of_pages = [
        (Choose(text="a?", options=(Option("x", False, "no"), Option("y", True)), because=why), 1),
        (Estimate(text="b?", right=3, bounds=(0, 9), because=why), 7),
        (Arrange(text="c?", items=("x", "y"), right=(1, 0), because=why), [0, 1]),
        (Sketch(text="d?", labels=("x", "y"), right=(0.5, 0.5), because=why), [0.75, 0.25]),
    ]
    for question, given in of_pages:
        data = as_data(question)
        assert checked_reply(data, given) == given
        assert why not in str(without_solution(data))
