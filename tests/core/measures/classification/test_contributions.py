"""Contributions of a linear model are its weights; of any model each measure is what it says it is."""

import numpy as np
import pytest
import torch
from torch import Tensor

from core.measures.classification.reviews import (
    CLASSIFIERS,
    POSITIVE,
    ROUNDING,
    by_ablation,
    by_attention,
    by_gradient,
    contributions,
    leaders,
)
from core.model.classifier import ClassifierConfig, SequenceClassifier
from core.model.config import ModelConfig
from core.model.recurrent import NETWORKS, RecurrentConfig
from core.sources.classifiers import load_classifier
from tests.core.references import noisy
from tests.covering import each

VOCAB, D_MODEL, WORDS, UNKNOWN = 13, 6, 5, 1
TOKENS = torch.tensor([[7, 3, 11, 3, 5]])
TRANSFORMER = ModelConfig(vocab_size=VOCAB, d_model=D_MODEL, n_heads=2, n_layers=1, mask="bidirectional")
ENCODERS = [
    *(RecurrentConfig(vocab_size=VOCAB, network=name, d_model=D_MODEL) for name in NETWORKS),
    TRANSFORMER,
]
every_encoder = pytest.mark.parametrize("encoder", ENCODERS, ids=["rnn", "lstm", "transformer"])


def classifier(encoder: ModelConfig | RecurrentConfig, pooling: str = "mean") -> SequenceClassifier:
    model = noisy(SequenceClassifier(ClassifierConfig(encoder=encoder, pooling=pooling)))
    return model.requires_grad_(False)


def log_odds(model: SequenceClassifier, tokens: Tensor) -> float:
    p = model(tokens).softmax(dim=-1)[0]
    return float((p[POSITIVE] / p[1 - POSITIVE]).log())


def linear_model() -> SequenceClassifier:
    """A bag of words: attention adds nothing, nothing else is there, and the unknown word is 0."""
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
    assert by_attention(classifier(ENCODERS[0]), TOKENS) is None


@each(
    ("values", "places"),
    [
        ([0.5, -2.0, 1.0], (1,)),
        ([2.0, -2.0 + 0.4 * ROUNDING, 1.0], (0, 1)),
        ([0.0, 0.0], ()),
        ([1.0, 1.0 - 2 * ROUNDING], (0,)),
    ],
)
def test_the_word_that_counts_most_is_none_where_there_is_a_tie(
    values: list[float], places: tuple[int, ...]
) -> None:
    assert leaders(np.array(values)) == places


@every_encoder
def test_ablating_a_word_that_is_unknown_already_changes_nothing(
    encoder: ModelConfig | RecurrentConfig,
) -> None:
    """Exactly nothing: the same tokens in a larger batch may come to other sums in their last digits."""
    tokens = torch.tensor([[7, UNKNOWN, 3, UNKNOWN]])
    found = by_ablation(classifier(encoder).float(), tokens, instead=UNKNOWN)
    assert found[1] == found[3] == 0
    assert found[0] != 0 != found[2]


@each("config", CLASSIFIERS.values())
def test_words_that_no_classifier_knows_contribute_nothing_by_ablation(config: ClassifierConfig) -> None:
    found = contributions(load_classifier(config, ("hello", "qwertz")))
    assert list(found.ablation) == [0, 0]
    assert np.abs(found.gradient).max() > ROUNDING


def test_a_contribution_below_rounding_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    module = "core.measures.classification.reviews"
    monkeypatch.setattr(f"{module}.by_ablation", lambda *_, **__: np.array([0.9 * ROUNDING, -2 * ROUNDING]))
    monkeypatch.setattr(f"{module}.by_gradient", lambda *_: np.array([-0.9 * ROUNDING, 2.0]))
    found = contributions(load_classifier(CLASSIFIERS["RNN mean"], ("good", "film")))
    assert list(found.ablation) == [0, -2 * ROUNDING]
    assert list(found.gradient) == [0, 2.0]
