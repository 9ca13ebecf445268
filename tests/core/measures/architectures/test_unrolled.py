"""Recurrent models unrolled: torch's step of an LSTM, and arrows along which numbers really go."""

import numpy as np
import torch

from core.learning.collection import load_listed_member
from core.learning.collection.translators import name_of_pair
from core.measures.architectures.unrolled import (
    LANGUAGE_MODELS,
    Unrolled,
    cell_step,
    pair_config,
    unrolled_language_model,
    unrolled_pair,
)
from core.model.trace import Trace
from core.sources.trained import load_rival
from core.text import language
from tests.covering import each

PREFIX = ["the", "chef", "who", "ran", "is"]


@each(("layer", "position"), [(0, 0), (1, 4)])
def test_a_step_agrees_with_the_models_record(layer: int, position: int) -> None:
    model, trace = load_rival("next-word-lstm"), Trace()
    with torch.inference_mode():
        model(language.encode(PREFIX).tokens, trace=trace)
    step = cell_step(model, PREFIX, layer=layer, position=position)
    hidden, cells = (trace[f"layers.{layer}.{name}"][0] for name in ("hidden", "cell"))
    before = cells[position - 1] if position else torch.zeros(64)
    for found, expected in (
        (step.hidden, hidden[position]),
        (step.cell, cells[position]),
        (step.before, before),
    ):
        np.testing.assert_allclose(found, expected, atol=1e-5, rtol=1e-4)


WORDS = ("the", "driver", "poured", "the", "gardener", "tea", ".")
ENCODER, DECODER, VECTOR = "encoder.layers.0.hidden", "decoder.layers.0.hidden", "encoder.layers.0.vector"


def made_of(found: Unrolled, name: str, at: int) -> set[tuple[str, int]]:
    return {start for start, end in found.arrows if end == (name, at)}


@each("network", ["rnn", "lstm"])
def test_rows_agree_with_the_model_and_a_state_is_made_of_the_one_before_it_and_the_one_below(
    network: str,
) -> None:
    found, trace = unrolled_language_model(load_rival(LANGUAGE_MODELS[network]), WORDS), Trace()  # type: ignore[arg-type]
    for layer, below in (("layers.0.hidden", "embed"), ("layers.1.hidden", "layers.0.hidden")):
        assert made_of(found, layer, 0) == {(below, 0)}
        for at in range(1, len(WORDS)):
            assert made_of(found, layer, at) == {(below, at), (layer, at - 1)}
    assert made_of(found, "logits", 4) == {("layers.1.hidden", 4)}
    assert list(found.rows) == ["embed", "layers.0.hidden", "layers.1.hidden", "logits"]
    with torch.inference_mode():
        load_listed_member(f"next-word-{network}")(language.encode(WORDS).tokens, trace=trace)
    for name, row in found.rows.items():
        np.testing.assert_allclose(row.value, trace[name][0])
    probabilities = trace["logits"][0].softmax(dim=-1).amax(dim=-1)
    np.testing.assert_allclose(found.probabilities, probabilities)
    likeliest = trace["logits"][0].argmax(dim=-1).tolist()
    assert list(found.expected) == [language.vocabulary().words[token] for token in likeliest]


@each("attends", [True, False])
def test_the_decoder_begins_at_the_last_state_and_each_context_is_made_of_all_states(attends: bool) -> None:
    found = unrolled_pair(load_listed_member(name_of_pair(pair_config(attends=attends))), WORDS)
    n, m = len(WORDS), len(found.target)
    assert n != m
    assert made_of(found, VECTOR, 0) == {(ENCODER, n - 1)}
    assert made_of(found, DECODER, 0) == {(VECTOR, 0), ("decoder.embed", 0)}
    assert made_of(found, DECODER, 3) == {(DECODER, 2), ("decoder.embed", 3)}
    np.testing.assert_array_equal(found.rows[VECTOR].value[0], found.rows[ENCODER].value[-1])
    assert found.target == ("<s>", *["ha", "versit", "lo", "sofero", "alla", "jardinora", "teo", "."])
    if not attends:
        assert found.alignment is None
        return
    assert made_of(found, "context", 5) == {*((ENCODER, at) for at in range(n)), (DECODER, 5)}
    assert made_of(found, "decoder.combined", 5) == {(DECODER, 5), ("context", 5)}
    assert made_of(found, "decoder.logits", 5) == {("decoder.combined", 5)}
    assert found.alignment is not None
    assert found.alignment.shape == (m, n)
    contexts = found.alignment @ found.rows[ENCODER].value
    np.testing.assert_allclose(found.rows["context"].value, contexts, atol=1e-5)
