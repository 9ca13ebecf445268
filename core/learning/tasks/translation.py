"""Translation: the next word in the second language, given the source and the words before it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Self

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from core.learning.tasks.sentences import rows
from core.learning.tasks.task import IGNORED, Batch, Task, generator, stream_seed
from core.model.masks.combining import padding
from core.text import language, translation
from core.text.language import START, UNKNOWN, Sentence, Split
from core.text.translation import END, Translation, translate
from core.text.translation.forms import adjectives, nouns
from core.text.translation.lexicon import MARK_OF_RECIPIENT

WORD_DROPOUT = 0.02
"""Share of nouns and adjectives that training shows and asks for as `<unk>`."""

Words = Sequence[str]


@dataclass(frozen=True)
class PairBatch(Batch):
    """A batch with a source sentence for each row; the decoder reads `tokens` (teacher forcing)."""

    source: Int[Tensor, "batch source"]
    source_allowed: Bool[Tensor, "batch 1 1 source"]

    def _rows(self, rows: Int[Tensor, "row"], width: int) -> Self:
        longest = int(self.source_allowed[rows].sum(dim=-1).max())
        source, allowed = self.source[rows, :longest], self.source_allowed[rows, ..., :longest]
        return replace(super()._rows(rows, width), source=source, source_allowed=allowed)


def pair_batch(pairs: Sequence[tuple[Words, Words]]) -> PairBatch:
    """Return the batch of sentences and their translations; raises KeyError naming unknown words."""
    ours, theirs = language.vocabulary(), translation.vocabulary()
    source, source_lengths = rows([words for words, _ in pairs], ours)
    tokens, lengths = rows([(START, *words) for _, words in pairs], theirs)
    ends, _ = rows([(*words, END) for _, words in pairs], theirs)
    allowed = padding(lengths, tokens.shape[1])
    targets = ends.masked_fill(~allowed[:, 0, 0], IGNORED)
    return PairBatch(tokens, targets, allowed, source, padding(source_lengths, source.shape[1]))


def sentences_of_batch(seed: int, step: int, size: int, split: Split = "train") -> list[Sentence]:
    """Return the source sentences of batch number `step`."""
    return list(islice(translation.sentences(stream_seed("translation", seed, step), split=split), size))


def _translation(seed: int, step: int, size: int, split: Split) -> PairBatch:
    drawn = sentences_of_batch(seed, step, size, split)
    pairs = [(sentence, translate(sentence)) for sentence in drawn]
    if split == "test":
        return pair_batch([(sentence.words, found.words) for sentence, found in pairs])
    random = generator("translation dropout", seed, step)
    return pair_batch([with_unknown(sentence, found, random) for sentence, found in pairs])


def with_unknown(sentence: Sentence, found: Translation, random: torch.Generator) -> tuple[Words, Words]:
    """Return source and translation with a few nouns and adjectives unknown, for copying."""
    dropped = torch.rand(len(sentence.words), generator=random) < WORD_DROPOUT
    unknown = {
        position
        for position, word in enumerate(sentence.words)
        if dropped[position] and (word in nouns() or word in adjectives())
    }
    reached = {target for source, target in found.alignment if source in unknown}
    source = [UNKNOWN if position in unknown else word for position, word in enumerate(sentence.words)]
    target = [
        UNKNOWN if position in reached and word != MARK_OF_RECIPIENT else word
        for position, word in enumerate(found.words)
    ]
    return source, target


TRANSLATION = Task("translation", translation.vocabulary, _translation)
