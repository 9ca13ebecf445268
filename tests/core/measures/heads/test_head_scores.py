"""Head scores: artificial heads that do one thing, a slow reference, and models read as in the explorer."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from core.measures.heads.scores import (
    ENTROPY,
    FOCUS,
    LONGEST,
    SAMPLE,
    SHORTEST,
    TARGETS,
    _looked_for,
    above_chance,
    head_scores,
    measure_heads,
    read_sample,
    sample_sentences,
)
from core.measures.reading import read
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.sources import load
from core.text.language import CONSTRUCTIONS, Sentence, split_of, vocabulary
from core.text.language.sentence import Agreement, Reference

WIDTH, N_LAYERS, N_HEADS = 13, 2, 3

PAINTERS = Sentence(
    ("the", "cooks", "near", "the", "king", "paint", "so", "they", "sing", "."),
    "agreement",
    agreements=(Agreement(5, 1, "plural", 1), Agreement(8, 7, "plural", 0)),
    pronouns=(Reference(7, 1),),
)
QUESTION = Sentence(
    ("why", "are", "the", "cooks", "here", "?"), "question", agreements=(Agreement(1, 3, "plural", 0),)
)
NAMES = Sentence(
    ("lena", "met", "omar", "and", "omar", "met", "lena"),
    "name",
    repeats=(Reference(4, 2), Reference(6, 0)),
)
SENTENCES = (PAINTERS, QUESTION, NAMES)


def allowed_of(mask: str, sample: tuple[Sentence, ...] = SENTENCES) -> np.ndarray:
    """(sentence, query, key): what the words of these sentences may attend to."""
    allowed = np.zeros((len(sample), WIDTH, WIDTH), dtype=bool)
    for matrix, sentence in zip(allowed, sample, strict=True):
        n = len(sentence.words)
        matrix[:n, :n] = np.tri(n) if mask == "causal" else 1
    return allowed


def noisy_patterns(allowed: np.ndarray, *, seed: int = 0) -> np.ndarray:
    """Weights of random heads; rows of padding are nonsense, as in a model."""
    random = np.random.default_rng(seed)
    weights = random.exponential(size=(N_LAYERS, N_HEADS, *allowed.shape)) * allowed
    sums = weights.sum(axis=-1, keepdims=True)
    return np.where(sums > 0, weights / np.where(sums > 0, sums, 1), random.uniform(size=weights.shape))


def alike(allowed: np.ndarray) -> np.ndarray:
    """The weights of one head that attends alike to all words it may attend to."""
    return allowed / np.maximum(allowed.sum(axis=-1, keepdims=True), 1)


def scores_of(patterns: np.ndarray, mask: str, sample: tuple[Sentence, ...] = SENTENCES) -> pd.DataFrame:
    ahead = 1 if mask == "causal" else 0
    return head_scores(patterns, allowed_of(mask, sample), sample, ahead=ahead)


def one(table: pd.DataFrame, score: str, layer: int = 1, head: int = 1) -> pd.Series:
    chosen = (table["score"] == score) & (table["layer"] == layer) & (table["head"] == head)
    (row,) = table[chosen].index
    return table.loc[row]


def wanted_cells(sentence: Sentence, score: str, mask: str) -> set[tuple[int, int]]:
    """Written once more from what the scores mean, cell by cell."""
    words, n = sentence.words, len(sentence.words)
    ahead = mask == "causal"
    of_pair = {
        "subject": [(a.verb, a.subject) for a in sentence.agreements],
        "antecedent": [(r.word, r.antecedent) for r in sentence.pronouns],
        "earlier mention": [(r.word, r.antecedent) for r in sentence.repeats],
    }
    holds: dict[str, Callable[[int, int], bool]] = {
        "previous word": lambda q, k: k == q - 1,
        "next word": lambda q, k: k == q + 1,
        "itself": lambda q, k: k == q,
        "first word": lambda q, k: k == 0 and q != 0,
        "full stop": lambda q, k: k == n - 1 and q != n - 1,
        "same word": lambda q, k: words[q] == words[k] and q != k,
    }
    if score in of_pair:
        return {(word - ahead, other) for word, other in of_pair[score] if word - ahead != other}
    return {(q, k) for q in range(n) for k in range(n) if holds[score](q, k)}


def slow_score(pattern: np.ndarray, score: str, mask: str) -> tuple[float, float, int]:
    """Value, baseline and places of one head, (sentence, query, key), word by word."""
    values, chances = [], []
    for weights, sentence in zip(pattern, SENTENCES, strict=True):
        for query in range(len(sentence.words)):
            seen = range(query + 1) if mask == "causal" else range(len(sentence.words))
            found = [key for key in seen if (query, key) in wanted_cells(sentence, score, mask)]
            if len(seen) > 1 and found:
                values.append(sum(weights[query, key] for key in found))
                chances.append(len(found) / len(seen))
    return float(np.mean(values)), float(np.mean(chances)), len(values)


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("score", TARGETS)
def test_a_score_is_the_mean_share_that_a_slow_count_finds(score: str, mask: str) -> None:
    patterns = noisy_patterns(allowed_of(mask))
    table = scores_of(patterns, mask)
    if mask == "causal" and score in ("next word", "full stop"):
        assert score not in set(table["score"])
        return

    for layer, head in np.ndindex(N_LAYERS, N_HEADS):
        row = one(table, score, layer + 1, head + 1)
        value, baseline, places = slow_score(patterns[layer, head], score, mask)
        assert_allclose([row["value"], row["baseline"]], [value, baseline], rtol=1e-12)
        assert row["places"] == places


def test_entropy_and_focus_by_hand() -> None:
    sentence = Sentence(("we", "wait", "here"), "locative")
    pattern = np.zeros((1, 1, 1, WIDTH, WIDTH))
    pattern[0, 0, 0, :3, :3] = [[1, 0, 0], [0.5, 0.5, 0], [0, 1, 0]]

    table = scores_of(pattern, "causal", (sentence,))

    assert_allclose(one(table, ENTROPY)["value"], 1 / 2)
    assert_allclose(one(table, ENTROPY)["baseline"], (1 + np.log2(3)) / 2)
    assert_allclose(one(table, FOCUS)["value"], (0 + 1) / 2)
    assert_allclose(one(table, FOCUS)["baseline"], 0, atol=1e-12)


def test_the_subject_is_looked_for_where_the_verb_is_predicted() -> None:
    """The next word from the word before it, but not from the subject itself; a masked one from its place."""
    assert set(TARGETS["subject"].cells(PAINTERS, 1)) == {(4, 1)}
    assert set(TARGETS["subject"].cells(PAINTERS, 0)) == {(5, 1), (8, 7)}
    assert set(TARGETS["antecedent"].cells(PAINTERS, 1)) == {(6, 1)}


def test_a_subject_behind_its_verb_is_hidden_from_a_causal_model_only() -> None:
    allowed = allowed_of("causal", (QUESTION,))
    patterns = noisy_patterns(allowed)

    assert "subject" not in set(scores_of(patterns, "causal", (QUESTION,))["score"])
    assert one(scores_of(patterns, "bidirectional", (QUESTION,)), "subject")["places"] == 1


@pytest.mark.parametrize("mask", MASKS)
def test_padding_does_not_count(mask: str) -> None:
    allowed = allowed_of(mask)
    patterns = noisy_patterns(allowed)
    n_words = np.array([len(sentence.words) for sentence in SENTENCES])
    outside = np.arange(WIDTH) >= n_words[:, None]
    other = np.where(outside[:, :, None], 0.7, patterns)

    pd.testing.assert_frame_equal(scores_of(patterns, mask), scores_of(other, mask))


def test_the_sentence_shown_is_the_one_furthest_above_chance_and_so_is_the_cell_in_it() -> None:
    allowed = allowed_of("causal")
    patterns = np.broadcast_to(alike(allowed), (N_LAYERS, N_HEADS, *allowed.shape)).copy()
    patterns[1, 0, 2] = np.eye(WIDTH)
    patterns[1, 0, 2, 1:7] = np.eye(WIDTH)[[0, 1, 1, 1, 4, 5]]

    table = scores_of(patterns, "causal")

    row = one(table, "previous word", 2, 1)
    assert (row["sentence"], row["query"], row["key"]) == (2, 6, 5)


def test_even_a_head_that_never_shows_a_score_is_opened_on_a_sentence_that_could() -> None:
    allowed = allowed_of("causal")
    patterns = np.broadcast_to(np.eye(WIDTH), (N_LAYERS, N_HEADS, *allowed.shape))

    row = one(scores_of(patterns, "causal"), "earlier mention")

    assert (row["value"], row["sentence"]) == (0, SENTENCES.index(NAMES))


def test_a_short_sentence_is_not_preferred_for_being_short() -> None:
    """Half of the attention on the word before is nothing for two words, and a lot for ten."""
    sample = (Sentence(("we", "wait"), "locative"), PAINTERS)
    allowed = allowed_of("causal", sample)
    patterns = alike(allowed)[None, None].copy()
    n = len(PAINTERS.words)
    patterns[0, 0, 1, :n, :n] = 0.45 * np.eye(n, k=-1) + 0.55 * np.eye(n)

    assert one(scores_of(patterns, "causal", sample), "previous word")["sentence"] == 1


def test_the_cell_shown_is_the_strongest_of_several_mentions() -> None:
    sentence = Sentence(("no", "no", "yes", "no"), "review")
    pattern = np.zeros((1, 1, 1, WIDTH, WIDTH))
    pattern[0, 0, 0, :4, :4] = [[1, 0, 0, 0], [0.1, 0.9, 0, 0], [0, 0, 1, 0], [0.2, 0.3, 0.1, 0.4]]

    row = one(scores_of(pattern, "causal", (sentence,)), "same word")

    assert_allclose(row["value"], (0.1 + 0.5) / 2)
    assert (row["query"], row["key"]) == (3, 1)


def test_the_sentence_shown_for_the_focus_is_the_typical_one() -> None:
    allowed = allowed_of("bidirectional")
    patterns = alike(allowed)[None, None].copy()
    patterns[0, 0, 0] = np.eye(WIDTH)
    patterns[0, 0, 2, :, :] = 0.55 * np.eye(WIDTH) + 0.45 * np.roll(np.eye(7, WIDTH), 1, axis=1)[[0] * WIDTH]

    table = scores_of(patterns, "bidirectional")

    assert one(table, FOCUS)["sentence"] == 2
    assert pd.isna(one(table, FOCUS)["query"])


def test_the_sample_has_distinct_unseen_sentences_of_every_construction() -> None:
    sample = sample_sentences()

    assert len({sentence.words for sentence in sample}) == len(sample) == SAMPLE
    assert {split_of(sentence) for sentence in sample} == {"test"}
    assert {sentence.construction for sentence in sample} == set(CONSTRUCTIONS)
    assert all(SHORTEST <= len(sentence.words) <= LONGEST for sentence in sample)


@pytest.mark.parametrize("width", [None, 3])
@pytest.mark.parametrize("mask", MASKS)
def test_the_sample_is_read_as_the_explorer_reads_each_sentence(mask: str, width: int | None) -> None:
    config = ModelConfig(vocab_size=1, mask=mask, n_heads=2, positions="alibi")
    sample = sample_sentences()[:7]
    model = load("random", config, vocabulary().words, 5).model
    patterns, allowed = read_sample(model, sample, width=width)

    for at, sentence in enumerate(sample):
        n = len(sentence.words)
        reading = read(load("random", config, sentence.words, 5), window=width)
        assert_allclose(patterns[:, :, at, :n, :n], reading.patterns(), atol=1e-6)
        np.testing.assert_array_equal(allowed[at, :n, :n], reading.allowed())
        assert not allowed[at, n:].any()
        assert not allowed[at, :, n:].any()


def test_what_lies_outside_the_window_has_no_score() -> None:
    config = ModelConfig(vocab_size=1, n_heads=2)
    narrow = measure_heads(load("random", config, vocabulary().words, 0), width=1)

    assert set(narrow["score"]) >= {"previous word", "itself"}
    assert_allclose(one(narrow, "previous word")["baseline"], 1 / 2)
    assert "earlier mention" not in set(narrow["score"])


def test_what_heads_look_for_is_kept_for_each_sample_mask_and_width_and_nobody_can_change_it() -> None:
    found = {(ahead, n): _looked_for(SENTENCES[:n], ahead, WIDTH) for ahead in (0, 1) for n in (2, 3)}
    for (ahead, n), wanted in found.items():
        for name, target in TARGETS.items():
            for at, sentence in enumerate(SENTENCES[:n]):
                cells = {tuple(cell) for cell in np.argwhere(wanted[name][at]).tolist()}
                assert cells == set(target.cells(sentence, ahead))
            with pytest.raises(ValueError, match="read-only"):
                wanted[name][0, 0, 0] = True
        assert _looked_for(SENTENCES[:n], ahead, WIDTH) is wanted
    assert _looked_for(SENTENCES, 0, WIDTH + 2)["first word"].shape == (3, WIDTH + 2, WIDTH + 2)


def test_a_trained_model_has_a_head_for_the_subject_and_a_random_one_has_not() -> None:
    tables = {
        source: measure_heads(load(source, ModelConfig(vocab_size=1), vocabulary().words, 0))
        for source in ("trained", "random")
    }
    highest = {
        source: (table["value"] / table["baseline"])[table["score"] == "subject"].max()
        for source, table in tables.items()
    }

    assert highest["trained"] > 3
    assert highest["random"] < 2


def test_what_is_above_chance_leaves_out_what_is_no_share_of_attention() -> None:
    table = pd.DataFrame(
        {"score": ["subject", FOCUS, ENTROPY], "value": [0.7, 0.9, 2.0], "baseline": [0.2, 0.0, 3.0]}
    )
    found = above_chance(table)
    assert list(found["score"]) == ["subject"]
    assert_allclose(found["above"], [0.5])
