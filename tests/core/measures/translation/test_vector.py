"""The fixed vector, contexts and probes computed another way, and what shares by length may claim."""

from itertools import islice

import numpy as np
import pytest
import torch

from core.learning.collection import MEMBERS, load_listed_member
from core.learning.collection.translators import name_of_pair, recurrent_pair, translators
from core.learning.evaluation.translation import LENGTHS, OF_ALL_LENGTHS, SENTENCES, Share
from core.learning.probes.probe import WordProbe
from core.measures.translation.attending import attending
from core.measures.translation.vector import (
    DIFFERENT_SHORTEST,
    Difference,
    by_source_length,
    contexts,
    difference,
    fixed_vector,
    rule_of_three_bound,
    table_by_length,
    word_probabilities,
)
from core.model.recurrent import Network
from core.model.trace import Trace
from core.sources.trained import load_translator
from core.text import language, translation
from tests.core.references import noisy
from tests.covering import each
from tests.records import record_of

WORDS = ("the", "key", "that", "xyzzy", "sold", "is", "heavy", ".")
TARGET = ("este", "lo", "klavo", "nobody", ".")


def states(network: Network, attention: str) -> Trace:
    trace = Trace()
    model = load_listed_member(name_of_pair(recurrent_pair(network, attention)))
    model.encode(language.encode(WORDS).tokens.to(next(model.parameters()).device), trace=trace)
    return trace


@pytest.mark.usefixtures("noise_shelf")
def test_the_vector_is_the_last_state_and_an_lstm_has_a_cell_too() -> None:
    found = fixed_vector(load_translator(recurrent_pair("lstm", "none"), WORDS))
    trace = states("lstm", "none")
    np.testing.assert_allclose(found.hidden, trace["encoder.layers.0.hidden"][0, -1].cpu(), atol=1e-6)
    np.testing.assert_allclose(found.cell, trace["encoder.layers.0.cell"][0, -1].cpu(), atol=1e-6)
    rnn, trace = fixed_vector(load_translator(recurrent_pair("rnn", "dot"), WORDS)), states("rnn", "dot")
    np.testing.assert_allclose(rnn.hidden, trace["encoder.layers.0.hidden"][0, -1].cpu(), atol=1e-6)
    assert rnn.cell.shape == (0,)


@pytest.mark.usefixtures("noise_shelf")
def test_a_context_is_the_weighted_sum_of_the_encoders_states() -> None:
    config = recurrent_pair("lstm", "linear")
    weights = attending(load_translator(config, WORDS), TARGET).cross[0, 0, : len(TARGET)]
    expected = weights @ states("lstm", "linear")["encoder.layers.0.hidden"][0].cpu().numpy()
    found = contexts(load_translator(config, WORDS), TARGET)
    assert found.shape == (5, 64)
    np.testing.assert_allclose(found, expected, atol=1e-5)


@pytest.mark.usefixtures("noise_shelf")
def test_the_recovery_of_a_word_is_its_probability() -> None:
    config = recurrent_pair("lstm", "none")
    probe = noisy(WordProbe(128), dtype=torch.float32).requires_grad_(False)
    found = word_probabilities(load_translator(config, WORDS), probe)
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


def test_a_difference_has_the_errors_of_both_shares_squared_and_added() -> None:
    found = difference(Share(60, 100), Share(30, 100))
    assert found.value == pytest.approx(0.3)
    assert found.error == pytest.approx((0.6 * 0.4 / 100 + 0.3 * 0.7 / 100) ** 0.5)


@each(("value", "sign"), [(0.21, 1), (0.2, 0), (0.05, 0), (0.0, 0), (-0.05, 0), (-0.2, 0), (-0.21, -1)])
def test_only_more_than_two_standard_errors_count_on_either_side(value: float, sign: int) -> None:
    assert Difference(value, 0.1).sign == sign


@pytest.mark.long("a number of the page that changes only with the language")
def test_the_shortest_sentences_have_the_stated_number_of_different_ones() -> None:
    first, last = LENGTHS[0]
    drawn = translation.sentences(0, split="test", constructions=[OF_ALL_LENGTHS])
    short = islice((one.words for one in drawn if first <= len(one.words) <= last), SENTENCES)
    assert len(set(short)) == DIFFERENT_SHORTEST


def test_no_success_at_all_leaves_three_in_n_possible() -> None:
    """The exact bound solves (1 − p)ⁿ = 0.05."""
    assert rule_of_three_bound(128) == pytest.approx(1 - 0.05 ** (1 / 128), rel=0.02)


def test_shares_agree_with_the_record() -> None:
    shares = {f"sentences {a}–{b}": right / SENTENCES for right, (a, b) in enumerate(LENGTHS, start=3)}
    config = recurrent_pair("lstm", "dot")
    record = record_of(config, accuracies={**shares, "sentences": 0.5, "alignment error rate": 0.25})
    found = by_source_length(record)
    assert found == {span: Share(right, SENTENCES) for right, span in enumerate(LENGTHS, start=3)}

    table = table_by_length({"a": record, "b": record})
    assert list(table["model"]) == ["a"] * 6 + ["b"] * 6
    first = table.iloc[0]
    assert (first["words"], first["first"], first["last"], first["right"]) == (5, 4, 6, 3)
    assert first["share"] == pytest.approx(3 / 128)
    assert first["high"] - first["share"] == pytest.approx(Share(3, 128).error)
    assert first["share"] - first["low"] == pytest.approx(Share(3, 128).error)


def test_all_translators_learn_from_the_same_sentences() -> None:
    recipes = [MEMBERS[name].recipe for name in translators()]
    assert len({(recipe.seed, recipe.steps, recipe.batch_size) for recipe in recipes}) == 1
