"""Attention without parameters attends to itself; scores are symmetric when one matrix makes both sides."""

import numpy as np
import pytest
import torch

from core.measures.stages import asymmetry, attend_bare, small, symmetry, walk
from core.model.config import POSITIONS, ModelConfig
from core.sources import load
from core.text.tokenizer import words_of
from tests.covering import each

STREET = words_of("the cat walks on the street")


def test_it_is_the_softmax_of_x_with_itself() -> None:
    x = np.random.RandomState(3).standard_normal((5, 7))
    bare = attend_bare(x, normalised=False)
    torch_x = torch.from_numpy(x)
    pattern = (torch_x @ torch_x.T).softmax(-1)
    np.testing.assert_allclose(bare.pattern, pattern.numpy(), atol=1e-12)
    np.testing.assert_allclose(bare.output, (pattern @ torch_x).numpy(), atol=1e-12)


@each("seed", range(11))
def test_vectors_of_length_one_look_at_themselves_first_or_at_a_repeat(seed: int) -> None:
    config = small(ModelConfig(vocab_size=1))
    vectors = walk(load("random", config, STREET, seed)).vectors
    bare = attend_bare(vectors, normalised=True)
    assert bare.looks_at_itself.all()
    np.testing.assert_allclose(bare.lengths, 1)
    np.testing.assert_allclose(np.diagonal(bare.scores), 1)
    assert bare.pattern[0, 4] == pytest.approx(bare.pattern[0, 0]), "both are the"
    alone = np.delete(bare.pattern[0], [0, 4])
    assert (alone < bare.pattern[0, 0]).all()


def test_a_word_with_a_long_neighbour_may_look_there() -> None:
    bare = attend_bare(np.array([[1.0, 0.0], [3.0, 1.0]]), normalised=False)
    assert bare.looks_at_itself.tolist() == [False, True]
    assert attend_bare(np.array([[1.0, 0.0], [3.0, 1.0]]), normalised=True).looks_at_itself.all()


@each("positions", POSITIONS)
@each("head", [0, 1])
def test_scores_are_symmetric_if_and_only_if_keys_are_made_like_queries(positions: str, head: int) -> None:
    config = small(ModelConfig(vocab_size=1, positions=positions))  # type: ignore[arg-type]
    found = walk(load("random", config, STREET, 0), head=head)
    both = symmetry(found.q, found.k, scale=found.scale)
    assert asymmetry(both.scores) > 0.1
    assert asymmetry(both.tied_scores) < 1e-12
    assert asymmetry(both.tied_pattern) > 0.01
    np.testing.assert_allclose(both.scores, found.q @ found.k.T / 2, atol=1e-5)
    torch_tied = torch.from_numpy(both.tied_scores).softmax(-1).numpy()
    np.testing.assert_allclose(both.tied_pattern, torch_tied, atol=1e-12)


def test_asymmetry_is_the_largest_difference_across_the_diagonal() -> None:
    assert asymmetry(np.array([[1.0, 2.0, 0.0], [2.5, 1.0, 3.0], [0.0, -1.0, 9.0]])) == 4.0
