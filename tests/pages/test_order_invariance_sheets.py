"""The sentences of the page on order invariance, at every branch, on made-up numbers."""

from itertools import product
from math import nan

import numpy as np
import pandas as pd
import pytest

from core.measures.order import exchange
from core.measures.order.exchange import N_PAIRS, Replies
from core.measures.order.verdicts import DEPTHS, OrderComparison
from core.model.config import MASKS
from pages.order_invariance import every_setting, one_word, orders
from pages.order_invariance import exchange_said as said
from tests.covering import each

NAMES = ("the", "cat", "saw")
POSITIONS = ("none", "alibi")


def comparison(n: int = 3, *, weight: float = 0, output: float = 0) -> OrderComparison:
    """Of `n` words the last one has another weight and another output, by so much."""
    weights, outputs = np.zeros((2, n, n)), np.zeros((n, 4))
    other, moved = weights.copy(), outputs.copy()
    other[1, -1, 0], moved[-1, 2] = weight, -output
    return OrderComparison(NAMES[:n], weights, other, outputs, moved)


def test_a_word_that_cannot_tell_the_orders_gets_the_same_output_and_one_that_can_another() -> None:
    differing = comparison(weight=0.25, output=2)
    assert (
        one_word.answer(differing, "saw", 2)
        == "*saw* gets another output: it differs by at most 2.00 in any dimension."
    )
    assert one_word.answer(differing, "cat", 1) == "*cat* gets exactly the same output in both orders."
    rounded = one_word.answer(comparison(output=1e-15), "saw", 2)
    assert rounded.startswith("*saw* gets the same output in both orders, up to rounding: it differs by")
    told = one_word.told(differing, "saw", 2, 3, "word")
    assert told == "The attention weights of *saw* in layer 3 differ by at most 0.25 in any head."


@pytest.mark.parametrize(
    ("unit", "said_of_it"),
    [
        ("word", "Every other word gets the same output too: the model sees a bag of words, without"),
        ("piece", "Every other piece gets the same output too: the model sees a bag of pieces, without"),
    ],
)
def test_where_all_agree_the_model_sees_a_bag(unit: str, said_of_it: str) -> None:
    assert said_of_it in one_word.told(comparison(3), "the", 0, 2, unit)


def verdicts(*same: tuple[str, str, int, int]) -> pd.DataFrame:
    """A verdict on every word in every setting: it agrees in these, by mask, positions, layers and place."""
    rows = [(*one, one in same) for one in product(MASKS, POSITIONS, DEPTHS, range(3))]
    return pd.DataFrame(rows, columns=["mask", "positions", "layers", "place", "same"])


def test_the_settings_in_which_a_word_cannot_tell_the_orders_are_counted() -> None:
    blind, alibi = ("bidirectional", "none"), ("causal", "alibi")
    for same, told in (
        ((), "*cat* gets another output in the second order in all 12 settings."),
        (((*blind, 1, 1),), "both orders in 1 of 12 settings, which is without positions."),
        (((*blind, 1, 1), (*blind, 2, 1)), "both orders in 2 of 12 settings, each without positions."),
        (((*blind, 1, 1), (*alibi, 2, 1)), "both orders in 2 of 12 settings."),
        (((*blind, 1, 0),), "*cat* gets another output"),
    ):
        assert told in every_setting.answer(verdicts(*same), "cat", 1)


def test_words_that_agree_behind_a_causal_mask_are_named_for_one_layer_and_for_two() -> None:
    causal = ("causal", "none")
    told = every_setting.agreeing(
        verdicts((*causal, 1, 0), (*causal, 1, 2), ("bidirectional", "none", 2, 1)), NAMES
    )
    assert "before it in both orders: here *the* (1), *saw* (3). After two layers" in told
    assert told.endswith("in the same order: here no word.")
    many = pd.concat([verdicts((*causal, 1, 0))] * 7)
    assert "*the* (1) and 1 more." in every_setting.agreeing(many, NAMES)


