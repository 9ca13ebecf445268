"""The question of a step as phones are asked it, by the kind of its answer."""

from typing import Any

import orjson

from pages.lecture.own_question import offered, own_question
from pages.lecture.step import LectureStep
from rooms.distributions import distribution
from rooms.replies import checked_reply, without_solution
from tests.covering import each

ASKED = "What do you expect?"
STEPS: dict[str, tuple[LectureStep, Any]] = {
    "choice": (LectureStep(question=ASKED, answer_kind="choice", options=("a", "b"), right="b"), 1),
    "poll": (LectureStep(question=ASKED, answer_kind="choice", options=("a", "b")), 0),
    "number": (LectureStep(question=ASKED, answer_kind="number", right="2.50"), 2.5),
    "any number": (LectureStep(question=ASKED, answer_kind="number"), -3),
    "order": (LectureStep(question=ASKED, answer_kind="order", options=("a", "b", "c")), [2, 1, 0]),
    "drawing": (LectureStep(question=ASKED, answer_kind="drawing", options=("a", "b"), right="3 1"), [3, 1]),
    "shares": (
        LectureStep(question=ASKED, answer_kind="drawing", options=("a", "b"), right="0.75 0.25"),
        [0.6, 0.2],
    ),
    "any drawing": (LectureStep(question=ASKED, answer_kind="drawing", options=("a", "b")), [30, 10]),
    "words": (LectureStep(question=ASKED, answer_kind="words"), "tea"),
}
WITH_RIGHT = {"choice": 1, "number": 2.5, "drawing": [3.0, 1.0], "shares": [0.75, 0.25]}


def asked(name: str) -> dict[str, Any]:
    found = own_question(STEPS[name][0])
    assert found is not None
    return found


@each("name", STEPS)
def test_it_is_asked_answered_and_counted(name: str) -> None:
    question = orjson.loads(orjson.dumps(asked(name)))
    assert without_solution(question)["text"] == ASKED
    assert "right" not in without_solution(question)
    answer = checked_reply(question, STEPS[name][1])
    for answers in ([], [answer], [answer] * 30):
        assert distribution(question, answers)


@each("name", [name for name in STEPS if name != "order"])
def test_it_has_a_right_answer_or_none(name: str) -> None:
    assert asked(name)["right"] == WITH_RIGHT.get(name)


@each(
    ("right", "decimals"),
    [("2", 0), ("2.50", 2), ("1e-05", 5), ("25e-1", 1), ("3e4", 0), ("", 0), ("1e-300", 20)],
)
def test_a_number_has_the_decimals_of_its_value(right: str, decimals: int) -> None:
    question = own_question(LectureStep(question=ASKED, answer_kind="number", right=right))
    assert question is not None
    assert question["decimals"] == decimals


def test_the_options_of_a_choice_have_letters_wherever_they_stand() -> None:
    question = asked("choice")
    assert [one["text"] for one in question["options"]] == ["A. a", "B. b"]
    assert question["solution"] == "B. b"
    assert offered(STEPS["choice"][0]) == ["A. a", "B. b"]
    assert asked("poll")["solution"] == ""


def test_the_plate_offers_the_options_of_phones_and_mixes_an_order() -> None:
    assert offered(STEPS["drawing"][0]) == ["a", "b"]
    assert offered(STEPS["words"][0]) == []
    question = asked("order")
    assert offered(STEPS["order"][0]) == question["items"]
    assert [question["items"][at] for at in question["right"]] == ["a", "b", "c"]
    assert question["solution"] == "a, b, c"


@each("options", [("a", "b"), ("b", "a"), tuple("abcdef")])
def test_no_order_is_offered_in_the_right_one(options: tuple[str, ...]) -> None:
    question = own_question(LectureStep(question=ASKED, answer_kind="order", options=options))
    assert question is not None
    assert question["items"] != list(options)


def test_a_question_without_an_answer_kind_stands_on_the_wall_alone() -> None:
    assert own_question(LectureStep(question=ASKED)) is None
    assert own_question(LectureStep(answer_kind="words")) is None
