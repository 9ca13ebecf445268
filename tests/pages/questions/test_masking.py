"""What one expects of a mask is asked with the right answer, and not at all where nobody could tell."""

import pytest

from pages.contract.question import Choose, Question, solution, texts
from pages.controls.prose import Typed
from pages.masking.questions import (
    Hidden,
    gradient_of_hidden,
    learned_without_mask,
    losses_in_order,
    masked_row_in_half,
    why_infinity,
    zero_score,
)
from tests.pages.asked import Asked

TEA, HIS, UNCLE = map(Typed, ("tea", "his", "uncle"))


def said(question: Question | None) -> str:
    assert question is not None
    return " ".join(texts(question))


def test_a_score_of_zero_is_no_mask() -> None:
    assert solution(zero_score()) == "more than 0"
    assert solution(why_infinity()) == "because exp(−∞) = 0"
    wrong = [one for asked in (zero_score(), why_infinity()) for one in asked.options]
    assert sum(not one.why_not for one in wrong) == 2, "each wrong answer is resolved"


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


def test_a_model_without_a_mask_is_asked_about_where_it_cheats() -> None:
    asked = learned_without_mask(1.4, 0.2, 7.0)
    assert asked is not None
    assert solution(asked) == "to copy the next word"
    assert "0.20 nats, below the 1.40" in said(asked)
    for losses in ((1.4, 1.5, 7.0), (1.4, 0.2, 1.3), (1.4, 1.3, 7.0), (1.4, 0.2, 1.5)):
        assert learned_without_mask(*losses) is None


def test_settings_are_put_in_the_order_of_their_loss() -> None:
    asked = losses_in_order({"with": 1.4, "without": 7.0})
    assert asked is not None
    assert solution(asked) == "without, with"
    assert "7.00 (without), 1.40 (with)" in asked.because
    assert losses_in_order({"with": 1.4, "without": 1.39}) is None


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
