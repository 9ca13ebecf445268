"""What one expects of a mask is asked with the right answer, and not at all where nobody could tell."""

import pytest

from pages.contract.question import Choose, Estimate, Question, solution, texts
from pages.controls.prose import Typed
from pages.masking.questions import (
    Hidden,
    MaskedRow,
    gradient_of_hidden,
    gradient_shares,
    learned_without_mask,
    losses_in_order,
    masked_after_softmax,
    masked_row_in_half,
    row_under_mask,
    scores_set_to_zero,
    why_infinity,
    zero_score,
)
from tests.pages.asked import Asked

TEA, HIS, UNCLE = map(Typed, ("tea", "his", "uncle"))
ROW = MaskedRow(word=HIS, seen=(TEA, HIS), weights=(0.75, 0.25), kept=0.5, unit="word")


def said(question: Question | None) -> str:
    assert question is not None
    return " ".join(texts(question))


def lone(weight: float) -> MaskedRow:
    return MaskedRow(word=HIS, seen=(HIS,), weights=(weight,), kept=1.0, unit="piece")


def test_the_row_under_the_mask_is_drawn_where_it_has_two_weights() -> None:
    asked = row_under_mask(ROW)
    assert asked is not None
    assert solution(asked) == "tea 75 %, his 25 %"
    assert "*tea* gets 75 %" in asked.because
    assert row_under_mask(lone(1.0)) is None


def test_a_row_that_keeps_nearly_all_is_not_asked_what_it_would_lose() -> None:
    asked = masked_after_softmax(ROW)
    assert asked is not None
    assert solution(asked) == "50 %"
    assert masked_after_softmax(lone(1.0)) is None


def test_a_score_of_zero_is_no_mask() -> None:
    assert solution(zero_score()) == "more than 0"
    assert solution(why_infinity()) == "because exp(−∞) = 0"
    wrong = [one for asked in (zero_score(), why_infinity()) for one in asked.options]
    assert sum(not one.why_not for one in wrong) == 2, "each wrong answer is resolved"


def test_what_leaks_through_scores_of_zero_is_estimated() -> None:
    asked = scores_set_to_zero(ROW, 5, 0.25)
    assert asked is not None
    assert solution(asked) == "25 %"
    assert asked.text.startswith("*his* may attend to 2 of 5 words. The scores of the other 3 are set to 0.")
    assert asked.mistaken[0][0] == 0
    assert "The score of the other one is set to 0." in said(scores_set_to_zero(ROW, 3, 0.1))


@pytest.mark.parametrize(("n_words", "leaked"), [(5, 0.01), (2, 0.25), (5, float("nan"))])
def test_where_nothing_leaks_it_is_not_asked(n_words: int, leaked: float) -> None:
    assert scores_set_to_zero(ROW, n_words, leaked) is None


def test_a_row_that_sees_nothing_is_asked_about_while_it_is_nan() -> None:
    asked = masked_row_in_half("NaN")
    assert asked is not None
    assert solution(asked) == "NaN"
    assert masked_row_in_half("leaks") is None


def test_a_gradient_is_zero_or_goes_round_the_mask() -> None:
    nothing = gradient_of_hidden(Hidden(HIS, TEA, 2, is_zero=True))
    around = gradient_of_hidden(Hidden(HIS, TEA, 2, is_zero=False, passer=UNCLE))
    assert nothing is not None
    assert around is not None
    assert solution(nothing) == "exactly 0"
    assert solution(around) == "not 0, by way of other words"
    assert around.because == "*uncle* may attend to *tea* in one layer, and *his* to *uncle* in the next."
    assert "After 1 layer, what" in said(gradient_of_hidden(Hidden(HIS, TEA, 1, is_zero=True)))
    assert "One layer looks once" in said(gradient_of_hidden(Hidden(HIS, TEA, 1, is_zero=True)))
    assert "one layer earlier" in said(nothing)
    assert gradient_of_hidden(Hidden(HIS, TEA, 3, is_zero=False)) is None, "nobody is known to pass it on"


def test_shares_of_a_gradient_are_drawn_where_there_are_some() -> None:
    asked = gradient_shares(HIS, ("tea", "his"), (0.7, 0.3))
    assert asked is not None
    assert solution(asked) == "tea 70 %, his 30 %"
    assert "*tea* has 70 %" in asked.because
    assert gradient_shares(HIS, (), ()) is None
    assert gradient_shares(HIS, ("tea", "his"), (0.0, 0.0)) is None


def test_a_model_without_a_mask_is_asked_about_where_it_cheats() -> None:
    asked = learned_without_mask(1.4, 0.2, 7.0)
    assert asked is not None
    assert solution(asked) == "to copy the next word"
    assert "0.20 nats, below the 1.40" in said(asked)
    assert learned_without_mask(1.4, 1.5, 7.0) is None
    assert learned_without_mask(1.4, 0.2, 1.3) is None


def test_settings_are_put_in_the_order_of_their_loss() -> None:
    asked = losses_in_order({"with": 1.4, "without": 7.0})
    assert asked is not None
    assert solution(asked) == "without, with"
    assert "7.00 (without), 1.40 (with)" in asked.because
    assert losses_in_order({"with": 1.4, "without": 1.39}) is None


@pytest.mark.parametrize("query", [None, 2, 4])
def test_what_leaks_is_the_number_in_the_picture(query: int | None) -> None:
    asked = Asked("masking", view="mask values", **({} if query is None else {"query": query}))
    first = asked.questions[0]
    assert isinstance(first, Estimate)
    assert f"score := 0 float32 leaks {first.right / 100:.2f}" in asked.alt("values")


@pytest.mark.parametrize("preset", ["causal", "window", "prefix"])
def test_the_gradient_asked_about_is_the_one_drawn(preset: str) -> None:
    asked = Asked("masking", view="gradient", preset=preset)
    first = asked.questions[0]
    assert isinstance(first, Choose)
    went_around = solution(first) == "not 0, by way of other words"
    assert went_around == ("passes through a third word" in asked.prose)
    assert went_around == (preset == "window")


def test_losses_asked_for_are_those_said() -> None:
    asked = Asked("masking", view="the future")
    assert "its loss is 0.23 nats, below the 1.42 nats" in asked.prose
    assert "0.23 (learned without → read without)" in asked.questions_said[-1]


def test_equal_words_are_told_apart() -> None:
    asked = Asked("masking", view="gradient", text="tea tea tea")
    assert asked.questions[0].text.startswith("*tea \\(2\\)* may not attend to *tea \\(3\\)*.")
