"""A learned table: what training has turned and what it never reached, made up and real."""

import numpy as np
import pytest

from core.learning.collection import record_of, take
from core.learning.tasks.sentences import batch_of_sentences
from core.measures.positions.schemes import LearnedTable, learned_table

NAME = "causal-learned-4-pre"


def test_a_row_counts_as_reached_if_it_points_elsewhere_however_long_it_is() -> None:
    before = np.array([[1.0, 0], [0, 2], [3, 0], [0, 1]])
    after = np.array([[0.0, 1], [-1, 1], [0.3, 0], [0, 0.9]])
    table = LearnedTable(before, after)
    assert table.turned() == pytest.approx([90, 45, 0, 0])
    assert table.reach == 2


def test_training_has_reached_the_first_rows_and_none_after_them() -> None:
    table = learned_table(take(NAME), seed=record_of(NAME).recipe.seed)
    assert table.after.shape == (256, 48)
    assert table.after[5].tolist() == take(NAME).positions.table[5].tolist()
    turned = table.turned()
    assert turned[: table.reach].min() > 0.5
    assert turned[table.reach :].max() < 0.1
    assert 48 < table.reach < 64


@pytest.mark.long("all training sentences: a model whose training had a longer sentence than is said")
def test_the_longest_training_sentence_is_as_long_as_the_table_says() -> None:
    recipe = record_of(NAME).recipe
    lengths = (
        len(sentence.words)
        for step in range(recipe.steps)
        for sentence in batch_of_sentences(recipe.seed, step, recipe.batch_size, "train")
    )
    assert max(lengths) == learned_table(take(NAME), seed=recipe.seed).longest_sentence


def test_what_training_has_not_reached_is_only_shorter_by_weight_decay() -> None:
    table = learned_table(take(NAME), seed=record_of(NAME).recipe.seed)
    shares = np.linalg.norm(table.after, axis=1) / np.linalg.norm(table.before, axis=1)
    assert np.ptp(shares[table.reach :]) < 1e-3
    assert shares[-1] < 1