def test_what_a_trained_model_makes_of_the_order_has_a_sentence_if_one_is_trained() -> None:
    assert every_setting.is_order_used(None) == ""
    sentence = every_setting.is_order_used(Replies(132, 26))
    assert "right in 52 %, and chance is 50 %: its answers to the two orders differ in 26 of 128" in sentence


def test_a_click_chooses_the_word_of_its_tile_and_a_shuffle_keeps_the_words() -> None:
    assert every_setting.choose([{"data": 2}]) == {"word": 3}
    assert sorted(orders.shuffled(NAMES)) == sorted(NAMES)
    assert orders.shuffled(NAMES) != NAMES
    assert orders.shuffled(("tea", "tea")) == ("tea", "tea")
    assert orders.shuffle("a, b", behind_blanks=True) == {"other": "a, b"}
    assert orders.shuffle("hot tea", behind_blanks=False) == {"other": "tea hot"}


def accuracies(bidirectional: float, causal: float, *others: float) -> pd.DataFrame:
    """The models without positions, and some with ALiBi."""
    rows = [("bidirectional", "none", bidirectional), ("causal", "none", causal)]
    rows += [("causal", "alibi", share) for share in others]
    table = pd.DataFrame(rows, columns=["mask", "positions", "accuracy"])
    return table.assign(n_right=table["accuracy"] * 2 * N_PAIRS, n_differing=26)


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (
            accuracies(0.5, 0.52, 0.9, 1),
            "Of 4 models, 2 are right in 90 % or more (chance is 50 %); without positions: "
            "*bidirectional* 50 %, *causal* 52 %.",
        ),
        (
            accuracies(nan, 0.9),
            "Of 1 model, 1 is right in 90 % or more (chance is 50 %); without positions: *causal* 90 %.",
        ),
        (accuracies(nan, nan, 0.89), "Of 1 model, 0 are right in 90 % or more (chance is 50 %)."),
    ],
)
def test_models_that_tell_the_orders_apart_are_counted(table: pd.DataFrame, told: str) -> None:
    assert said.answer(table) == told


@each(
    ("n_right", "n_differing", "told"),
    [
        (N_PAIRS, 0, "it gives both orders the same answer in all 128 pairs"),
        (
            132,
            26,
            "differ in 26 of 128 pairs, and both are right in 15 of these",
        ),
        (
            124,
            26,
            "differ in 26 of 128 pairs, and both are right in 11 of these",
        ),
        (
            N_PAIRS,
            2,
            "differ in 2 of 128 pairs, and both are right in 1 of these",
        ),
        (129, 1, "differ in 1 of 128 pairs, and both are right"),
        (127, 1, "differ in 1 of 128 pairs, and both are wrong"),
    ],
)
def test_answers_are_the_same_only_if_no_pair_has_two(n_right: int, n_differing: int, told: str) -> None:
    """Accuracy near chance does not tell: 132 of 256 are right with 26 pairs that have two answers."""
    assert said.judged(Replies(n_right, n_differing)).endswith(told)
    table = pd.DataFrame([("causal", "none", n_right / (2 * N_PAIRS), n_right, n_differing)])
    table.columns = ["mask", "positions", "accuracy", "n_right", "n_differing"]
    assert f"{told}." in said.told(table)
    assert said.told(table.assign(positions="alibi")) == ""


def test_what_is_expected_after_both_orders_is_told_as_typed() -> None:
    both = [
        said.Expected(["<b>", "because"], {"cat": 0.75, "$x$": 0.0001}),
        said.Expected(["a"], {"cat": 1.0}),
    ]
    told = said.next_word(both)
    assert "75 % for *cat* and <0.1 % for" in told
    assert told.endswith("; after *a* 100 % for *cat*.")
    assert "*<b>" not in told
    assert "*$x$" not in told


def test_what_is_held_out_is_the_kind_of_sentence_and_not_the_pair() -> None:
    told = said.held_out(3, 8, exchange.MetTogether(2, 5))
    assert "no sentence of this kind, with *because the* or *so the*, in either order." in told
    assert told.endswith("Sentences of other kinds do have 2 of the 5 pairs together.")
    assert said.held_out(3, 8, None).endswith("Sentences of other kinds may have both.")
