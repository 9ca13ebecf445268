"""What one expects of position schemes is asked with the right answer, under every mask."""

from typing import Any

import numpy as np
import pytest

from pages.contract.question import solution
from pages.controls.prose import Typed
from pages.positions.questions import (
    agrees_furthest,
    grows_most,
    order_without_positions,
    products_by_distance,
    same_dot_product,
    scheme_that_rotates,
    score_after_shift,
    vector_after_the_table,
    vector_beyond_training,
    where_it_enters,
)
from pages.positions.questions_of_bias import head_that_looks_furthest, weights_by_bias_alone
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.questions.read import reasons, whole

TEA, HIS = Typed("tea"), Typed("his")


def test_one_scheme_rotates() -> None:
    points: dict[str, Any] = {
        "none": None,
        "learned": "embed",
        "sines": "embed",
        "alibi": "bias",
        "rotary": "rotate",
    }
    asked = whole(scheme_that_rotates(points))
    assert solution(asked) == "rotary"
    assert reasons(asked)["learned"] == "*learned* changes the word vectors."
    assert set(reasons(asked)) == {"rotary", "learned", "alibi"}
    assert scheme_that_rotates(points | {"another": "rotate"}) is None
    assert scheme_that_rotates({"none": None, "rotary": "rotate"}) is None
    assert scheme_that_rotates({"alibi": "bias"}) is None


CAUSAL = np.tri(5, dtype=bool)


@each(
    ("mask", "n_layers", "allowed", "right"),
    [
        ("causal", 2, CAUSAL, "yes, by its mask"),
        ("free", 2, np.ones((5, 5), dtype=bool), "no"),
        ("free", 1, np.ones((5, 5), dtype=bool), "no"),
        ("causal", 1, CAUSAL, None),
        ("prefix", 2, CAUSAL | (np.arange(5) < 3), None),
        ("causal", 2, CAUSAL[:1, :1], None),
    ],
)
def test_a_mask_tells_the_order_without_positions_if_no_two_words_see_the_same(
    mask: str, n_layers: int, allowed: np.ndarray, right: str | None
) -> None:
    asked = order_without_positions(mask, n_layers, allowed)
    assert (asked and solution(asked)) == right
    if asked is not None and right == "no":
        assert asked.because.endswith("bag of words.")


def test_vectors_beyond_training_are_random_and_beyond_the_table_there_are_none() -> None:
    turned = [30.0] * 58 + [0.01] * 198
    asked = whole(vector_beyond_training(58, turned))
    assert solution(asked) == "random: training has not turned it"
    assert "position 157?" in asked.text
    assert "turned it by 0.01°" in asked.because
    assert vector_beyond_training(58, [30.0] * 256) is None, "all have turned"
    assert vector_beyond_training(256, [30.0] * 256) is None
    assert solution(whole(vector_after_the_table(256))).startswith("no vector")


def test_the_dot_product_of_sinusoids_is_that_of_their_distance() -> None:
    products = [8.0, 7.5, 6.5, 5.5, 5.0, 4.9, 4.8]
    assert solution(whole(same_dot_product(products))) == "positions 9 and 12"
    assert same_dot_product([8.0, 7.5, 6.5, 5.5, 5.5, 4.9, 4.8]) is None
    assert same_dot_product([8.0, 7.5, 6.5, 5.5, 5.0, 4.9, 5.5]) is None
    asked = whole(products_by_distance(products, 8.0))
    assert solution(asked) == "0 8, 1 8, 2 6, 4 5"
    assert "1 word apart it is 7.50, 4 words apart 5.00" in asked.because
    assert products_by_distance([8.0, 7.5, -0.5], 8.0) is None


def test_a_bias_alone_is_drawn() -> None:
    asked = whole(weights_by_bias_alone(1, 0.25, [0.5, 0.3, 0.2]))
    assert solution(asked) == "2 back 20 %, 1 back 30 %, itself 50 %"
    assert "In head 2 ALiBi lowers scores by 1/4" in asked.text
    assert "gets 0.6 of the weight of the next: exp(−1/4)" in asked.because


def test_the_smallest_slope_looks_furthest() -> None:
    asked = whole(head_that_looks_furthest([0.25, 0.0625]))
    assert solution(asked) == "head 2: slope 1/16"
    assert [bool(why) for why in reasons(asked).values()] == [True, False]
    assert head_that_looks_furthest([0.25]) is None


def test_a_shift_of_both_words_leaves_the_score() -> None:
    asked = whole(score_after_shift((HIS, TEA), (5, 1), 3, 1e-6))
    assert solution(asked) == "the same"
    assert "asks from position 6 and *tea* is at 2. Both move by 3 positions, to 9 and 5." in asked.text
    assert "Both move by 1 position, to" in whole(score_after_shift((HIS, TEA), (5, 1), 1, 0)).text
    assert score_after_shift((HIS, TEA), (5, 1), 3, 0.5) is None
    assert score_after_shift((TEA, TEA), (1, 1), 3, 0) is None


def test_a_scheme_enters_at_one_point() -> None:
    asked = whole(where_it_enters("relative bias", "bias"))
    assert solution(asked) == "the scores"
    assert "rotary" in reasons(asked)["the queries and keys"]
    assert solution(whole(where_it_enters("angles", "rotate"))) == "the queries and keys"


def test_the_worst_beyond_training_is_chosen() -> None:
    asked = whole(grows_most({"none": (1.7, 2.0), "alibi": (1.6, 1.5), "rotary": (1.6, 2.4)}))
    assert solution(asked) == "rotary"
    assert "1.60 → 2.40 with *rotary*" in asked.because
    assert grows_most({"none": (1.7, 2.0)}) is None
    furthest = whole(agrees_furthest({"alibi": 0.69, "rotary": 0.92}, 240, 480))
    assert solution(furthest) == "alibi"
    assert furthest.text.startswith("240 words from its subject")
    assert agrees_furthest({"alibi": 0.9, "rotary": 0.9}, 240, 480) is None
    assert agrees_furthest({"alibi": 0.79, "rotary": 0.9}, 240, 48) is None, "of 48 questions that is luck"


@pytest.mark.parametrize(("mask", "right"), [("causal", "yes, by its mask"), ("bidirectional", "no")])
def test_the_order_asked_about_is_the_one_said(mask: str, right: str) -> None:
    asked = Asked("positions", mask=mask)
    assert solution(asked.questions[1]) == right
    assert (right == "no") != ("Even without positions this model can tell the order" in asked.prose)


@pytest.mark.parametrize("mask", ["causal", "bidirectional"])
def test_numbers_asked_about_are_those_said(mask: str) -> None:
    learned = Asked("positions", view="learned", mask=mask)
    (reach,) = [part.split(" of ")[0] for part in learned.prose.split("the first ")[1:2]]
    assert f"the first {reach.removesuffix(' vectors')} of them got" in learned.questions[0].text


def test_every_scheme_asks_what_it_draws() -> None:
    rotary = Asked("positions", view="rotary", moved=2)
    assert "at positions 8 and 4: the two scores differ by" in rotary.prose
    assert "Both move by 2 positions, to 8 and 4" in rotary.questions[0].text
    longer = Asked("positions", view="length extrapolation")
    assert f"with *{solution(longer.questions[0])}*, the worst." in longer.prose
