"""The arrows of a recurrent model are those along which its numbers really go."""

import numpy as np
import pytest
import torch

from core.learning.collection import take
from core.learning.collection.translators import name_of_pair
from core.measures.architectures.unrolled import (
    LANGUAGE_MODELS,
    Unrolled,
    pair_config,
    unrolled_language_model,
    unrolled_pair,
)
from core.model.trace import Trace
from core.sources.rivals import load_rival
from core.text import language

WORDS = ("the", "driver", "poured", "the", "gardener", "tea", ".")
ENCODER, DECODER, VECTOR = "encoder.layers.0.hidden", "decoder.layers.0.hidden", "encoder.layers.0.vector"


def made_of(found: Unrolled, name: str, at: int) -> set[tuple[str, int]]:
    return {start for start, end in found.arrows if end == (name, at)}


@pytest.mark.parametrize("network", ["rnn", "lstm"])
def test_a_state_is_made_of_the_one_before_it_and_the_one_below(network: str) -> None:
    found = unrolled_language_model(load_rival(LANGUAGE_MODELS[network]), WORDS)  # type: ignore[arg-type]
    for layer, below in (("layers.0.hidden", "embed"), ("layers.1.hidden", "layers.0.hidden")):
        assert made_of(found, layer, 0) == {(below, 0)}
        for at in range(1, len(WORDS)):
            assert made_of(found, layer, at) == {(below, at), (layer, at - 1)}
    assert made_of(found, "logits", 4) == {("layers.1.hidden", 4)}
    assert list(found.rows) == ["embed", "layers.0.hidden", "layers.1.hidden", "logits"]


@pytest.mark.parametrize("network", ["rnn", "lstm"])
def test_rows_and_expected_words_are_those_of_the_trained_model(network: str) -> None:
    found, trace = unrolled_language_model(load_rival(LANGUAGE_MODELS[network]), WORDS), Trace()  # type: ignore[arg-type]
    model = take(f"next-word-{network}")
    with torch.inference_mode():
        model(language.encode(WORDS).tokens, trace=trace)
    for name, row in found.rows.items():
        np.testing.assert_allclose(row.value, trace[name][0])
    probabilities = trace["logits"][0].softmax(dim=-1).amax(dim=-1)
    np.testing.assert_allclose(found.probabilities, probabilities)
    likeliest = trace["logits"][0].argmax(dim=-1).tolist()
    assert list(found.expected) == [language.vocabulary().words[token] for token in likeliest]


@pytest.mark.parametrize("attends", [True, False])
def test_the_decoder_begins_at_the_last_state_of_the_encoder(attends: bool) -> None:
    found = unrolled_pair(take(name_of_pair(pair_config(attends=attends))), WORDS)
    assert made_of(found, VECTOR, 0) == {(ENCODER, len(WORDS) - 1)}
    assert made_of(found, DECODER, 0) == {(VECTOR, 0), ("decoder.embed", 0)}
    assert made_of(found, DECODER, 3) == {(DECODER, 2), ("decoder.embed", 3)}
    np.testing.assert_array_equal(found.rows[VECTOR].value[0], found.rows[ENCODER].value[-1])
    assert found.target == ("<s>", *["ha", "versit", "lo", "sofero", "alla", "jardinora", "teo", "."])


def test_with_attention_every_context_is_made_of_all_states_of_the_encoder() -> None:
    found = unrolled_pair(take(name_of_pair(pair_config(attends=True))), WORDS)
    n, m = len(WORDS), len(found.target)
    assert n != m
    states = {(ENCODER, at) for at in range(n)}
    assert made_of(found, "context", 5) == {*states, (DECODER, 5)}
    assert made_of(found, "decoder.combined", 5) == {(DECODER, 5), ("context", 5)}
    assert made_of(found, "decoder.logits", 5) == {("decoder.combined", 5)}
    assert found.alignment is not None
    assert found.alignment.shape == (m, n)
    contexts = found.alignment @ found.rows[ENCODER].value
    np.testing.assert_allclose(found.rows["context"].value, contexts, atol=1e-5)


def test_without_attention_nothing_but_the_fixed_vector_leads_from_encoder_to_decoder() -> None:
    found = unrolled_pair(take(name_of_pair(pair_config(attends=False))), WORDS)
    over = {(start[0], end[0]) for start, end in found.arrows if start[0][:3] != end[0][:3]}
    assert over == {(VECTOR, DECODER)}
    assert made_of(found, "decoder.logits", 5) == {(DECODER, 5)}
    assert found.alignment is None


def test_of_no_sentence_of_the_language_the_decoder_is_fed_its_start() -> None:
    found = unrolled_pair(take(name_of_pair(pair_config(attends=True))), ("so", "xyzzy"))
    assert (found.target, found.unknown) == (("<s>",), (1,))
    assert "at word" in found.complaint
