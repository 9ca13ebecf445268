"""What the views of Interaction distance ask first, on numbers made up for it and on those of the sheets."""

import math
from typing import Any

import pytest

from pages.contract.question import Arrange, Choose, Estimate, Sketch, solution
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
    assert asked.because.endswith("3 more lead to *is* and 1 up: 5 together.")
    assert set(known(asked)) == {1, 3}
    assert "all words at once" in known(asked)[1]


def test_of_the_next_word_the_missing_operation_is_the_entry() -> None:
    asked = asks.recurrent_operations(Walk(CHEF, IS, n_words=1, n_layers=1, operations=2))
    assert asked is not None
    assert known(asked) == {1: "To enter the state of *chef* is an operation too."}
    assert "1 more leads to *is*: 2 together." in asked.because


def test_from_a_word_to_itself_nothing_is_asked() -> None:
    assert asks.recurrent_operations(Walk(CHEF, CHEF, n_words=0, n_layers=1, operations=1)) is None


def test_operations_of_attention_are_drawn_for_the_words_that_are_reached() -> None:
    reached = asks.reached(["a", "b", "c"], [-1, 2, 2])
    asked = asks.attention_operations(Typed("b"), reached, n_layers=2, longest=5, are_all=False)
    assert asked is not None
    assert (asked.labels, asked.right, asked.largest) == (("b", "c"), (2, 2), 5)
    assert "that can know of it" in asked.text
    assert "one for each layer" in asked.because
    assert asks.attention_operations(CHEF, {"a": 1}, n_layers=1, longest=1, are_all=True) is None


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
    assert solution(asked) == right
    assert ("The mask hides *is* from *chef*" in asked.because) == (not attention)
    assert ("carries nothing back" in asked.because) == (not recurrent)
    assert resolved(asked)["in both"] == "", "the reason of the right answer says it"


def test_layers_of_recurrence_need_not_wait_for_one_another() -> None:
    asked = asks.recurrent_serial(IS, n_words=5, n_layers=3, operations=7)
    assert set(known(asked)) == {1, 15}
    assert "follow one word behind" in known(asked)[15]
    alone = asks.recurrent_serial(IS, n_words=1, n_layers=1, operations=1)
    assert known(alone) == {}


def test_a_pair_of_words_has_two_scores_and_each_word_one_with_itself() -> None:
    asked = asks.scores_of_head(5, 1, 25)
    assert set(known(asked)) == {20, 10, 5}
    # Of three words as many pairs as words: which of the two mistakes it was, nobody can tell.
    assert set(known(asks.scores_of_head(3, 2, 18))) == {12, 6}
    assert known(asks.scores_of_head(1, 1, 1)) == {0: "A word gets a score with itself too."}
    assert solution(asks.twice_as_long(4)) == "4 times as many"


def test_the_order_of_accuracies_says_why_only_where_the_transformer_is_first() -> None:
    asked = asks_of_trained.most_accurate({"Transformer": 0.9, "LSTM": 0.5, "RNN": 0.2}, "21–48")
    assert asked is not None
    assert solution(asked) == "Transformer, LSTM, RNN"
    assert "fixed size" in asked.because
    other = asks_of_trained.most_accurate({"Transformer": 0.3, "LSTM": 0.5, "RNN": 0.2}, "21–48")
    assert other is not None
    assert other.because == "30 % for the Transformer, 50 % for the LSTM, 20 % for the RNN."
    assert asks_of_trained.most_accurate({"Transformer": 0.5, "LSTM": 0.51, "RNN": 0.2}, "21–48") is None


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


def test_influence_is_drawn_up_to_the_word_asked_about() -> None:
    asked = asks_of_trained.influence_of_each("RNN", IS, ["chef", "is"], [0.25, 0.75])
    assert asked is not None
    assert asked.because == "*is* has the largest share, 75 %, *chef* 25 %."
    first = asks_of_trained.influence_of_each("RNN", IS, ["chef", "is"], [0.75, 0.25])
    assert first is not None
    assert first.because == "*chef* has the largest share, 75 %."
    assert asks_of_trained.influence_of_each("RNN", IS, ["is"], [1.0]) is None
    assert asks_of_trained.influence_of_each("RNN", IS, ["chef", "is"], [math.nan, 1.0]) is None


@each(
    ("link", "said"),
    [
        ({}, "lie 5 operations in the recurrent network"),
        ({"from_": 2, "to": 4, "layers": 3, "mask": "causal"}, "lie 5 operations in the recurrent network"),
        ({"count": "serial operations", "layers": 2}, "stand 6 serial operations in the recurrent network"),
        ({"view": "price", "layers": 2}, "computes 50 scores per head"),
    ],
)
def test_the_right_answer_is_the_number_of_the_sheet(link: dict[str, Any], said: str) -> None:
    page = Asked(PAGE, **link)
    first = page.questions[0]
    assert isinstance(first, Estimate)
    assert f" {solution(first)} " in said
    assert said in page.sheet.answer


def test_what_asks_about_a_mask_changes_with_it() -> None:
    hidden = Asked(PAGE, mask="causal", from_=5, to=2)
    assert [solution(one) for one in hidden.questions] == ["in neither"]
    hidden.set(mask=None)
    drawn = hidden.questions[1]
    assert isinstance(drawn, Sketch)
    assert drawn.right == (1, 1, 1, 1, 1)
    assert drawn.largest == 5
    hidden.set(mask="causal", from_=2, to=5)
    assert isinstance(hidden.questions[1], Sketch)
    assert hidden.questions[1].labels == ("made", "his", "uncle", "tea")


def test_equal_words_are_told_apart() -> None:
    page = Asked(PAGE, text="the chef is the", from_=4, to=1)
    assert "*the \\(4\\)*" in page.questions[0].text
    assert "*the \\(1\\)*" in page.questions[0].text


def test_trained_networks_are_asked_about_with_the_numbers_of_their_sheets() -> None:
    recall = Asked(PAGE, view="recall")
    order, drawn = recall.questions
    assert isinstance(order, Arrange)
    assert isinstance(drawn, Sketch)
    assert solution(order) == "Transformer, LSTM, RNN"
    assert f"{drawn.right[-1]:.0f} % for the LSTM" in recall.sheet.answer
    (drawn,) = Asked(PAGE, view="agreement").questions
    assert isinstance(drawn, Sketch)
    assert f"{drawn.right[-1]:.0f} % for the RNN" in Asked(PAGE, view="agreement").sheet.answer


def test_influence_is_asked_with_the_shares_of_the_sheet() -> None:
    page = Asked(PAGE, view="influence")
    largest, drawn = page.questions
    assert solution(largest) == "Transformer"
    assert largest.because.removeprefix("The share of the influence: ") in page.prose
    assert isinstance(drawn, Sketch)
    assert f"RNN: is {100 * drawn.right[-1]:.0f} %" in page.alt("influence")
