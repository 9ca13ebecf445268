"""Recurrent models unrolled: torch's step of an LSTM, formulas with the model's weights, and arrows."""

import numpy as np
import pytest
import torch

from core.learning.checkpoints import build
from core.learning.collection import take
from core.learning.collection.translators import name_of_pair
from core.measures.architectures.unrolled import (
    LANGUAGE_MODELS,
    Unrolled,
    cell_step,
    pair_config,
    unrolled_language_model,
    unrolled_pair,
)
from core.model.recurrent import Network, RecurrentConfig, RecurrentLanguageModel
from core.model.recurrent_pair import ATTENTIONS, FIXED_VECTOR, RecurrentEncoderDecoder, RecurrentPairConfig
from core.model.trace import Trace
from core.sources.rivals import load_rival
from core.text import language
from pages.architectures.descriptions import formula_of
from tests.formulas import drawn, equations, value

PREFIX = ["the", "chef", "who", "ran", "is"]


@pytest.mark.parametrize(("layer", "position"), [(0, 0), (0, 3), (1, 4)])
def test_a_step_is_that_of_torch(layer: int, position: int) -> None:
    model = load_rival("next-word-lstm")
    ours = model.layers[layer]
    theirs = torch.nn.LSTM(ours.from_input.in_features, ours.from_hidden.in_features, batch_first=True)
    with torch.no_grad():
        theirs.weight_ih_l0.copy_(ours.from_input.weight)
        theirs.weight_hh_l0.copy_(ours.from_hidden.weight)
        theirs.bias_ih_l0.copy_(ours.from_input.bias)
        theirs.bias_hh_l0.zero_()
        states = model.embed(language.encode(PREFIX).tokens)
        for below in model.layers[:layer]:
            states = below(states)
        _, (hidden, cell) = theirs(states[:, : position + 1])
        _, (_, before) = theirs(states[:, :position]) if position else (None, (None, torch.zeros_like(cell)))
    step = cell_step(model, PREFIX, layer=layer, position=position)
    for found, expected in ((step.hidden, hidden), (step.cell, cell), (step.before, before)):
        torch.testing.assert_close(torch.from_numpy(found), expected[0, 0], atol=1e-5, rtol=1e-4)


NETWORKS: tuple[Network, ...] = ("rnn", "lstm")

TOKENS, D_MODEL = torch.tensor([[3, 1, 4]]), 5


def language_model(network: Network) -> RecurrentLanguageModel:
    model = build(RecurrentConfig(vocab_size=7, network=network, d_model=D_MODEL))
    assert isinstance(model, RecurrentLanguageModel)
    return model


def pair(attention: str) -> RecurrentEncoderDecoder:
    model = build(
        RecurrentPairConfig(source_vocab_size=7, vocab_size=11, d_model=D_MODEL, attention=attention)
    )
    assert isinstance(model, RecurrentEncoderDecoder)
    return model


@pytest.mark.parametrize("network", NETWORKS)
def test_a_state_and_the_logits_of_a_language_model_are_their_formulas(network: Network) -> None:
    model, trace = drawn(language_model(network)), Trace()
    with torch.no_grad():
        model(TOKENS, trace=trace)
    layer, states = model.layers[0], trace["layers.0.hidden"]
    lines = equations(formula_of("hidden", model.config).latex)
    maps = zip(
        layer.from_input.weight.chunk(4),
        layer.from_hidden.weight.chunk(4),
        layer.from_input.bias.chunk(4),
        strict=True,
    )
    if network == "rnn":
        maps = [(layer.from_input.weight, layer.from_hidden.weight, layer.from_input.bias)]
    before, x = states[:, 0], trace["embed"][:, 1]
    sums = [{"h_{t-1}": before, "x_t": x, "U": u.T, "W": w.T, "b": b} for u, w, b in maps]
    if network == "rnn":
        found = value(lines["h_t"], sums[0])
    else:
        i, f, c, o = sums
        gates = {one: value(lines["f_t, i_t, o_t"], of) for one, of in (("f_t", f), ("i_t", i), ("o_t", o))}
        gates[r"\tilde c_t"] = value(lines[r"\tilde c_t"], c)
        gates["c_t"] = value(lines["c_t"], {**gates, "c_{t-1}": trace["layers.0.cell"][:, 0]})
        found = value(lines["h_t"], gates)
    torch.testing.assert_close(found, states[:, 1])
    output = equations(formula_of("logits", model.config).latex)["y_t"]
    logits = value(output, {"h_t": states, r"W_\text{out}": model.unembed.weight.T})
    torch.testing.assert_close(logits, trace["logits"])


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_what_a_translator_makes_of_its_states_is_its_formulas(attention: str) -> None:
    model, trace = drawn(pair(attention)), Trace()
    with torch.no_grad():
        model((TOKENS, TOKENS), trace=trace)
    names = {
        "h_t": trace["decoder.layers.0.hidden"],
        "E": model.decoder.embed.weight,
        "b": model.unembed.bias,
    }
    if attention != FIXED_VECTOR:
        context = equations(formula_of("context", model.config).latex)
        encoded, score = trace["encoder.layers.0.hidden"], model.attention.score
        given = {"q": names["h_t"][:, 1], "d": torch.tensor(float(D_MODEL))}
        given |= dict(zip("WU", (one.weight.T for one in score.children()), strict=False))
        if attention == "bilinear":
            given["W"] = score.between.weight
        if attention == "additive":
            given["v"] = score.total.weight
        given[r"q \cdot h_j"] = (given["q"] * encoded[0]).sum(-1)
        left = r"\alpha_j" if attention == "linear" else "e_j"
        right = context[left].replace(r"\cdot v", r"\,v^\top")
        scores = torch.cat(
            [value(right, {**given, "h_j": state[None]}).reshape(-1)[:1] for state in encoded[0]]
        )
        if r"q \cdot" in right:
            scores = value(right, given)
        torch.testing.assert_close(scores, trace["scores"][0, 0, 1])
        weights = value(context[r"\alpha_t"], {"e_t": scores}) if r"\alpha_t" in context else scores
        torch.testing.assert_close(weights, trace["alignment"][0, 0, 1])
        torch.testing.assert_close(weights @ encoded[0], trace["context"][0, 1])
        combined = equations(formula_of("combined", model.config).latex)[r"\tilde h_t"]
        made = {
            "h_t": names["h_t"],
            "c_t": trace["context"],
            "W": model.combine.weight.T,
            "b": model.combine.bias,
        }
        names[r"\tilde h_t"] = value(combined, made)
        torch.testing.assert_close(names[r"\tilde h_t"], trace["decoder.combined"])
    output = equations(formula_of("logits", model.config).latex)["y_t"]
    torch.testing.assert_close(value(output, names), trace["decoder.logits"])


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
