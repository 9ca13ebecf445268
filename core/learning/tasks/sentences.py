"""Sentences of the language as rows of token ids."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

import torch
from jaxtyping import Int
from torch import Tensor

from core.learning.tasks.task import generator, stream_seed
from core.text.language import CONSTRUCTIONS, PAD, UNKNOWN, Sentence, Split, sentences, vocabulary
from core.text.tokenizer import Vocabulary

WORD_DROPOUT = 0.02
"""The share of words read as `<unk>` in training; sentences for testing stay whole."""


def batch_of_sentences(
    seed: int, step: int, size: int, split: Split, *, constructions: tuple[str, ...] = CONSTRUCTIONS
) -> list[Sentence]:
    """Return the sentences of batch number `step`, of these constructions."""
    return list(_written(seed, step, size, split, constructions))


@lru_cache(maxsize=64)
def _written(
    seed: int, step: int, size: int, split: Split, constructions: tuple[str, ...]
) -> tuple[Sentence, ...]:
    """Return sentences of a batch, cached for the next training or test with the same seed."""
    drawn = sentences(stream_seed("batch", seed, step), split=split, constructions=constructions)
    return tuple(islice(drawn, size))


def rows(
    texts: Sequence[Sequence[str]], known: Vocabulary | None = None
) -> tuple[Int[Tensor, "batch position"], Int[Tensor, "batch"]]:
    """Return the token ids of these sentences, padded at the end, and the number of words of each."""
    known = known or vocabulary()
    lengths = torch.tensor([len(words) for words in texts])
    tokens = torch.full((len(texts), int(lengths.max())), known.encode([PAD]).item())
    for row, words in zip(tokens, texts, strict=True):
        row[: len(words)] = known.encode(words)[0]
    return tokens, lengths


def with_unknown(
    tokens: Int[Tensor, "batch position"], *, seed: int, step: int, split: Split
) -> Int[Tensor, "batch position"]:
    """Return `tokens` with a few words unknown in training, and unchanged for tests."""
    if split == "test":
        return tokens
    pad, unknown = vocabulary().encode([PAD, UNKNOWN])[0].tolist()
    chance = torch.rand(tokens.shape, generator=generator("word dropout", seed, step))
    return tokens.masked_fill((chance < WORD_DROPOUT) & (tokens != pad), unknown)
