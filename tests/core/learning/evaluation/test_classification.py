"""Accuracies of a classifier are shares of right labels on the reviews that their names promise."""

import pytest
import torch
from torch.nn.functional import cross_entropy

from core.learning.evaluation.classification import (
    AMONG,
    KINDS,
    SEEN,
    accuracies,
    correct,
    evaluation_reviews,
    near_to_training,
    of_more_frequent_label,
    right_by_last_opinion,
)
from core.learning.tasks import CLASSIFICATION
from core.learning.tasks.classification import AROUND, reviews_of_batch
from core.learning.training import Recipe, Training, measure, predictions
from core.model.classifier import ClassifierConfig, SequenceClassifier
from core.model.recurrent import RecurrentConfig
from core.text.language import split_of
from core.text.language.review_parts import HELD_OUT, OPINIONS, held_out_kinds
from tests.core.references import noisy
from tests.covering import each

N = 13


def classifier(d_model: int = 7, pooling: str = "mean") -> SequenceClassifier:
    encoder = RecurrentConfig(vocab_size=len(CLASSIFICATION.vocabulary()), network="rnn", d_model=d_model)
    return noisy(SequenceClassifier(ClassifierConfig(encoder=encoder, pooling=pooling)), dtype=torch.float32)


class Counting(SequenceClassifier):
    """Answers by the sign of the last opinion word, and reads no negation."""

    def forward(self, tokens, **given):  # type: ignore[no-untyped-def]
        known = CLASSIFICATION.vocabulary()
        signs = [[OPINIONS.get(word, 0) for word in known.decode(row)] for row in tokens]
        last = torch.tensor([next(sign for sign in reversed(row) if sign) for row in signs])
        return torch.stack([-last, last], dim=1).float()


def test_a_review_is_right_where_its_own_label_comes_first() -> None:
    texts = evaluation_reviews(SEEN, n=N)
    model = Counting(classifier().config)
    signs = [OPINIONS[text.words[text.deciding]] for text in texts]
    expected = [
        (sign > 0) == (text.review.label == "positive") for sign, text in zip(signs, texts, strict=True)
    ]
    assert correct(model, texts).tolist() == expected
    assert right_by_last_opinion(texts) == sum(expected)
    praise = sum(text.review.label == "positive" for text in texts)
    assert of_more_frequent_label(texts) == max(praise, N - praise)
    assert accuracies(model, n=N)[SEEN] == pytest.approx(sum(expected) / N)
    assert 0 < sum(expected) < N


@each("kind", KINDS)
def test_reviews_asked_about_are_for_testing_and_of_the_kind_they_are_asked_for(kind: str) -> None:
    for text in evaluation_reviews(kind, n=2):
        kinds = held_out_kinds(text.review.words)
        assert split_of(text.review) == "test"
        assert kind in kinds if kind in HELD_OUT else kinds == ()
        assert text.words.count(".") == (AROUND + 1 if kind == AMONG else 1)
        assert kind == AMONG or text.words == text.review.words


def test_test_reviews_one_word_from_a_training_review_are_counted() -> None:
    """They are counted anew, review by review, for the batches of a short training."""
    recipe = Recipe(steps=17, batch_size=31, seed=5)
    ours = {review.words for step in range(17) for review in reviews_of_batch(5, step, 31)}
    texts = evaluation_reviews(SEEN, n=32)
    near = sum(any(_differ_in_one(text.review.words, other) for other in ours) for text in texts)
    assert 0 < near < 32
    assert near_to_training(texts, recipe) == near


def _differ_in_one(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return len(one) == len(other) and sum(a != b for a, b in zip(one, other, strict=True)) <= 1


def test_a_batch_of_labels_is_learned_from_and_measured() -> None:
    model = classifier()
    batch = CLASSIFICATION.batch(0, 0, N, split="test")
    with torch.no_grad():
        logits = predictions(model, batch)
    loss, accuracy = measure(model, CLASSIFICATION, n_batches=1, size=N)
    assert loss == pytest.approx(cross_entropy(logits, batch.targets).item(), rel=1e-4)
    assert accuracy == pytest.approx((logits.argmax(dim=1) == batch.targets).float().mean().item())
    before = [parameter.detach().clone() for parameter in model.parameters()]
    (step,) = Training(model, CLASSIFICATION, Recipe(steps=1, batch_size=N)).steps()
    assert step.loss > 0
    assert all(not torch.equal(old, new) for old, new in zip(before, model.parameters(), strict=True))
