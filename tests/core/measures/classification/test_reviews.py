"""Reviews: contributions of words, texts like those of training, and what test reviews give away."""

from itertools import islice

import numpy as np
import pytest
import torch
from torch import Tensor

from core.learning.collection import MEMBERS
from core.learning.collection.classifiers import classifiers
from core.learning.evaluation.classification import KINDS, QUESTIONS, SEEN, evaluation_reviews
from core.learning.tasks.classification import reviews, surrounded_reviews
from core.measures.classification.reviews import (
    BY_LAST_OPINION,
    CLASSIFIERS,
    COUNTS,
    MAJORITY,
    NEAR_TO_TRAINING,
    ONE_OF_ALL,
    POSITIVE,
    ROUNDING,
    by_ablation,
    by_attention,
    by_gradient,
    contributions,
    is_made_by_grammar,
    leaders,
    shares,
    training_had,
)
from core.measures.findings import stored_measurement
from core.model.classifier import ClassifierConfig, SequenceClassifier
from core.model.config import ModelConfig
from core.model.recurrent import RecurrentConfig
from core.sources.trained import load_classifier
from core.text.language.review_parts import HELD_OUT
from tests.core.references import noisy
from tests.covering import each

VOCAB, D_MODEL, WORDS, UNKNOWN = 13, 6, 5, 1
TOKENS = torch.tensor([[7, 3, 11, 3, 5]])
TRANSFORMER = ModelConfig(vocab_size=VOCAB, d_model=D_MODEL, n_heads=2, n_layers=1, mask="bidirectional")
RECURRENT = RecurrentConfig(vocab_size=VOCAB, network="lstm", d_model=D_MODEL)
every_encoder = each("encoder", [RECURRENT, TRANSFORMER])


def classifier(encoder: ModelConfig | RecurrentConfig, pooling: str = "mean") -> SequenceClassifier:
    model = noisy(SequenceClassifier(ClassifierConfig(encoder=encoder, pooling=pooling)))
    return model.requires_grad_(False)


def log_odds(model: SequenceClassifier, tokens: Tensor) -> float:
    p = model(tokens).softmax(dim=-1)[0]
    return float((p[POSITIVE] / p[1 - POSITIVE]).log())


def linear_model() -> SequenceClassifier:
    """Return a bag of words: attention adds nothing, nothing else is there, and the unknown word is 0."""
    bare = ModelConfig(
        vocab_size=VOCAB, d_model=D_MODEL, n_layers=1, n_heads=1, positions="none", norm="none", mlp=False,
        mask="bidirectional",
    )  # fmt: skip
    model = classifier(bare)
    for name, parameter in model.named_parameters():
        if "attention" in name:
            parameter.zero_()
    model.encoder.embed.weight[UNKNOWN] = 0
    return model


def test_contributions_of_a_linear_model_are_its_weights() -> None:
    model = linear_model()
    direction = model.output.weight[POSITIVE] - model.output.weight[1 - POSITIVE]
    weights = model.encoder.embed.weight[TOKENS[0]] @ direction / WORDS
    for found in (by_ablation(model, TOKENS, instead=UNKNOWN), by_gradient(model, TOKENS)):
        np.testing.assert_allclose(found, weights.numpy(), rtol=1e-9)


@every_encoder
def test_ablation_is_the_loss_of_log_odds_without_the_word(encoder: ModelConfig | RecurrentConfig) -> None:
    model = classifier(encoder, "last state")
    expected = []
    for at in range(WORDS):
        without = TOKENS.clone()
        without[0, at] = UNKNOWN
        expected.append(log_odds(model, TOKENS) - log_odds(model, without))
    np.testing.assert_allclose(by_ablation(model, TOKENS, instead=UNKNOWN), expected, rtol=1e-9)


@every_encoder
def test_gradient_times_input_is_the_slope_along_the_word_vector(
    encoder: ModelConfig | RecurrentConfig,
) -> None:
    model, step = classifier(encoder, "maximum"), 1e-6
    before = model.encoder.embed.weight.clone()
    apart = torch.tensor([[7, 3, 11, 2, 5]])
    expected = []
    for token in apart[0]:
        ends = []
        for sign in (1, -1):
            model.encoder.embed.weight[token] = before[token] * (1 + sign * step)
            ends.append(log_odds(model, apart))
            model.encoder.embed.weight.copy_(before)
        expected.append((ends[0] - ends[1]) / (2 * step))
    with torch.inference_mode():
        found = by_gradient(model, apart)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-8)


