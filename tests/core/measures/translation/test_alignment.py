"""Alignment: costs worked out on paper, and links counted word by word."""

from itertools import islice

import numpy as np
import pytest
import torch

from core.learning.collection import load_listed_member
from core.learning.collection.translators import TranslatorConfig, name_of_pair
from core.learning.evaluation.translation import (
    SENTENCES,
    alignment_error_rates,
    best_head,
    implied_links,
    weights,
)
from core.measures.translation.alignment import (
    CONTENT_WORDS,
    Cost,
    chance,
    cost,
    judged,
    judged_by_place,
    most_found,
    n_right,
    rates_of_test_set,
    reference,
    share_aligned,
    targets_of,
)
from core.measures.translation.attending import attending
from core.model.alignment import SCORE_FUNCTIONS
from core.model.recurrent_pair import RecurrentEncoderDecoder, RecurrentPairConfig
from core.sources.trained import load_translator
from core.text import language, translation
from core.text.language import START
from core.text.translation import translate
from core.text.translation.forms import content_words
from tests.core.measures.translation.pairs import LSTM, RIGHT, TRANSFORMER, WORDS, loaded
from tests.core.references import noisy
from tests.covering import each
from tests.records import record_of

D, N, M = 7, 5, 3
"""The width, and how many states there are of a decoder and of an encoder."""

ON_PAPER = {
    "dot": Cost(0, N * M * D),
    "linear": Cost(0, N * M * D),
    "bilinear": Cost(D * D, M * D * D + N * M * D),
    "additive": Cost(2 * D * D + D, (N + M) * D * D + N * M * D),
}
"""A matrix is applied once to each state, and a product of two vectors taken once for each pair."""

SOME = tuple(islice(translation.sentences(0, split="test"), 2 * SENTENCES))


@each("score", SCORE_FUNCTIONS)
def test_costs_are_counted_as_on_paper(score: str) -> None:
    assert cost(score, N, M, D) == ON_PAPER[score]


def test_the_share_of_words_that_align_follows_from_the_error_rate() -> None:
    """Count word by word, for a model of noise."""
    made_of = RecurrentPairConfig(
        source_vocab_size=len(language.vocabulary()),
        vocab_size=len(translation.vocabulary()),
        attention="dot",
        d_model=5,
    )
    model = noisy(RecurrentEncoderDecoder(made_of), dtype=torch.float32)
    rate = alignment_error_rates(model, SOME, content=True).item()
    record = record_of(made_of, accuracies={CONTENT_WORDS: rate, "sentences": 0.5})

    right = n = 0
    for sentence, found in zip(SOME, weights(model, SOME), strict=True):
        best, exact = found[0, 0].argmax(dim=-1).tolist(), translate(sentence)
        for at, word in enumerate(exact.words):
            if word in content_words():
                right, n = right + ((best[at], at) in exact.alignment), n + 1
    known = judged(record)
    assert known.hits == share_aligned(rate) == pytest.approx(right / n)
    assert 0 < right < n
    assert (known.right, known.content_error) == (0.5, rate)
    assert np.isnan(known.error)


def test_chance_is_the_score_of_a_random_word() -> None:
    random = np.random.default_rng(0)
    right = n = 0
    for sentence in SOME:
        exact = translate(sentence)
        drawn = random.integers(len(sentence.words), size=(200, len(exact.words)))
        for at, word in enumerate(exact.words):
            if word in content_words():
                right += sum((int(source), at) in exact.alignment for source in drawn[:, at])
                n += 200
    assert chance() == pytest.approx(right / n, abs=0.005)


def test_the_baseline_of_the_same_place_is_counted_word_by_word() -> None:
    right = n = n_right_of_all = n_links = 0
    for sentence in SOME[:32]:
        exact = translate(sentence)
        for at, word in enumerate(exact.words):
            source = round(at * (len(sentence.words) - 1) / max(1, len(exact.words) - 1))
            is_right = (source, at) in exact.alignment
            n_right_of_all += is_right
            if word in content_words():
                right, n = right + is_right, n + 1
        n_links += len(exact.words) + len(exact.alignment)
    found = judged_by_place(32)
    assert found.hits == pytest.approx(right / n)
    assert found.error == pytest.approx(1 - 2 * n_right_of_all / n_links)
    every = judged_by_place()
    assert every.hits == pytest.approx((1 - every.content_error) / most_found())
    assert chance() < every.hits < 0.5


def test_the_reference_follows_the_rules_or_names_the_word_outside_the_language() -> None:
    found = reference(WORDS)
    assert found.translation is not None
    assert list(found.translation.words) == RIGHT
    missing = reference(WORDS[:-1])
    assert missing.translation is None
    assert "not complete" in missing.why
    assert "'snark'" in reference(["the", "snark", "."]).why


@each("config", [LSTM, TRANSFORMER])
def test_alignment_is_judged_by_the_links_of_the_rules(config: TranslatorConfig) -> None:
    """Counted here link by link: of a word the heaviest source word, right if the rules link the two."""
    exact = reference(WORDS).translation
    assert exact is not None
    cross = attending(loaded(config), RIGHT).cross
    content = targets_of(exact, content=True)
    assert {RIGHT[at] for at in content} == {"klavo", "jardinoras", "vendit", "gravo", "este"}
    for head in np.ndindex(cross.shape[:2]):
        heaviest = cross[head].argmax(axis=-1)[: len(RIGHT)]
        hits = [(int(s), t) for t, s in enumerate(heaviest) if (int(s), t) in exact.alignment]
        assert n_right(cross[head], exact, content=False) == len(hits)
        assert n_right(cross[head], exact, content=True) == sum(t in content for _, t in hits)


def test_the_test_set_has_a_rate_for_every_head() -> None:
    table = rates_of_test_set(load_translator(TRANSFORMER, (START,)).model, n=3)
    sentences = tuple(islice(translation.sentences(0, split="test"), 6))
    model = load_listed_member(name_of_pair(TRANSFORMER))
    assert list(zip(table["layer"], table["head"], strict=True)) == [(1, 1), (1, 2)]
    rates = alignment_error_rates(model, sentences, content=True)
    np.testing.assert_allclose(table["content words"], rates.flatten())
    assert implied_links(weights(model, sentences)[0][0, 0])
    layer, head = best_head(model, content=True, n=3)
    assert table.loc[table["best"], ["layer", "head"]].to_numpy().tolist() == [[layer + 1, head + 1]]
