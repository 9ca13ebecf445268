"""The sample that heads are measured on, read by models of the language and by pretrained ones."""

from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tokenizers
from numpy.testing import assert_allclose, assert_array_equal
from tokenizers import models

from core.measures.heads.sample import (
    HALF,
    LONGEST,
    SAMPLE,
    SHORTEST,
    longest_half,
    read_in_pieces,
    read_repeated,
    read_sample,
    repeated_tokens,
    sample_sentences,
)
from core.measures.heads.scores import SPECIAL, measure_heads
from core.measures.merging import merge
from core.measures.reading import read
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.model.models import Transformer
from core.model.trace import Trace
from core.sources import PretrainedInfo, UnavailableError, load
from core.text.language import CONSTRUCTIONS, Sentence, split_of, vocabulary
from tests.covering import each
from tests.real import N_HEADS, N_LAYERS, SOURCE, one_model

LONGER = Sentence(("the", "cats", "saw", "running", "cats", "think", "."), "made up")
SHORTER = Sentence(("running", "cats", "don't", "run"), "made up")
ALIKE = Sentence(("the", "cats", "think", "running", "cats", "saw", "."), "made up")
"""As many pieces as in `LONGER`: the two go through the model together."""
N = 9


@pytest.fixture
def one(tiny_model: object) -> PretrainedInfo:
    return one_model(SOURCE)


@each("width", [None, 2])
def test_words_come_first_and_special_tokens_after_them(one: PretrainedInfo, width: int | None) -> None:
    loaded = load(SOURCE, one.config, (), 0)
    patterns, allowed, special, equal = read_in_pieces(loaded, one, (LONGER, SHORTER, ALIKE), width=width)
    assert patterns.shape == (N_LAYERS, N_HEADS, 3, N, N)
    for at, sentence in enumerate((LONGER, SHORTER, ALIKE)):
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


def test_the_share_on_special_tokens_is_a_score_beside_the_others(
    one: PretrainedInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.measures.heads.scores.SAMPLE_IN_PIECES", 7)
    table = measure_heads(load(SOURCE, one.config, (), 0))
    sample = sample_sentences()[:7]
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


def test_a_sentence_that_is_too_long_for_the_model_is_refused(one: PretrainedInfo) -> None:
    long = Sentence(("cats",) * one.most_pieces(one.config), "made up")
    with pytest.raises(UnavailableError, match="Shorten it"):
        read_in_pieces(load(SOURCE, one.config, (), 0), one, (long,))


def test_pieces_that_cover_several_words_are_not_measured_word_by_word(tiny_model: Path) -> None:
    made = tokenizers.Tokenizer(models.WordLevel({"[UNK]": 0}, "[UNK]"))
    made.save(str(tiny_model / "tokenizer.json"))
    one = one_model(SOURCE)
    loaded = load(SOURCE, one.config, one.split("the cats").texts, 0)
    with pytest.raises(UnavailableError, match="tiny has tokens that cover several words"):
        read_in_pieces(loaded, one, (LONGER,))


@pytest.fixture(scope="module")
def known() -> Transformer:
    return load("random", ModelConfig(vocab_size=1), vocabulary().words, 5).model


def test_the_sample_has_distinct_unseen_sentences_of_every_construction() -> None:
    sample = sample_sentences()

    assert len({sentence.words for sentence in sample}) == len(sample) == SAMPLE
    assert {split_of(sentence) for sentence in sample} == {"test"}
    assert {sentence.construction for sentence in sample} == set(CONSTRUCTIONS)
    assert all(SHORTEST <= len(sentence.words) <= LONGEST for sentence in sample)


@each(("mask", "width"), zip(MASKS, cycle((3, None))))
def test_the_sample_is_read_as_the_explorer_reads_each_sentence(mask: str, width: int | None) -> None:
    config = ModelConfig(vocab_size=1, mask=mask, n_heads=2, positions="alibi")
    sample = sample_sentences()[:3]
    model = load("random", config, vocabulary().words, 5).model
    patterns, allowed = read_sample(model, sample, width=width)

    for at, sentence in enumerate(sample):
        n = len(sentence.words)
        reading = read(load("random", config, sentence.words, 5), window=width)
        assert_allclose(patterns[:, :, at, :n, :n], reading.patterns(), atol=1e-6)
        np.testing.assert_array_equal(allowed[at, :n, :n], reading.allowed())
        assert not allowed[at, n:].any()
        assert not allowed[at, :, n:].any()


def test_the_score_is_the_weight_one_place_after_the_earlier_mention(known: Transformer) -> None:
    patterns, allowed, found = read_repeated(known, half=11, rows=5, seed=3)
    tokens = repeated_tokens(known.config.vocab_size, half=11, rows=5, seed=3)
    trace = Trace()
    known(tokens, trace=trace)
    for layer in range(2):
        pattern = trace[f"blocks.{layer}.attention.pattern"].detach()
        np.testing.assert_allclose(patterns[layer], pattern.transpose(0, 1), atol=1e-6)
    for row, words in enumerate(tokens.tolist()):
        assert allowed[row].tolist() == [[key <= query for key in range(22)] for query in range(22)]
        for query in range(22):
            keys = [query - 10] if query >= 11 else []
            assert np.flatnonzero(found[row, query]).tolist() == keys
            assert all(words[key - 1] == words[query] for key in keys)


@each(
    ("fields", "half"),
    [
        ({"max_len": 37, "positions": "learned"}, 18),
        ({"max_len": 37, "positions": "alibi"}, HALF),
        ({"vocab_size": 7}, 7),
    ],
)
def test_as_many_tokens_are_repeated_as_the_model_has_room_for(fields: dict[str, Any], half: int) -> None:
    config = ModelConfig(**({"vocab_size": 1009} | fields))
    assert longest_half(config) == half
    model = Transformer(config).requires_grad_(False)
    assert read_repeated(model, half=half)[0].shape[-1] == 2 * half
