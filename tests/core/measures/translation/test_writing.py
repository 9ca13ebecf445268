"""Translations are what the model chooses when everything is computed anew for every word."""

import numpy as np
import pytest
import torch
from torch import Tensor

from core.decoding import Sampling
from core.learning.collection import load_listed_member
from core.learning.collection.translators import TranslatorConfig, name_of_pair
from core.measures.translation.writing import Strategy, write
from core.text import language, translation
from core.text.language import START
from core.text.translation import END
from tests.core.measures.translation.pairs import FIXED, LSTM, TRANSFORMER, WORDS, loaded
from tests.covering import each


def logits(config: TranslatorConfig, fed: list[str]) -> Tensor:
    """One row for each word that comes next, by the model itself."""
    source = language.encode(WORDS).tokens
    target = translation.vocabulary().encode([START, *fed])
    with torch.inference_mode():
        return load_listed_member(name_of_pair(config))((source, target))[0].double()


def by_hand(config: TranslatorConfig, prefix: list[str]) -> list[str]:
    """Return the greedy translation after a prefix, everything computed anew for every word."""
    words = translation.vocabulary().words
    while END not in prefix and len(prefix) < 64:
        prefix = [*prefix, words[int(logits(config, prefix)[-1].argmax())]]
    return prefix


@each("config", [FIXED, TRANSFORMER])
def test_greedy_takes_the_likeliest_word_each_time(config: TranslatorConfig) -> None:
    found = write(loaded(config), Strategy())
    assert list(found.words) == by_hand(config, [])
    assert found.ended
    assert found.words[:-1] == found.sentence
    probabilities = logits(config, list(found.sentence)).softmax(-1).numpy()
    np.testing.assert_allclose(np.exp(found.log_probabilities), probabilities, atol=1e-6)
    assert found.total == pytest.approx(np.log(probabilities.max(axis=1)).sum(), abs=1e-5)
    table = found.choices(2)
    assert table["before"].is_monotonic_decreasing
    assert list(table["word"][table["answer"]]) == [found.words[2]]
    assert (table["before"] == table["after"]).all()


@each("config", [LSTM, TRANSFORMER])
def test_after_words_that_are_given_it_goes_on(config: TranslatorConfig) -> None:
    given = ("este", "la")
    greedy = write(loaded(config), Strategy(prefix=given))
    assert list(greedy.words) == by_hand(config, list(given))
    beam = write(loaded(config), Strategy(way="beam", prefix=given))
    assert beam.words == greedy.words, "a beam of width 1 is greedy"
    best = [one for one in beam.tree if one.best]
    assert tuple(one.word for one in best) == beam.words
    assert [one.step for one in best] == list(range(1, len(best) + 1))
    np.testing.assert_allclose([one.total for one in best], np.cumsum(beam.chosen), atol=1e-4)
    sampling = Sampling(top_k=1)
    drawn = write(loaded(config), Strategy(way="sampled", sampling=sampling, prefix=given))
    assert drawn.words == greedy.words


def test_sampled_words_have_a_positive_probability() -> None:
    """With top k = 2 two words are left at each step, whose probabilities a temperature brings together."""
    sampling = Sampling(temperature=3.0, top_k=2)
    one, same, other = (
        write(loaded(FIXED), Strategy(way="sampled", sampling=sampling, seed=seed)) for seed in (5, 5, 6)
    )
    assert one.words == same.words != other.words
    assert one.drawn is not None
    assert ((one.drawn > 0).sum(axis=1) == 2).all()
    for step, word in enumerate(one.words):
        table = one.choices(step).head(2)
        assert word in set(table["word"])
        odds = (table["before"][0] / table["before"][1]) ** (1 / 3)
        assert table["after"][0] / table["after"][1] == pytest.approx(odds, rel=1e-4)


def test_the_tree_of_a_beam_leads_to_its_sentence() -> None:
    beam = write(loaded(FIXED), Strategy(way="beam", width=4))
    best = [one for one in beam.tree if one.best]
    assert tuple(one.word for one in best) == beam.words
    np.testing.assert_allclose(np.cumsum([one.log_probability for one in best]), [one.total for one in best])
    assert best[-1].total == pytest.approx(beam.total, abs=1e-4)
    for step in range(1, max(one.step for one in beam.tree) + 1):
        kept = [one for one in beam.tree if one.step == step and one.rank is not None]
        assert [one.rank for one in kept] == list(range(len(kept)))
        assert len(kept) <= 4
        assert [one.total for one in kept] == sorted((one.total for one in kept), reverse=True)
        before = [one for one in beam.tree if one.step == step - 1]
        for one in kept if before else []:
            assert before[one.parent].total + one.log_probability == pytest.approx(one.total)
