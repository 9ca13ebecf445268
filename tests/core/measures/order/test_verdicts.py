"""Two orders of the same words: what a Transformer can tell apart, measured for every architecture."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from core.measures.order.verdicts import (
    DEPTHS,
    TOLERANCE,
    OrderComparison,
    alignment,
    compare_orders,
    verdicts,
)
from core.measures.reading import read
from core.model.config import POSITIONS, ModelConfig, Positions
from core.model.masks import MASKS
from core.sources import load
from tests.covering import each

OVEN = ("the", "oven", "cooked", "the", "bread", "so")
BREAD = ("the", "bread", "cooked", "the", "oven", "so")
SO = 5
PLAIN = ModelConfig(vocab_size=1, d_model=42, n_heads=3, d_mlp=17, positions="none", mask="bidirectional")


def agreeing(mask: str, positions: Positions, layers: int) -> list[int]:
    """Places of the words that come out the same in both orders: the theory."""
    if mask == "causal":
        # The first word sees nothing but itself; the last, one layer deep, the same bag of words.
        return [0, SO] if positions == "none" and layers == 1 else [0]
    if mask == "prefix":
        # Three words are given, and the orders differ among them; the last, one layer deep, has seen all.
        return [SO] if positions == "none" and layers == 1 else []
    return list(range(6)) if positions == "none" else []


def compare(config: ModelConfig, *, seed: int = 0) -> OrderComparison:
    return orders(config, OVEN, BREAD, seed)


def orders(
    config: ModelConfig, first: Sequence[str], second: Sequence[str], seed: int = 0
) -> OrderComparison:
    return compare_orders(load("random", config, first, seed), load("random", config, second, seed))


def same_places(comparison: OrderComparison) -> list[int]:
    return np.flatnonzero(comparison.same).tolist()


@each(
    ("first", "second", "expected"),
    [
        (OVEN, BREAD, [0, 4, 2, 3, 1, 5]),
        (BREAD, OVEN, [0, 4, 2, 3, 1, 5]),
        (OVEN, OVEN, [0, 1, 2, 3, 4, 5]),
        ("abcab", "bacba", [1, 0, 2, 4, 3]),
        ("aab", "baa", [1, 2, 0]),
        ("abcd", "dabc", [1, 2, 3, 0]),
        ("", "", []),
    ],
)
def test_words_are_aligned_and_repeats_keep_their_order(
    first: str | tuple[str, ...], second: str | tuple[str, ...], expected: list[int]
) -> None:
    assert alignment(first, second) == expected


@each(
    ("first", "second", "message"),
    [
        ("the cat", "the dog", "only the first has cat; only the second has dog"),
        ("the the cat", "the cat", "the first has more of the"),
        ("a a b", "b c c", "only the first has a, a; only the second has c, c"),
        ("a b b", "a a b c", "the first has more of b; only the second has c; the second has more of a"),
        ("tea", "tea for two", "only the second has for, two"),
    ],
)
def test_different_words_are_refused_and_named(first: str, second: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^the two orders must have the same words: {message}$"):
        orders(PLAIN, first.split(), second.split(), 0)


@each(("mask", "positions"), [*product(MASKS, ("none", "rotary"))])
def test_words_agree_after_three_layers_if_the_mask_and_the_positions_allow_it(
    mask: str, positions: Positions
) -> None:
    """One and two layers of each are in the table below."""
    comparison = compare(replace(PLAIN, mask=mask, positions=positions, n_layers=3), seed=7)
    assert same_places(comparison) == agreeing(mask, positions, 3)
    different = np.setdiff1d(np.arange(6), agreeing(mask, positions, 3))
    assert np.all(comparison.output_differences[different] > 1e-4)


def test_rows_and_columns_of_the_second_order_belong_to_the_words_of_the_first() -> None:
    config = replace(PLAIN, mask="causal", positions="sinusoidal")
    first, second = ("so", "tea", "is", "hot", "now"), ("hot", "so", "now", "tea", "is")
    comparison = orders(config, first, second, 3)
    there, here = (read(load("random", config, words, 3), double=True) for words in (second, first))
    assert comparison.words == first
    np.testing.assert_array_equal(comparison.first_weights, here.patterns()[1])
    np.testing.assert_array_equal(comparison.first_output, here.output())
    for i, query in enumerate(first):
        np.testing.assert_array_equal(comparison.second_output[i], there.output()[second.index(query)])
        for j, key in enumerate(first):
            moved = there.patterns()[1][:, second.index(query), second.index(key)]
            np.testing.assert_array_equal(comparison.second_weights[:, i, j], moved)


def test_differences_are_the_largest_of_each_word_in_any_head_or_dimension() -> None:
    weights, output = np.zeros((2, 3, 3)), np.zeros((3, 5))
    other_weights, other_output = weights.copy(), output.copy()
    other_weights[1, 0, 2] = -0.25
    other_output[2, 4] = -7.0
    other_output[0, 1] = 0.125
    other_output[1, 0] = TOLERANCE / 2
    comparison = OrderComparison(
        words=("a", "b", "c"),
        first_weights=weights,
        second_weights=other_weights,
        first_output=output,
        second_output=other_output,
    )
    assert comparison.weight_differences.tolist() == [0.25, 0, 0]
    assert comparison.output_differences.tolist() == [0.125, TOLERANCE / 2, 7]
    assert comparison.same.tolist() == [False, True, False]
    assert replace(comparison, second_output=output).same.all(), "of words with other weights"


@each("mask", MASKS)
def test_the_table_has_every_scheme_depth_and_word_with_its_verdict(mask: str) -> None:
    config = replace(PLAIN, norm="post", n_layers=5, mask=mask)
    table = verdicts(OVEN, BREAD, config, lambda config, words: load("random", config, words, 2))
    assert list(table.columns) == ["mask", "positions", "layers", "place", "word", "difference", "same"]
    rows = list(table.itertuples(index=False))
    combinations = list(product((mask,), POSITIONS, (1, 2), range(6)))
    assert [(row.mask, row.positions, row.layers, row.place) for row in rows] == combinations
    for row in rows:
        assert row.word == OVEN[row.place]
        assert row.same == (row.place in agreeing(row.mask, row.positions, row.layers))
        assert row.same == (row.difference < TOLERANCE)
    for layers in DEPTHS:
        alone = compare(replace(config, positions="rotary", n_layers=layers), seed=2).output_differences
        chosen = table[(table.positions == "rotary") & (table.layers == layers)]
        np.testing.assert_allclose(chosen.difference, alone, atol=1e-12)