def test_attention_is_what_a_word_gets_from_all_heads_and_queries() -> None:
    model = classifier(TRANSFORMER)
    found = by_attention(model, TOKENS)
    assert found is not None
    x = model.encoder.blocks[0].attention_norm(model.encoder.positions.embed(model.encoder.embed(TOKENS)))[0]
    attention, d_head, mean = model.encoder.blocks[0].attention, D_MODEL // 2, np.zeros(WORDS)
    for head in range(2):
        part = slice(head * d_head, (head + 1) * d_head)
        q, k = (layer(x)[:, part] for layer in (attention.query, attention.key))
        mean += (q @ k.T / d_head**0.5).softmax(dim=-1).mean(dim=0).numpy() / 2
    np.testing.assert_allclose(found, mean, rtol=1e-9)
    assert found.sum() == pytest.approx(1)
    assert by_attention(classifier(RECURRENT), TOKENS) is None


@each(
    ("values", "places"),
    [
        ([0.5, -2.0, 1.0], (1,)),
        ([2.0, -2.0 + 0.4 * ROUNDING, 1.0], (0, 1)),
        ([0.0, 0.0], ()),
        ([1.0, 1.0 - 2 * ROUNDING], (0,)),
    ],
)
def test_a_tie_has_no_most_important_word(values: list[float], places: tuple[int, ...]) -> None:
    assert leaders(np.array(values)) == places


@each("config", list(CLASSIFIERS.values())[::6])
def test_words_that_no_classifier_knows_contribute_nothing_by_ablation(config: ClassifierConfig) -> None:
    found = contributions(load_classifier(config, ("hello", "qwertz")))
    assert list(found.ablation) == [0, 0]
    assert np.abs(found.gradient).max() > ROUNDING


N = 3


def test_training_had_what_it_is_trained_on_and_what_it_is_tested_on_as_seen() -> None:
    for split in ("train", "test"):
        for review in islice(reviews(3, split=split), N):
            assert training_had(review.words), review.words
    for text in islice(surrounded_reviews(5), N):
        assert training_had(text.words), text.words


@each("kind", HELD_OUT)
def test_held_out_reviews_are_grammatical_and_not_in_training(kind: str) -> None:
    for review in islice(reviews(3, split="test", held_out=kind), N):
        assert is_made_by_grammar(review.words)
        assert not training_had(review.words)


@each(
    ("text", "is_made"),
    [
        ("the film was very good .", True),
        ("The film was very good .", True),
        ("the film was not very good .", False),
        ("the acting was good but the story was boring .", True),
        ("the acting was good but the story was not boring .", False),
        ("although the acting was good , the story was great .", False),
        ("good", False),
        ("the film was good", False),
        ("the film was telepathic .", False),
        ("the dinner was great . the chef ate the cakes .", True),
        ("the chef ate the cakes . the dinner was great . the dogs run on the square .", True),
        ("the chef ate the cakes . the dinner was great . the dogs run", False),
        ("the dinner was great . the film was good .", False),
        ("the chef ate the cakes .", False),
        ("", False),
    ],
)
def test_one_opinion_among_neutral_sentences_follows_the_grammar(text: str, is_made: bool) -> None:
    assert is_made_by_grammar(text.split()) == training_had(text.split()) == is_made


@each("what", [BY_LAST_OPINION, MAJORITY])
def test_what_comes_with_the_app_is_what_is_counted_of_the_kinds_seen(what: str) -> None:
    found = stored_measurement(ONE_OF_ALL, what)
    assert found is not None
    assert len(found) == len(KINDS)
    assert found[KINDS.index(SEEN)] == COUNTS[what](evaluation_reviews(SEEN))


def test_of_the_kinds_seen_some_reviews_are_near_to_training_and_of_combinations_held_out_none() -> None:
    near = {kind: one.value * QUESTIONS for kind, one in shares(NEAR_TO_TRAINING).items()}
    assert 0 < near[SEEN] < QUESTIONS
    assert near["although + negation"] == near["but + intensifier"] == 0


def test_all_classifiers_learn_from_the_same_reviews() -> None:
    recipes = [MEMBERS[name].recipe for name in classifiers()]
    assert len({(recipe.seed, recipe.steps, recipe.batch_size) for recipe in recipes}) == 1
