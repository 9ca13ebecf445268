"""Head scores of a pretrained model: its pieces are merged into words, and special tokens are keys alone."""

from pathlib import Path

import numpy as np
import pytest
import tokenizers
from numpy.testing import assert_allclose, assert_array_equal
from tokenizers import models

from core.measures.heads import scores as head_scores
from core.measures.heads.sample_in_pieces import read_in_pieces
from core.measures.heads.scores import FOCUS, SAMPLE_IN_PIECES, SPECIAL, measure_heads, sample_sentences
from core.measures.merging import merge
from core.measures.reading import read
from core.sources import PretrainedInfo, UnavailableError, load
from core.text.language import Sentence
from tests.real import N_HEADS, N_LAYERS, SOURCE, one_model

LONGER = Sentence(("the", "cats", "saw", "running", "cats", "think", "."), "made up")
SHORTER = Sentence(("running", "cats", "don't", "run"), "made up")
N = 9


@pytest.fixture
def one(tiny_model: object) -> PretrainedInfo:
    return one_model(SOURCE)


@pytest.mark.parametrize("width", [None, 2])
def test_words_come_first_and_special_tokens_after_them(one: PretrainedInfo, width: int | None) -> None:
    loaded = load(SOURCE, one.config, (), 0)
    patterns, allowed, special, equal = read_in_pieces(loaded, one, (LONGER, SHORTER), width=width)
    assert patterns.shape == (N_LAYERS, N_HEADS, 2, N, N)
    for at, sentence in enumerate((LONGER, SHORTER)):
        pieces = one.split(" ".join(sentence.words))
        groups, n = [*pieces.groups[1:-1], pieces.groups[0], pieces.groups[-1]], len(sentence.words)
        reading = read(load(SOURCE, one.config, pieces.texts, 0), window=width)
        assert_allclose(patterns[:, :, at, : n + 2, : n + 2], merge(reading.patterns(), groups), atol=1e-6)
        seen = reading.allowed()
        alike = merge(seen / seen.sum(axis=1, keepdims=True), groups)
        assert_allclose(equal[at, :n, : n + 2], alike[:n])
        assert not equal[at, n:].any()
        assert not patterns[:, :, at, n + 2 :].any()
        assert not allowed[at, n:].any()
        assert_array_equal(special[at], allowed[at] & ((np.arange(N) >= n) & (np.arange(N) < n + 2)))
        if width is None:
            assert allowed[at, :n, : n + 2].all()
    assert allowed[0].sum() < 7 * N if width else allowed[0].sum() == 7 * N


def test_the_share_on_special_tokens_is_a_score_beside_the_others(one: PretrainedInfo) -> None:
    table = measure_heads(load(SOURCE, one.config, (), 0))
    sample = sample_sentences()[:SAMPLE_IN_PIECES]
    scored = table[(table["score"] == SPECIAL) & (table["layer"] == 2) & (table["head"] == 3)]
    shares, chances = [], []
    for sentence in sample:
        pieces = one.split(" ".join(sentence.words))
        merged = merge(read(load(SOURCE, one.config, pieces.texts, 0)).pattern(1, 2), pieces.groups)
        shares += list(merged[1:-1, [0, -1]].sum(axis=1))
        chances += [2 / len(pieces.texts)] * (len(merged) - 2)
    (row,) = scored.itertuples()
    assert row.value == pytest.approx(np.mean(shares), rel=1e-4)
    assert row.baseline == pytest.approx(np.mean(chances))
    assert row.places == len(shares)


def test_equal_weights_are_those_on_pieces_where_words_have_several(
    one: PretrainedInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(head_scores, "sample_sentences", lambda: (LONGER, SHORTER))
    scored = measure_heads(load(SOURCE, one.config, (), 0)).set_index("score")["baseline"]
    counts, chances = [], []
    for sentence in (LONGER, SHORTER):
        pieces = one.split(" ".join(sentence.words))
        assert len(pieces.groups) < len(pieces.texts)
        counts += [len(pieces.texts)] * len(sentence.words)
        chances += [len(group) / len(pieces.texts) for group in pieces.groups[1:-1]]
    assert_allclose(scored[SPECIAL].iloc[0], np.mean([2 / n for n in counts]))
    assert_allclose(scored["itself"].iloc[0], np.mean(chances))
    assert 0 < scored[FOCUS].iloc[0] < 0.1, "alike on pieces is not quite alike on words"


def test_a_sentence_that_is_too_long_for_the_model_is_refused(one: PretrainedInfo) -> None:
    long = Sentence(("cats",) * one.most_pieces(one.config), "made up")
    with pytest.raises(UnavailableError, match="Shorten it"):
        read_in_pieces(load(SOURCE, one.config, (), 0), one, (long,))


def test_pieces_that_cover_several_words_are_not_measured_word_by_word(tiny_model: Path) -> None:
    made = tokenizers.Tokenizer(models.WordLevel({"[UNK]": 0}, "[UNK]"))
    made.save(str(tiny_model / "tokenizer.json"))
    one = one_model(SOURCE)
    loaded = load(SOURCE, one.config, one.split("the cats").texts, 0)
    with pytest.raises(UnavailableError, match="tiny has pieces that cover several words"):
        read_in_pieces(loaded, one, (LONGER,))
