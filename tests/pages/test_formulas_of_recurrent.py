"""The formulas of recurrent models are those of their modules, biases and all."""

import torch

from core.learning.checkpoints import build
from core.model.recurrent import Network, RecurrentConfig, RecurrentLanguageModel
from core.model.recurrent_pair import ATTENTIONS, FIXED_VECTOR, RecurrentEncoderDecoder, RecurrentPairConfig
from core.model.trace import Trace
from pages.architectures.descriptions import formula_of
from tests.covering import each
from tests.formulas import drawn, equations, value

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


@each("network", NETWORKS)
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


@each("attention", ATTENTIONS)
def test_the_formulas_of_a_translator_agree_with_its_states(attention: str) -> None:
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
