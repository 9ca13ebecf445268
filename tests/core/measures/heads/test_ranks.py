"""The rank of a head is its width at most, and the words' number at most where it is asked of a sentence."""

import numpy as np
import torch

from core.measures.heads import ranks
from core.measures.reading import read
from core.model.config import ModelConfig
from core.sources import load
from core.text.tokenizer import words_of
from tests.core.references import noise
from tests.covering import each

WORDS = words_of("the chef who ran out of blackberries and went to the stores is a b c d e f g")


@each("source", ["trained", "random"])
@each("n_heads", [1, 2, 4, 8])
def test_what_a_head_compares_with_has_the_rank_of_its_width(source: str, n_heads: int) -> None:
    config = ModelConfig(vocab_size=1, n_heads=n_heads)
    found = ranks.weight_values(load(source, config, WORDS, 0), layer=1)
    d_model = load(source, config, WORDS, 0).model.config.d_model
    assert len(found) == n_heads
    assert [len(values) for values in found] == [d_model] * n_heads
    assert [ranks.rank(values) for values in found] == [d_model // n_heads] * n_heads


def test_the_matrix_of_a_head_gives_its_dot_products() -> None:
    config = ModelConfig(vocab_size=1, positions="none", norm="post")
    model = load("random", config, WORDS, 0).model
    x = torch.stack([model.embed.weight[list(dict.fromkeys(WORDS)).index(word)] for word in WORDS]).double()
    dots = x @ ranks.comparing(model, 0, 2) @ x.T
    shown = read(load("random", config, WORDS, 0)).head(0, 2).dots
    np.testing.assert_allclose(dots, shown, atol=1e-4)


def test_the_values_of_a_sentence_are_those_of_its_dot_products_of_queries_with_keys() -> None:
    config, words = ModelConfig(vocab_size=1, n_heads=4, norm="post"), WORDS[:7]
    found = ranks.sentence_values(load("random", config, words, 1), layer=1)
    for head, values in enumerate(found):
        dots = read(load("random", config, words, 1)).head(1, head).dots
        sizes = np.linalg.svd(dots.astype(float))[1]
        np.testing.assert_allclose(values, sizes / sizes[0], atol=1e-6)


def test_singular_values_fall_from_one_and_stop_at_the_floor() -> None:
    matrix = noise(7, 2) @ noise(2, 5, seed=1)
    values = ranks.singular_values(matrix)
    assert values[0] == 1
    assert (np.diff(values) <= 0).all()
    assert (values[2:] == ranks.FLOOR).all()
    np.testing.assert_allclose(values[1], np.linalg.svd(matrix)[1][1] / np.linalg.svd(matrix)[1][0])
    assert ranks.rank(ranks.singular_values(torch.zeros(3, 3))) == 0


def test_the_table_follows_a_matrix_down_to_its_first_zero() -> None:
    table = ranks.values_table({"a": np.array([1, 0.5, 1e-7, 1e-7]), "b": np.array([1, 0.1, 0.01, 0.001])})
    assert table.groupby("matrix")["number"].max().to_dict() == {"a": 3, "b": 4}
