"""The formulas of recurrent models are those of their modules, biases and all."""

import pytest
import torch

from core.learning.checkpoints import build
from core.learning.collection import take
from core.learning.collection.translators import name_of_pair
from core.measures.architectures.recurrent_formulas import formula_of
from core.measures.architectures.unrolled import (
    LANGUAGE_MODELS,
    pair_config,
    unrolled_language_model,
    unrolled_pair,
)
from core.model.recurrent import Network, RecurrentConfig, RecurrentLanguageModel
from core.model.recurrent_pair import FIXED_VECTOR, RecurrentEncoderDecoder, RecurrentPairConfig
from core.model.trace import Trace
from core.sources.rivals import load_rival

NETWORKS: tuple[Network, ...] = ("rnn", "lstm")
TOKENS = torch.tensor([[3, 1, 4]])


def language_model(network: Network) -> RecurrentLanguageModel:
    model = build(RecurrentConfig(vocab_size=7, network=network, d_model=5))
    assert isinstance(model, RecurrentLanguageModel)
    return model


def pair(attention: str) -> RecurrentEncoderDecoder:
    model = build(RecurrentPairConfig(source_vocab_size=7, vocab_size=11, d_model=5, attention=attention))
    assert isinstance(model, RecurrentEncoderDecoder)
    return model


def has_bias(latex: str) -> bool:
    return "+ b" in latex


@pytest.mark.parametrize("network", NETWORKS)
def test_a_layer_and_the_output_of_a_language_model_have_the_biases_of_their_formulas(
    network: Network,
) -> None:
    model = language_model(network)
    layer = model.layers[0]
    states, output = formula_of("hidden", model.config), formula_of("logits", model.config)
    assert states is not None
    assert output is not None
    names = {name for name, _ in layer.named_parameters()}
    assert has_bias(states.latex) == ("from_input.bias" in names)
    assert states.latex.count("W h_{t-1} + U x_t + b") == {"rnn": 1, "lstm": 2}[network]
    assert has_bias(output.latex) == (model.unembed.bias is not None)


@pytest.mark.parametrize("attention", [FIXED_VECTOR, "dot"])
def test_what_a_translator_makes_of_its_states_is_what_the_formulas_say(attention: str) -> None:
    model, trace = pair(attention), Trace()
    with torch.no_grad():
        for bias in (model.unembed.bias, *([model.combine.bias] if attention == "dot" else [])):
            bias.normal_()
        model((TOKENS, TOKENS), trace=trace)
    output, combined = (formula_of(end, model.config) for end in ("logits", "combined"))
    read = trace["decoder.layers.0.hidden"]
    assert (combined is not None) == (attention == "dot")
    if combined is not None:
        assert combined.latex == r"\tilde h_t = W\,[h_t;\, c_t] + b"
        both = torch.cat([read, trace["context"]], dim=-1)
        read = both @ model.combine.weight.T + model.combine.bias
        torch.testing.assert_close(trace["decoder.combined"], read)
    assert output is not None
    state = "h_t" if combined is None else r"\tilde h_t"
    assert output.latex == rf"\hat y_t = \text{{softmax}}(E\,{state} + b)"
    expected = read @ model.decoder.embed.weight.T + model.unembed.bias
    torch.testing.assert_close(trace["decoder.logits"], expected)


def test_what_a_source_leaves_out_is_said() -> None:
    for end, config in (
        ("hidden", language_model("rnn").config),
        ("logits", pair("dot").config),
        ("combined", pair("dot").config),
    ):
        formula = formula_of(end, config)
        assert formula is not None
        assert "bias" in formula.source


@pytest.mark.parametrize("attends", [False, True])
def test_every_row_of_a_translator_but_its_words_has_a_formula(attends: bool) -> None:
    seen = unrolled_pair(take(name_of_pair(pair_config(attends=attends))), ("the", "key", "is"))
    ends = {name.rpartition(".")[2] for name in seen.rows}
    assert {end for end in ends if formula_of(end, seen.config) is None} == {"embed"}
    seen = unrolled_language_model(load_rival(LANGUAGE_MODELS["lstm"]), ("the", "key"))
    ends = {name.rpartition(".")[2] for name in seen.rows}
    assert {end for end in ends if formula_of(end, seen.config) is None} == {"embed"}
