"""From a state to probabilities: the model's own logits, torch's softmax, the masked word at its position."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from core.measures.prediction import WordLogits, largest, predict, word_logits
from core.model.config import ModelConfig
from core.model.models import Stack, Transformer
from core.sources import LoadedModel, UnavailableError, load
from core.text.tokenizer import Vocabulary
from tests.core.references import noisy
from tests.covering import each

WORDS = ("zuko", "met", "maria", "near", "the", "stores")
AT = 3


def loaded(words: tuple[str, ...] = WORDS, **fields: Any) -> LoadedModel:
    """A model of noise with a bias and a transform in its output layer, unless told otherwise."""
    vocabulary = Vocabulary(("<mask>", *dict.fromkeys(words), *map(str, range(6))))
    details = {"output_bias": True, "output_transform": True} | fields
    config = ModelConfig(vocab_size=len(vocabulary.words), d_model=14, n_heads=2, n_layers=2, **details)
    model = noisy(Transformer(config)).eval()
    return LoadedModel(model, vocabulary, words, vocabulary.encode(words))


@each("mask", ["causal", "bidirectional"])
@each("window", [None, 1])
def test_logits_and_probabilities_are_those_of_the_model(mask: str, window: int | None) -> None:
    one = loaded(mask=mask)
    found = word_logits(one, AT, window=window)
    assert_allclose(found.probabilities, predict(one, window=window).probabilities(AT), rtol=1e-9)
    reference = torch.tensor(found.logits).softmax(-1)
    assert_allclose(found.probabilities, reference, rtol=1e-12)
    assert_allclose(found.log_sum, torch.tensor(found.logits).logsumexp(-1), rtol=1e-12)


@pytest.mark.parametrize("fields", [{}, {"output_transform": False}, {"output_bias": False}])
def test_a_logit_is_the_product_of_a_row_and_the_state_plus_the_bias(fields: dict[str, bool]) -> None:
    found = word_logits(loaded(mask="causal", **fields), AT)
    best = list(found.best)
    assert best == np.argsort(-found.logits)[:2].tolist()
    assert_allclose(found.best_rows @ found.state + found.biases, found.logits[best], rtol=1e-5)
    assert found.biases.any() == fields.get("output_bias", True)


def test_the_word_that_is_masked_is_not_seen() -> None:
    one = loaded(mask="bidirectional")
    changed = replace(one, tokens=one.tokens.clone())
    changed.tokens[0, AT] = 2
    assert_allclose(word_logits(changed, AT).logits, word_logits(one, AT).logits)
    assert abs(word_logits(changed, AT + 1).logits - word_logits(one, AT + 1).logits).max() > 1e-3
    assert one.tokens[0, AT] != one.mask_token, "the sentence itself is left alone"


def test_large_logits_have_probabilities_too() -> None:
    logits = np.array([1000.0, 999.0, -1000.0])
    found = WordLogits(("a", "b", "c"), np.zeros(2), logits, np.zeros((2, 2)), np.zeros(2))
    assert_allclose(found.probabilities, torch.tensor(logits).softmax(-1))
    assert found.best == (0, 1)
    assert largest(np.array([1.0, 3.0, 3.0]), 2) == [1, 2], "of equal ones the first"


def test_a_model_without_an_output_layer_has_no_logits() -> None:
    one = load("trained", ModelConfig(vocab_size=1), ("tea", "is", "hot"), 0)
    with pytest.raises(UnavailableError, match="no output layer"):
        word_logits(replace(one, model=Stack(one.model.config)), 0)
