"""The programs about classification print what core computes for the same models and reviews."""

import numpy as np
import pytest

from core.learning.collection import take
from core.learning.collection.classifiers import name_of_classifier
from core.measures.classification.contributions import contributions
from core.measures.classification.forgetting import by_place
from core.measures.classification.verdicts import CLASSIFIERS, probability
from core.programs.classification import contributions_program, forgetting_program, verdicts_program
from core.sources.classifiers import load_classifier
from tests.programs import printed

REVIEW = ["the", "acting", "was", "good", "but", "the", "telepathy", "was", "boring", "."]
OTHER = ["the", "soup", "was", "not", "bland", "."]


def numbers(text: str) -> np.ndarray:
    """The numbers of every line, without the name before them."""
    return np.array([line.split()[1:] for line in text.splitlines()], dtype=float)


def test_the_verdicts_of_all_classifiers_are_printed() -> None:
    text = printed(verdicts_program([REVIEW, OTHER]), alone=False)
    assert [line.split()[0] for line in text.splitlines()] == [
        name_of_classifier(config) for config in CLASSIFIERS.values()
    ]
    expected = [
        [probability(load_classifier(config, words)) for words in (REVIEW, OTHER)]
        for config in CLASSIFIERS.values()
    ]
    np.testing.assert_allclose(numbers(text), expected, atol=6e-4)


@pytest.mark.parametrize("title", ["RNN last state", "LSTM max", "Transformer"])
def test_contributions_are_printed_word_by_word(title: str) -> None:
    config = CLASSIFIERS[title]
    found = contributions(load_classifier(config, REVIEW))
    measures = [found.ablation, found.gradient, *([] if found.attention is None else [found.attention])]
    text = printed(contributions_program(config, REVIEW), alone=False)
    assert [line.split()[0] for line in text.splitlines()] == REVIEW
    np.testing.assert_allclose(numbers(text), np.stack(measures, axis=1), atol=6e-4)


def test_accuracies_by_place_are_printed() -> None:
    names = ["review-rnn-last-state", "review-transformer-mean"]
    text = printed(forgetting_program(names, n=23), alone=False)
    expected = [by_place(take(name), n=23) for name in names]  # type: ignore[arg-type]
    np.testing.assert_allclose(numbers(text), expected, atol=6e-4)
