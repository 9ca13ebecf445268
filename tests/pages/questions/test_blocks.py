"""What one expects of a block is asked with the right answer, and not at all where nobody could tell."""

import re

import pytest

from pages.blocks.questions import (
    deviation_after,
    frequencies_alone,
    gradient_of_last,
    grows_most,
    needs_warm_up,
    other_words,
    pre_or_post,
    reached,
    two_in_one,
    without_residual,
)
from pages.contract.question import Estimate, solution
from pages.controls.prose import Typed
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.questions.read import whole

TEA = Typed("tea")


def test_layer_norm_leaves_a_standard_deviation_of_one() -> None:
    asked = deviation_after(TEA, (0.5, 2.25), 1.0)
    assert asked is not None
    assert solution(asked) == "1.00"
    assert "the mean 0.5 and the standard deviation 2.25" in asked.text
    assert [value for value, _ in asked.mistaken] == [0.0]
    assert deviation_after(TEA, (0.0, 1.01), 1.0) is None
    assert deviation_after(TEA, (float("nan"), float("nan")), 1.0) is None


def test_what_holds_under_every_switch_is_always_asked() -> None:
    assert solution(whole(other_words())) == "nothing"


@each("residual", [True, False])
def test_the_sum_is_asked_for_only_if_there_is_one(residual: bool) -> None:
    asked = Asked("blocks", view="depth", residual=residual).questions
    about_sum = [one for one in asked if solution(one) == solution(whole(pre_or_post()))]
    assert len(about_sum) == residual


@each(
    ("without", "right"),
    [
        (4.89, "near 4.9 nats"),
        (2.9, "near 2.8 nats"),
        (3.8, "near 3.9 nats"),
        (3.3, None),
        (5.4, None),
        (float("nan"), None),
    ],
)
def test_where_the_loss_ends_without_residual_connections_is_asked_if_it_is_clear(
    without: float, right: str | None
) -> None:
    asked = without_residual(2.8, without, 4.91)
    assert (asked and solution(asked)) == right


@each(
    ("loss", "right"),
    [(4.91, "less than 5.70 nats, and more than 0"), (5.7, "5.70 nats"), (0.05, "0 nats"), (5.5, None)],
)
def test_a_model_that_knows_frequencies_is_better_than_equal_guesses(loss: float, right: str | None) -> None:
    asked = frequencies_alone(loss, 300)
    assert (asked and solution(asked)) == right


def test_who_gains_more_from_a_warm_up_is_asked_of_both() -> None:
    asked = needs_warm_up({"pre-norm": -0.26, "post-norm": 1.0})
    assert asked is not None
    assert solution(asked) == "post-norm"
    assert "rises by 0.26 nats with pre-norm and falls by 1.00 nats with post-norm" in asked.because
    assert solution(needs_warm_up({"pre-norm": 1.0, "post-norm": 0.2})) == "pre-norm"  # type: ignore[arg-type]
    assert needs_warm_up({"pre-norm": 0.5, "post-norm": 0.5}) is None


def test_the_stream_that_grows_most_is_told_with_the_factors_of_all() -> None:
    asked = grows_most({"pre": [2.0, 6.0], "post": [2.0, 2.0]})
    assert asked is not None
    assert solution(asked) == "pre"
    assert "by 3 with pre, 1 with post" in asked.because
    assert grows_most({"pre": [2.0, 4.0]}) is None
    assert grows_most({"pre": [2.0, 4.0], "post": [1.0, 2.0]}) is None
    assert grows_most({"pre": [2.0, float("nan")], "post": [1.0, 2.0]}) is None


@pytest.mark.parametrize(
    ("ratio", "said"), [(0.24, "it falls"), (3.0, "it grows"), (1.0, "it stays about the same")]
)
def test_the_gradient_of_the_last_block_falls_or_grows(ratio: float, said: str) -> None:
    asked = gradient_of_last(ratio, 2, 24)
    assert asked is not None
    assert solution(asked) == said
    assert "24 blocks in place of 2" in asked.text


@each("ratio", [None, 0.0, 0.8, 1.3])
def test_a_gradient_that_one_could_call_the_same_or_not_is_not_asked(ratio: float | None) -> None:
    assert gradient_of_last(ratio, 2, 24) is None


def test_words_that_a_part_reaches_are_counted() -> None:
    asked = reached(TEA, 0, 4)
    assert asked is not None
    assert solution(asked) == "0 words"
    assert [value for value, _ in asked.mistaken] == [4]
    assert reached(TEA, 0, 0) is None
    assert solution(reached(TEA, 1, 4)) == "1 word"  # type: ignore[arg-type]


def test_two_layers_are_one_only_where_they_are() -> None:
    assert solution(two_in_one(True)) == "one layer"  # type: ignore[arg-type]
    assert two_in_one(False) is None


@pytest.mark.parametrize("switches", [{}, {"text": "the keys are here", "word": 2}, {"positions": "rotary"}])
def test_the_standard_deviation_asked_for_is_that_of_the_table(switches: dict[str, object]) -> None:
    asked = Asked("blocks", view="layer norm", **switches)
    first = asked.questions[0]
    assert isinstance(first, Estimate)
    after = asked.table("tokens")
    assert any(
        abs(float(one) - first.right) < 1e-3 for one in after.select_dtypes("number").to_numpy().ravel()
    )


def test_what_was_trained_once_is_asked_of_the_right_curves() -> None:
    without = Asked("blocks", view="residual connections")
    (first,) = without.questions
    assert solution(first) == "near 4.9 nats"
    warmed = Asked("blocks", view="warm-up")
    (asked,) = warmed.questions
    gains = [float(a) - float(b) for a, b in re.findall(r"from ([\d.]+) to ([\d.]+)", warmed.sheet.answer)]
    assert solution(asked) == ("post-norm", "pre-norm")[gains.index(max(gains))]
