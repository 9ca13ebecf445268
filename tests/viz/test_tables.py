"""The tables hold the numbers of the figures under words that can be told apart."""

import re

import numpy as np
import pytest
import torch

from tests.covering import each
from viz.tables import (
    LISTED,
    cells_table,
    entropies,
    heads_table,
    largest_changes,
    matrix_table,
    weights_table,
    word_label,
)
from viz.text import unique_words

ORDER = ["the", "oven", "cooked", "the", "bread", "so"]


def test_a_word_that_occurs_twice_carries_its_position() -> None:
    assert unique_words(ORDER) == ["the (1)", "oven", "cooked", "the (4)", "bread", "so"]


@each("words", [["the", "the (1)", "the"], ["a (2)", "a", "a"], ["", " ", "x"], ["\n", "␣"]])
def test_labels_differ_for_any_typed_text(words: list[str]) -> None:
    assert len(set(unique_words(words))) == len(words)


def test_a_matrix_table_has_queries_as_rows_and_keys_as_columns() -> None:
    matrix = np.arange(25).reshape(5, 5)
    table = matrix_table(matrix, list("abcde"))
    assert (table.index.name, table.columns.name) == ("query", "key")
    assert table.loc["b", "d"] == matrix[1, 3]
    np.testing.assert_array_equal(table.to_numpy(), matrix)


def test_a_masked_cell_is_missing() -> None:
    table = matrix_table(np.zeros((6, 6)), ORDER, allowed=np.tril(np.ones((6, 6), dtype=bool)))
    assert table.isna().sum().sum() == 15
    assert table.loc["oven", "the (1)"] == 0
    assert np.isnan(table.loc["oven", "the (4)"])


def test_of_many_words_zeros_are_listed_where_few_weights_are_anything_else() -> None:
    matrix = np.full((257, 257), np.nan)
    matrix[:5], matrix[2, 3] = 0, -0.5
    table = cells_table(matrix, ["w"] * 257)
    assert table.iloc[0].to_list() == ["w (3)", "w (4)", -0.5]
    assert len(table) == LISTED
    assert (table["value"][1:] == 0).all()
    matrix[2:] = np.nan
    assert len(cells_table(matrix, ["w"] * 257)) == 2 * 257, "masked keys are not listed"


def test_changes_are_b_minus_a_with_the_largest_size_first() -> None:
    a = np.array([[0.5, 0.5], [0.9, 0.1]])
    b = np.array([[0.4, 0.62], [0.2, 0.85]])
    table = largest_changes(a, b, ["x", "y"], n_rows=3)
    assert list(table.columns) == ["query", "key", "A", "B", "change"]
    assert table[["query", "key"]].to_numpy().tolist()[:2] == [["y", "y"], ["y", "x"]]
    np.testing.assert_allclose(table["change"], [0.75, -0.7, 0.12], atol=1e-6)
    np.testing.assert_allclose(table["B"] - table["A"], table["change"], atol=1e-6)


def test_a_change_in_a_masked_cell_has_no_row() -> None:
    a, b = np.zeros((2, 2)), np.array([[0.5, np.nan], [0.25, 0.75]])
    assert len(largest_changes(a, b, ["x", "y"])) == 3
    assert len(largest_changes(a, b, ["x", "y"], allowed=[[True, False], [False, False]])) == 1


@pytest.mark.parametrize("table", [matrix_table, lambda m, words: largest_changes(m, m, words)])
def test_words_that_do_not_match_are_an_error(table: object) -> None:
    with pytest.raises(ValueError, match=re.escape("(2, 2) of its words, got (3, 5)")):
        table(np.zeros((3, 5)), ["x", "y"])


def test_entropy_is_the_mean_of_the_queries_entropies() -> None:
    patterns = torch.softmax(torch.randn(2, 3, 5, 7, generator=torch.Generator().manual_seed(0)), dim=-1)
    nats = torch.distributions.Categorical(probs=patterns).entropy().mean(dim=-1)
    np.testing.assert_allclose(entropies(patterns.numpy()), nats.numpy() / np.log(2), rtol=1e-5)


def test_a_head_is_measured_by_hand() -> None:
    patterns = np.zeros((1, 2, 4, 4))
    patterns[0, 0] = 0.25
    patterns[0, 1] = np.roll(np.eye(4), -1, axis=0)
    table = heads_table(patterns)
    np.testing.assert_allclose(table["entropy in bits"], [2, 0], atol=1e-6)
    np.testing.assert_allclose(table["largest weight"], [0.25, 1])
    np.testing.assert_allclose(table["mean distance"], [1.25, 1.5])


def test_queries_that_see_nothing_do_not_count() -> None:
    patterns = np.full((1, 1, 4, 4), 0.25)
    patterns[0, 0, 2:] = 0
    assert heads_table(patterns)["entropy in bits"].item() == pytest.approx(2)
    nothing = heads_table(patterns, allowed=np.zeros((4, 4), dtype=bool))
    assert np.isnan(nothing["entropy in bits"].item())


def test_a_title_names_a_repeated_word_with_its_position_as_typed() -> None:
    words = ["ben", "<b>", "ben", "a\u202eb"]
    assert [word_label(words, at) for at in range(4)] == ["“ben” (1)", "“<b>”", "“ben” (3)", "“a�b”"]


def test_the_weights_of_all_heads_stand_below_each_other_in_full() -> None:
    patterns = np.arange(2 * 3 * 2 * 2).reshape(2, 3, 2, 2) / 24
    table = weights_table(patterns, ["tea", "tea"], keys=["a", "b"], allowed=[[True, False], [True, True]])
    assert table.index.names == ["layer", "head", "query"]
    assert list(table.index[:2]) == [(1, 1, "tea (1)"), (1, 1, "tea (2)")]
    assert list(table.columns) == ["a", "b"]
    for layer, head in np.ndindex(2, 3):
        shown = table.loc[(layer + 1, head + 1)].to_numpy()
        assert np.isnan(shown[0, 1])
        np.testing.assert_allclose(shown[[0, 1, 1], [0, 0, 1]], patterns[layer, head][[0, 1, 1], [0, 0, 1]])
