"""The programs about classification print what core computes for the same models and reviews."""

import numpy as np

from core.learning.collection import take
from core.measures.classification.forgetting import by_place
from core.programs.classification import forgetting_program
from tests.programs import printed


def numbers(text: str) -> np.ndarray:
    """The numbers of every line, without the name before them."""
    return np.array([line.split()[1:] for line in text.splitlines()], dtype=float)


def test_accuracies_by_place_are_printed() -> None:
    names = ["review-rnn-last-state", "review-transformer-mean"]
    text = printed(forgetting_program(names, n=23), alone=False)
    expected = [by_place(take(name), n=23) for name in names]  # type: ignore[arg-type]
    np.testing.assert_allclose(numbers(text), expected, atol=6e-4)
