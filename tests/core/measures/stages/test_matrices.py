"""Words without matrices attend to themselves; scores are symmetric when one matrix makes both sides."""

import numpy as np
import pytest
import torch

from core.measures.stages import (
    NONE,
    THREE,
    TIED,
    asymmetry,
    compare,
    is_symmetric,
    least_symmetric_pair,
    small,
    walk,
)
from core.model.config import POSITIONS, ModelConfig
from core.sources import load
from core.text.tokenizer import words_of
from tests.covering import each

STREET = words_of("the cat walks on the street")


def test_without_matrices_it_is_the_softmax_of_x_with_itself() -> None:
    x, q = np.random.RandomState(3).standard_normal((2, 5, 7))
    found = compare(x, q, q, matrices=NONE, scale=9.0)
    torch_x = torch.from_numpy(x)
    np.testing.assert_allclose(found.pattern, (torch_x @ torch_x.T).softmax(-1).numpy(), atol=1e-12)


@each("seed", range(11))
def test_vectors_of_length_one_attend_to_themselves_or_to_a_repeat(seed: int) -> None:
    found = walk(load("random", small(ModelConfig(vocab_size=1, positions="none")), STREET, seed))
    compared = compare(found.x, found.q, found.k, matrices=NONE, unit_length=True)
    assert compared.attends_to_itself.all()
    np.testing.assert_allclose(np.diagonal(compared.scores), 1)
    assert compared.pattern[0, 4] == pytest.approx(compared.pattern[0, 0]), "both are the"
    alone = np.delete(compared.pattern[0], [0, 4])
    assert (alone < compared.pattern[0, 0]).all()


def test_a_word_with_a_long_neighbour_may_attend_there() -> None:
    x = np.array([[1.0, 0.0], [3.0, 1.0]])
    assert compare(x, x, x, matrices=NONE).attends_to_itself.tolist() == [False, True]
    assert compare(x, x, x, matrices=NONE, unit_length=True).attends_to_itself.all()


def test_a_vector_of_zeros_has_scores_of_zero() -> None:
    x = np.array([[0.0, 0.0], [3.0, 1.0]])
    found = compare(x, x, x, matrices=NONE, unit_length=True)
    np.testing.assert_allclose(found.scores, [[0, 0], [0, 1]])


@each("positions", POSITIONS)
@each("head", [0, 1])
def test_scores_are_symmetric_if_and_only_if_keys_are_made_like_queries(positions: str, head: int) -> None:
    config = small(ModelConfig(vocab_size=1, positions=positions))  # type: ignore[arg-type]
    found = walk(load("random", config, STREET, 0), head=head)
    three, tied = (
        compare(found.x, found.q, found.k, matrices=one, scale=found.scale) for one in (THREE, TIED)
    )
    assert asymmetry(three.scores) > 0.1
    assert asymmetry(tied.scores) < 1e-12
    assert asymmetry(tied.pattern) > 0.01
    np.testing.assert_allclose(three.scores, found.q @ found.k.T / 2, atol=1e-5)
    np.testing.assert_allclose(tied.pattern, torch.from_numpy(tied.scores).softmax(-1).numpy(), atol=1e-12)


def test_the_largest_difference_across_the_diagonal_has_its_pair() -> None:
    scores = np.array([[1.0, 2.0, 0.0], [2.5, 1.0, -1.0], [0.0, 3.0, 9.0]])
    assert asymmetry(scores) == 4.0
    assert least_symmetric_pair(scores) == (2, 1)


@each(("off", "is_so"), [(1e-7, True), (1e-3, False)])
def test_rounding_does_not_make_scores_asymmetric(off: float, is_so: bool) -> None:
    assert is_symmetric(np.array([[1.0, 2.0 + off], [2.0, 1.0]])) == is_so
