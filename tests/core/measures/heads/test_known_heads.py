"""A model whose heads are built by hand: every score finds the head that was built for it, and no other."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from torch import Tensor

from core.measures.heads.compared import HALF, ROWS, longest_half, read_repeated, repeated_tokens
from core.measures.heads.scores import (
    INDUCTION,
    head_scores,
    induction_scores,
    read_sample,
    sample_sentences,
    shown_texts,
)
from core.model.config import ModelConfig
from core.model.models import Transformer
from core.model.trace import Trace
from core.text.language import vocabulary

PREVIOUS, FIRST, SAME = range(3)
INDUCES = 0
STRONG = 60.0
"""A score so much larger than all others takes all of the attention."""

LONGEST = 2 * HALF


def built(vocab: int) -> Transformer:
    """Two layers without norms or feed-forward; a state is (the word, its position, the word before it).

    In layer 1 a head attends to the position before its own and passes the word there on, one at the first
    position, and one at the same word at other positions. In layer 2 a head attends to where the word before
    is its own, which is an induction head (Elhage et al. 2021); the other two attend to all words alike.
    """
    width = vocab + LONGEST
    config = ModelConfig(
        vocab_size=vocab,
        d_model=width + vocab,
        n_heads=3,
        head_width=width,
        n_layers=2,
        max_len=LONGEST,
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
        model.positions.table[:, position] = torch.eye(LONGEST)
        first, second = (block.attention for block in model.blocks)
        rows = [first.slice_of(head) for head in range(3)]

        def part(weight: Tensor, head: int) -> Tensor:
            return weight[rows[head]]

        part(first.query.weight, PREVIOUS)[position, position] = STRONG * torch.eye(LONGEST).roll(1, 1)
        part(first.key.weight, PREVIOUS)[position, position] = torch.eye(LONGEST)
        part(first.value.weight, PREVIOUS)[word, word] = torch.eye(vocab)
        assert rows[PREVIOUS].start == 0, "its words are the first columns of the output map"
        first.output.weight[before, word] = torch.eye(vocab)
        part(first.query.bias, FIRST)[vocab] = STRONG
        part(first.key.weight, FIRST)[vocab, vocab] = 1
        part(first.query.weight, SAME)[word, word] = STRONG * torch.eye(vocab)
        part(first.key.weight, SAME)[word, word] = torch.eye(vocab)
        part(first.query.weight, SAME)[position, position] = -2 * STRONG * torch.eye(LONGEST)
        part(first.key.weight, SAME)[position, position] = torch.eye(LONGEST)
        part(second.query.weight, INDUCES)[word, word] = STRONG * torch.eye(vocab)
        part(second.key.weight, INDUCES)[word, before] = torch.eye(vocab)
    return model.eval()


@pytest.fixture(scope="module")
def known() -> Transformer:
    return built(len(vocabulary().words))


@pytest.fixture(scope="module")
def found(known: Transformer) -> pd.DataFrame:
    """What the sample sentences tell of the heads that are known."""
    sample = sample_sentences()[:23]
    return head_scores(*read_sample(known, sample), sample, ahead=1)


@pytest.mark.parametrize(
    ("score", "head"), [("previous word", PREVIOUS), ("first word", FIRST), ("same word", SAME)]
)
def test_a_score_is_one_for_the_head_that_was_built_for_it_and_for_no_other(
    score: str, head: int, found: pd.DataFrame
) -> None:
    values = found[found["score"] == score].set_index(["layer", "head"])["value"]
    assert values[1, head + 1] == pytest.approx(1, abs=1e-4)
    assert values.drop((1, head + 1)).max() < 0.7


def test_the_induction_head_is_found_on_repeated_random_tokens(known: Transformer) -> None:
    table = induction_scores(known)
    assert set(table["score"]) == {INDUCTION}
    assert set(table["places"]) == {HALF * ROWS}
    scores = table.set_index(["layer", "head"])["value"]
    # Nothing stands before the first position, so the head below passes its own word on, and shares it.
    assert scores[2, INDUCES + 1] == pytest.approx((HALF - 0.5) / HALF, abs=1e-4)
    assert len(scores) == 2 * 3
    assert scores.drop((2, INDUCES + 1)).max() < 0.1


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


def test_the_words_said_twice_are_a_sentence_that_shows_it(known: Transformer) -> None:
    (shown,) = induction_scores(known)[["sentence", "query", "key"]].drop_duplicates().itertuples(index=False)
    words = shown_texts()[shown.sentence].split()
    assert shown.sentence == len(sample_sentences())
    assert words[: len(words) // 2] == words[len(words) // 2 :]
    assert len(set(words)) == len(words) // 2
    assert words[shown.key - 1] == words[shown.query]
    assert shown.key < shown.query


def test_a_window_that_hides_the_earlier_mention_leaves_no_score(known: Transformer) -> None:
    assert induction_scores(known, width=HALF - 2).empty
    assert not induction_scores(known, width=HALF - 1).empty


@pytest.mark.parametrize(
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


def test_heads_that_attend_alike_score_what_equal_weights_give(known: Transformer) -> None:
    n = 2 * HALF
    equal = np.mean([1 / (query + 1) for query in range(HALF, n)])
    table = induction_scores(known)
    alike = table[(table["layer"] == 2) & (table["head"] > 1)]
    np.testing.assert_allclose(alike["value"], equal, rtol=1e-5)
    np.testing.assert_allclose(table["baseline"], equal)


def test_random_tokens_are_repeated_and_stand_once_in_each_half() -> None:
    tokens = repeated_tokens(31, half=11, rows=5, seed=3)
    assert tokens.shape == (5, 22)
    assert torch.equal(tokens[:, :11], tokens[:, 11:])
    assert all(len(set(row.tolist())) == 11 for row in tokens)
    assert len({tuple(row.tolist()) for row in tokens}) == 5
    assert torch.equal(tokens, repeated_tokens(31, half=11, rows=5, seed=3))
    with pytest.raises(ValueError, match="got 11 and 7"):
        repeated_tokens(7, half=11)
