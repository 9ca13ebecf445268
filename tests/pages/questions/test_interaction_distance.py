"""What the views of Interaction distance ask first, on numbers made up for it and on those of the sheets."""

import math
from typing import Any

import pytest

from pages.contract.question import Choose, Estimate, solution
from pages.controls.prose import Typed
from pages.interaction_distance import questions as asks
from pages.interaction_distance import trained_questions as asks_of_trained
from pages.interaction_distance.questions import Walk
from pages.interaction_distance.trained_questions import Influence
from tests.covering import each
from tests.pages.asked import Asked

PAGE = "interaction-distance"
CHEF, IS = Typed("chef"), Typed("is")


def known(asked: Estimate) -> dict[float, str]:
    return dict(asked.mistaken)


def resolved(asked: Choose) -> dict[str, str]:
    return {option.text: option.why_not for option in asked.options}


def test_operations_of_recurrence_are_entering_going_on_and_going_up() -> None:
    asked = asks.recurrent_operations(Walk(CHEF, IS, n_words=3, n_layers=2, operations=5))
    assert asked is not None
    assert asked.text.endswith("in a recurrent network of 2 layers, counting the one that reads *chef*?")
    assert asked.because.endswith("3 more lead to *is* and 1 up.")
    assert set(known(asked)) == {1, 3}
    assert "all words at once" in known(asked)[1]


def test_of_the_next_word_the_missing_operation_is_the_entry() -> None:
    asked = asks.recurrent_operations(Walk(CHEF, IS, n_words=1, n_layers=1, operations=2))
    assert asked is not None
    assert known(asked) == {}, "1 may be either mistake"
    assert asked.because.endswith("1 more leads to *is*.")


def test_from_a_word_to_itself_nothing_is_asked() -> None:
    assert asks.recurrent_operations(Walk(CHEF, CHEF, n_words=0, n_layers=1, operations=1)) is None


@pytest.mark.parametrize(
    ("recurrent", "attention", "right"),
    [
        (False, False, "in neither"),
        (True, False, "in the recurrent network alone"),
        (False, True, "in self-attention alone"),
    ],
)
def test_a_path_that_the_mask_hides_is_in_neither_or_in_the_other(
    recurrent: bool, attention: bool, right: str
) -> None:
    asked = asks.path_under_mask("causal", IS, CHEF, recurrent=recurrent, attention=attention)
    assert asked is not None
    assert solution(asked) == right
    assert ("The mask hides *is* from *chef*" in asked.because) == (not attention)
    assert ("carries nothing back" in asked.because) == (not recurrent)
    assert resolved(asked)["in both"] == "", "the reason of the right answer says it"


def test_layers_of_recurrence_need_not_wait_for_one_another() -> None:
    asked = asks.recurrent_serial(IS, n_words=5, n_layers=3, operations=7)
    assert set(known(asked)) == {1, 15}
    assert "follows one word behind" in known(asked)[15]
    alone = asks.recurrent_serial(IS, n_words=1, n_layers=1, operations=1)
    assert known(alone) == {}


@each(
    ("shares", "steps", "right"),
    [
        ({"Transformer": 0.2, "LSTM": 0.01, "RNN": 0.0}, 3, "Transformer"),
        ({"Transformer": 0.1, "LSTM": 0.3, "RNN": 0.0}, 3, "LSTM"),
        ({"Transformer": 0.1, "LSTM": 0.1, "RNN": 0.0}, 3, None),
        ({"Transformer": math.nan, "LSTM": 0.1, "RNN": 0.0}, 3, None),
        ({"Transformer": 0.2, "LSTM": 0.01, "RNN": 0.0}, 0, None),
        ({"Transformer": 0.0, "LSTM": 0.0, "RNN": 0.0}, -2, None),
    ],
)
def test_the_network_of_the_largest_influence_is_asked_for_where_there_is_one(
    shares: dict[str, float], steps: int, right: str | None
) -> None:
    asked = asks_of_trained.most_influenced(Influence(CHEF, IS, shares, steps))
    assert (asked and solution(asked)) == right


def test_twice_the_words_have_four_times_the_scores() -> None:
    for factor, right in ((4, "4 times as many"), (2, "2 times as many"), (1, "as many as before")):
        asked = asks.twice_as_long(factor)
        assert asked is not None
        assert solution(asked) == right
    assert asks.twice_as_long(3) is None


@each(
    ("accuracies", "right"),
    [
        ({"Transformer": 0.99, "LSTM": 0.98, "RNN": 0.5}, "RNN"),
        ({"Transformer": 0.4, "LSTM": 0.98, "RNN": 0.5}, "Transformer"),
        ({"Transformer": 0.99, "LSTM": 0.55, "RNN": 0.5}, None),
        ({"Transformer": 0.99, "LSTM": 0.98, "RNN": math.nan}, None),
    ],
)
def test_the_least_accurate_network_is_asked_for_if_that_is_no_luck(
    accuracies: dict[str, float], right: str | None
) -> None:
    asked = asks_of_trained.least_accurate("A task.", accuracies, "21–48")
    assert (asked and solution(asked)) == right


@each(
    ("link", "said"),
    [
        ({}, "lie 5 operations in the recurrent network"),
        ({"from_": 2, "to": 4, "layers": 3, "mask": "causal"}, "lie 5 operations in the recurrent network"),
        ({"count": "serial operations", "layers": 2}, "stand 6 serial operations in the recurrent network"),
    ],
)
def test_the_right_answer_is_the_number_of_the_sheet(link: dict[str, Any], said: str) -> None:
    page = Asked(PAGE, **link)
    first = page.questions[0]
    assert isinstance(first, Estimate)
    assert f" {solution(first)} " in said
    assert said in page.sheet.answer


def test_a_way_back_is_that_of_a_network_that_reads_backwards() -> None:
    page = Asked(PAGE, mask="causal", from_=5, to=2)
    assert [solution(one) for one in page.questions] == ["in neither"]
    page.set(mask="bidirectional")
    assert "in a recurrent network that reads backwards, counting" in page.questions[0].text
    assert "operations in a recurrent network that reads backwards, 1 in self-attention" in page.sheet.answer
    page.set(from_=2, to=5)
    assert "in a recurrent network, counting" in page.questions[0].text
    assert "backwards" not in page.sheet.answer


def test_equal_words_are_told_apart() -> None:
    page = Asked(PAGE, text="the chef is the", from_=4, to=1)
    assert "*the \\(4\\)*" in page.questions[0].text
    assert "*the \\(1\\)*" in page.questions[0].text


@pytest.mark.parametrize("view", ["recall", "agreement"])
def test_trained_networks_are_asked_about_with_the_numbers_of_their_sheets(view: str) -> None:
    page = Asked(PAGE, view=view)
    (asked,) = page.questions
    assert solution(asked) == "RNN"
    told = asked.because.removeprefix("Right answers: ").removesuffix(".").split(", ")
    assert all(one in page.sheet.answer for one in told)


def test_influence_is_asked_with_the_shares_of_the_sheet() -> None:
    page = Asked(PAGE, view="influence")
    (largest,) = page.questions
    assert solution(largest) == "Transformer"
    assert largest.because.removeprefix("The share of the influence: ") in page.prose
