"""Head scores: a slow reference, heads that do one thing, and a model whose heads are built by hand."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pandas as pd
import pytest
import torch
from numpy.testing import assert_allclose
from torch import Tensor

from core.measures.heads.sample import HALF, ROWS
from core.measures.heads.scores import (
    ENTROPY,
    FOCUS,
    INDUCTION,
    TARGETS,
    head_scores,
    induction_scores,
    measure_heads,
)
from core.model.config import ModelConfig
from core.model.models import Transformer
from core.sources import load
from core.text.language import Sentence, vocabulary
from core.text.language.sentence import Agreement, Reference
from tests.covering import each

WIDTH, N_LAYERS, N_HEADS = 13, 2, 3
PAINTERS = Sentence(
    ("the", "cooks", "near", "the", "king", "paint", "so", "they", "sing", "."),
    "agreement",
    agreements=(Agreement(5, 1), Agreement(8, 7)),
    pronouns=(Reference(7, 1),),
)
QUESTION = Sentence(("why", "are", "the", "cooks", "here", "?"), "question", agreements=(Agreement(1, 3),))
NAMES = Sentence(
    ("lena", "met", "omar", "and", "omar", "met", "lena"), "name", repeats=(Reference(4, 2), Reference(6, 0))
)
SENTENCES = (PAINTERS, QUESTION, NAMES)
either_mask = each("mask", ("causal", "bidirectional"))


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
    """Return the weights of one head that attends alike to all words it may attend to."""
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


@either_mask
def test_a_score_is_the_mean_share_that_a_slow_count_finds(mask: str) -> None:
    patterns = noisy_patterns(allowed_of(mask))
    table = scores_of(patterns, mask)
    cells = {
        score: [cell for one in SENTENCES for cell in wanted_cells(one, score, mask)] for score in TARGETS
    }
    hidden = {
        score for score in TARGETS if mask == "causal" and all(key > query for query, key in cells[score])
    }
    assert len(hidden) == (2 if mask == "causal" else 0)
    assert set(table["score"]) == {*TARGETS, ENTROPY, FOCUS} - hidden
    for score, layer, head in product(TARGETS.keys() - hidden, range(N_LAYERS), range(N_HEADS)):
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


def test_the_sentence_shown_is_the_one_furthest_above_chance_and_so_is_the_cell_in_it() -> None:
    allowed = allowed_of("causal")
    patterns = np.broadcast_to(alike(allowed), (N_LAYERS, N_HEADS, *allowed.shape)).copy()
    patterns[1, 0, 2] = np.eye(WIDTH)
    patterns[1, 0, 2, 1:7] = np.eye(WIDTH)[[0, 1, 1, 1, 4, 5]]

    table = scores_of(patterns, "causal")

    row = one(table, "previous word", 2, 1)
    assert (row["sentence"], row["query"], row["key"]) == (2, 6, 5)


def test_keys_outside_the_window_have_no_score() -> None:
    config = ModelConfig(vocab_size=1, n_heads=2)
    narrow = measure_heads(load("random", config, vocabulary().words, 0), width=1)

    assert set(narrow["score"]) >= {"previous word", "itself"}
    assert_allclose(one(narrow, "previous word")["baseline"], 1 / 2)
    assert "earlier mention" not in set(narrow["score"])


PREVIOUS = INDUCES = 0
STRONG = 60.0
"""A score so large that it takes all of the attention."""

N_REPEATED = 2 * HALF


def built(vocab: int) -> Transformer:
    """Two layers without norms or feed-forward; a state is (the word, its position, the word before it).

    In layer 1 a head attends to the position before its own and passes the word there on. In layer 2 a head
    attends to where the word before is its own, which is an induction head (Elhage et al. 2021); the other
    heads attend to all words alike.
    """
    width = vocab + N_REPEATED
    config = ModelConfig(
        vocab_size=vocab,
        d_model=width + vocab,
        n_heads=3,
        head_width=width,
        n_layers=2,
        max_len=N_REPEATED,
        positions="learned",
        norm="none",
        mlp=False,
        scale=False,
    )
    model = Transformer(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        word, position, before = slice(0, vocab), slice(vocab, width), slice(width, None)
        model.embed.weight[:, word] = torch.eye(vocab)
        model.positions.table[:, position] = torch.eye(N_REPEATED)
        first, second = (block.attention for block in model.blocks)
        rows = [first.slice_of(head) for head in range(3)]

        def part(weight: Tensor, head: int) -> Tensor:
            return weight[rows[head]]

        part(first.query.weight, PREVIOUS)[position, position] = STRONG * torch.eye(N_REPEATED).roll(1, 1)
        part(first.key.weight, PREVIOUS)[position, position] = torch.eye(N_REPEATED)
        part(first.value.weight, PREVIOUS)[word, word] = torch.eye(vocab)
        assert rows[PREVIOUS].start == 0, "its words are the first columns of the output map"
        first.output.weight[before, word] = torch.eye(vocab)
        part(second.query.weight, INDUCES)[word, word] = STRONG * torch.eye(vocab)
        part(second.key.weight, INDUCES)[word, before] = torch.eye(vocab)
    return model.eval()


def test_the_induction_head_is_found_on_repeated_random_tokens_unless_a_window_hides_them() -> None:
    known = built(HALF + 2)
    table = induction_scores(known)
    assert set(table["score"]) == {INDUCTION}
    assert set(table["places"]) == {HALF * ROWS}
    scores = table.set_index(["layer", "head"])["value"]
    # The first position has no earlier word, so the head below copies its own word, and shares it.
    assert scores[2, INDUCES + 1] == pytest.approx((HALF - 0.5) / HALF, abs=1e-4)
    assert len(scores) == 2 * 3
    assert scores.drop((2, INDUCES + 1)).max() < 0.1
    assert induction_scores(known, width=HALF - 2).empty
    assert not induction_scores(known, width=HALF - 1).empty
