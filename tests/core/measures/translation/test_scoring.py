"""Costs are those worked out on paper, and shares of words that align follow from the error rates."""

from itertools import islice

import numpy as np
import pytest
import torch

from core.learning.evaluation.translation import SENTENCES, alignment_error_rates, weights
from core.measures.translation.alignment import (
    CONTENT_WORDS,
    Cost,
    chance,
    cost,
    judged,
    judged_by_place,
    most_found,
    same_place,
    share_aligned,
)
from core.model.alignment import SCORE_FUNCTIONS
from core.model.recurrent_pair import RecurrentEncoderDecoder, RecurrentPairConfig
from core.text import language, translation
from core.text.translation import translate
from core.text.translation.forms import content_words
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


def test_the_cost_of_one_pair_is_of_the_width_of_the_models() -> None:
    assert cost("dot") == Cost(0, 64)
    assert cost("bilinear") == Cost(4096, 4096 + 64)


def test_the_share_of_words_that_align_follows_from_the_error_rate() -> None:
    """Counted word by word, for a model of noise that attends to this and that."""
    made_of = RecurrentPairConfig(
        source_vocab_size=len(language.vocabulary()),
        vocab_size=len(translation.vocabulary()),
        attention="dot",
        d_model=5,
    )
    model = noisy(RecurrentEncoderDecoder(made_of), dtype=torch.float32)
    rate = alignment_error_rates(model, SOME, content=True).item()
    record = record_of(made_of, accuracies={CONTENT_WORDS: rate, "sentences": 0.5, "sentences 25–34": 0.25})

    right = n = 0
    for sentence, found in zip(SOME, weights(model, SOME), strict=True):
        best, exact = found[0, 0].argmax(dim=-1).tolist(), translate(sentence)
        for at, word in enumerate(exact.words):
            if word in content_words():
                right, n = right + ((best[at], at) in exact.alignment), n + 1
    known = judged(record)
    assert known.hits == share_aligned(rate) == pytest.approx(right / n)
    assert 0 < right < n
    assert (known.right, known.right_longest, known.content_error) == (0.5, 0.25, rate)
    assert np.isnan(known.error)


def test_chance_is_what_a_word_drawn_at_random_comes_to() -> None:
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


def test_the_same_relative_place_leads_from_the_first_words_to_the_last() -> None:
    places = {shape: same_place(*shape).argmax(axis=1).tolist() for shape in ((5, 5), (3, 5), (5, 3), (1, 4))}
    assert places == {(5, 5): [0, 1, 2, 3, 4], (3, 5): [0, 2, 4], (5, 3): [0, 0, 1, 2, 2], (1, 4): [0]}
    np.testing.assert_array_equal(same_place(7, 3).sum(axis=1), 1)


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
