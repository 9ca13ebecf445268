"""Questions are made of numbers that were found, and a tie is not asked."""

import json
import math
from typing import Any

import orjson
import pytest

from pages.contract.predict import MOST_BARS, arrange, choose, choose_largest, sketch, told_apart
from pages.contract.question import Arrange, Choose, Estimate, Option, Sketch, as_data, solution, texts
from pages.path.stops import STOPS
from rooms.answers import answer_to, asked_alone
from tests.covering import each
from tests.pages.asked import Asked
from tests.views import PAGES

WORDS = {"tea": 0.2, "uncle": 0.5, "made": 0.05, "his": 0.15, "Zuko": 0.1}


def test_the_largest_is_asked_for_among_its_closest_rivals_in_their_order() -> None:
    asked = choose_largest("Which?", WORDS, because="It is.", why_not={"his": "No."})
    assert asked is not None
    assert [one.text for one in asked.options] == ["tea", "uncle", "his", "Zuko"]
    assert solution(asked) == "uncle"
    assert [one.why_not for one in asked.options] == ["", "", "No.", ""]


def test_the_smallest_is_asked_for_too() -> None:
    asked = choose_largest("Which?", WORDS, because="It is.", smallest=True)
    assert asked is not None
    assert solution(asked) == "made"
    assert "uncle" not in [one.text for one in asked.options]


@each(
    "values",
    [
        {"one": 0.5, "other": 0.5},
        {"one": 0.5, "other": 0.49, "third": 0.1},
        {"one": -2.0, "other": -2.01},
        {"one": 1.0},
        {},
        {"one": math.nan, "other": 1.0},
    ],
)
def test_a_tie_is_not_asked(values: dict[str, float]) -> None:
    assert choose_largest("Which?", values, because="It is.") is None
    assert arrange("In which order?", values, because="It is.") is None


def test_items_are_arranged_from_the_largest_and_shown_in_an_order_that_tells_nothing() -> None:
    asked = arrange("In which order?", WORDS, because="It is.")
    assert asked is not None
    assert solution(asked) == "uncle, tea, his, Zuko, made"
    assert sorted(asked.items) == sorted(WORDS)
    orders = {arrange(f"{n}?", WORDS, because="It is.").items for n in range(20)}  # type: ignore[union-attr]
    assert len(orders) > 5
    for n in range(20):
        pair = arrange(f"{n}?", {"one": 2.0, "other": 1.0}, because="It is.")
        assert pair is not None
        assert pair.items == ("other", "one"), "the right order would be given away"
    assert arrange("In which order?", {**WORDS, "one": 0.7, "more": 0.9}, because="It is.") is None


def test_the_right_answer_has_no_position_of_its_own() -> None:
    made = [choose(f"{n}?", "yes", {"no": "Why not.", "both": ""}, because="It is.") for n in range(30)]
    assert {asked.right for asked in made} == {0, 1, 2}
    assert {solution(asked) for asked in made} == {"yes"}
    assert {one.why_not for one in made[0].options} == {"", "Why not."}


def test_a_row_that_nobody_would_draw_is_not_asked() -> None:
    asked = sketch("Draw.", ["a", "b"], [0.25, 0.75], because="It is.")
    assert asked is not None
    assert solution(asked) == "a 25 %, b 75 %"
    n = MOST_BARS + 1
    assert sketch("Draw.", ["a"] * n, [1 / n] * n, because="It is.") is None
    assert sketch("Draw.", ["a"], [1.0], because="It is.") is None
    assert sketch("Draw.", ["a", "b"], [math.nan, 1.0], because="It is.") is None


def test_words_that_are_equal_or_begin_alike_are_told_apart() -> None:
    assert [f"{name}" for name in told_apart(["tea", "his", "tea"])] == ["tea \\(1\\)", "his", "tea \\(3\\)"]
    long = "a" * 70
    names = [f"{name}" for name in told_apart([long + "b", long + "c", "<b>"])]
    assert len(set(names)) == 3
    assert "\\<b" in names[2]


ESTIMATE: dict[str, Any] = {"text": "How many?", "right": 5, "bounds": (0, 20), "because": "It is."}


@each(
    "make",
    [
        lambda: Choose(text="?", options=(Option("a"), Option("a")), right=0, because=""),
        lambda: Choose(text="?", options=(Option("a"), Option("b")), right=2, because="!"),
        lambda: Choose(text="?", options=(Option("a", "Same."), Option("b")), right=1, because="Same."),
        lambda: Choose(text="?", options=(Option("a"),), right=0, because=""),
        lambda: Estimate(**{**ESTIMATE, "right": 21}),
        lambda: Estimate(**ESTIMATE, mistaken=((6, "That is right."),), near=1),
        lambda: Sketch(text="?", labels=("a", "b"), right=(1.0,), because=""),
        lambda: Sketch(text="?", labels=("a", "b"), right=(1.0, 0.5), because=""),
        lambda: Sketch(text="?", labels=("a", "b"), right=(0.5, 3.0), because="", shares=False),
        lambda: Arrange(text="?", items=("a", "b"), right=(0, 0), because=""),
        lambda: Arrange(text="?", items=("a", "a"), right=(0, 1), because=""),
    ],
)
def test_a_question_that_cannot_be_answered_rightly_is_a_bug_of_ours(make: Any) -> None:
    with pytest.raises(AssertionError):
        make()


def test_a_question_goes_to_the_browser_as_plain_data() -> None:
    asked = Estimate(**ESTIMATE, unit="operations", mistaken=((12, "Of an RNN."),))
    assert json.loads(json.dumps(as_data(asked))) == {
        "kind": "estimate",
        "solution": "5 operations",
        "text": "How many?",
        "right": 5,
        "bounds": [0, 20],
        "because": "It is.",
        "unit": "operations",
        "decimals": 0,
        "near": 0.0,
        "mistaken": [[12, "Of an RNN."]],
    }
    assert solution(asked) == "5 operations"
    assert texts(asked) == ("How many?", "Of an RNN.", "It is.")


def test_all_that_a_question_says_is_told() -> None:
    options = (Option("a", "No."), Option("b"))
    assert texts(Choose(text="?", options=options, right=1, because="!")) == ("?", "a", "No.", "b", "!")
    assert texts(Arrange(text="?", items=("a", "b"), right=(1, 0), because="!")) == ("?", "a", "b", "!")
    bars = Sketch(text="?", labels=("a", "b"), right=(2, 1), because="!", shares=False, largest=3, unit="m")
    assert texts(bars) == ("?", "!")
    assert solution(bars) == "a 2 m, b 1 m"


LISTS = {"", "glossary", "lecture", "sources"}
"""Pages that show nothing of a model: where to go, and what words and documents say."""


@pytest.mark.parametrize("address", sorted(set(PAGES) - LISTS))
def test_every_view_asks_and_a_stop_of_the_path_asks_more_than_once(address: str) -> None:
    on_the_path = {(stop.views[0].address, stop.views[0].parameters["view"]) for stop in STOPS}
    for view in PAGES[address].views:
        asked = Asked(address, view=view).questions
        assert len(asked) >= (2 if view in on_the_path else 1), view
        assert len({one.text for one in asked}) == len(asked), view
        for one in asked:
            plain = orjson.loads(orjson.dumps(as_data(one), option=orjson.OPT_SERIALIZE_NUMPY))
            answer_to(plain, plain["right"])  # in a room too
            assert one.because not in orjson.dumps(asked_alone(plain)).decode(), view
