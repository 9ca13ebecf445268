"""The fixed vector, the contexts and what a probe tells are those of the model, computed another way."""

import numpy as np
import pytest
import torch

from core.learning.collection import take
from core.learning.collection.translators import name_of_pair, recurrent_pair
from core.learning.probes import WordProbe
from core.measures.translation.attending import attending
from core.measures.translation.vector import contexts, fixed_vector, told
from core.model.recurrent import Network
from core.model.trace import Trace
from core.sources.translators import load_translator
from core.text import language
from tests.core.references import noisy

WORDS = ("the", "key", "that", "xyzzy", "sold", "is", "heavy", ".")
TARGET = ("este", "lo", "klavo", "nobody", ".")

pytestmark = pytest.mark.usefixtures("noise_shelf")


def states(network: Network, attention: str) -> Trace:
    trace = Trace()
    model = take(name_of_pair(recurrent_pair(network, attention)))
    model.encode(language.encode(WORDS).tokens.to(next(model.parameters()).device), trace=trace)
    return trace


@pytest.mark.parametrize("attention", ["none", "dot"])
def test_the_vector_is_the_last_state_and_an_lstm_has_a_cell_too(attention: str) -> None:
    found = fixed_vector(load_translator(recurrent_pair("lstm", attention), WORDS))
    trace = states("lstm", attention)
    np.testing.assert_allclose(found.hidden, trace["encoder.layers.0.hidden"][0, -1].cpu(), atol=1e-6)
    np.testing.assert_allclose(found.cell, trace["encoder.layers.0.cell"][0, -1].cpu(), atol=1e-6)
    rnn = fixed_vector(load_translator(recurrent_pair("rnn", attention), WORDS))
    np.testing.assert_allclose(
        rnn.hidden, states("rnn", attention)["encoder.layers.0.hidden"][0, -1].cpu(), atol=1e-6
    )
    assert rnn.cell.shape == (0,)


@pytest.mark.parametrize("score", ["dot", "linear"])
def test_a_context_is_the_weighted_sum_of_the_encoders_states(score: str) -> None:
    config = recurrent_pair("lstm", score)
    weights = attending(load_translator(config, WORDS), TARGET).cross[0, 0, : len(TARGET)]
    expected = weights @ states("lstm", score)["encoder.layers.0.hidden"][0].cpu().numpy()
    found = contexts(load_translator(config, WORDS), TARGET)
    assert found.shape == (5, 64)
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_what_is_told_of_a_word_is_its_own_probability() -> None:
    config = recurrent_pair("lstm", "none")
    probe = noisy(WordProbe(128), dtype=torch.float32).requires_grad_(False)
    found = told(load_translator(config, WORDS), probe)
    ends = fixed_vector(load_translator(config, WORDS))
    weight, bias = probe.words.weight.numpy(), probe.words.bias.numpy()
    known = language.vocabulary().words
    for at, word in enumerate(WORDS):
        if word == "xyzzy":
            assert np.isnan(found[at])
            continue
        row = known.index(word)
        logit = weight[row, :64] @ ends.hidden + weight[row, 64:] @ ends.cell + bias[row]
        assert found[at] == pytest.approx(1 / (1 + np.exp(-logit)), rel=1e-4)
