"""Tasks on sentences of the language: next word, masked word, agreeing verb, review label."""

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from core.learning.tasks.sentences import batch_of_sentences, rows, with_unknown
from core.learning.tasks.task import IGNORED, Batch, NextWordBatch, Task, generator
from core.model.masks import MASKED_WORD as MASKED
from core.model.masks import NEXT_WORD as NEXT
from core.model.masks.combining import padding
from core.text.language import MASK, Sentence, Split, vocabulary
from core.text.language.vocabulary import SPECIAL
from core.text.tokenizer import Vocabulary

DECIDED_SHARE, OTHER_SHARE = 0.5, 0.1
"""Shares of words asked for: those that the rest decides, and others (Devlin et al. 2019: 15 % of all)."""

SHOWN_MASKED, SHOWN_ANOTHER = 0.8, 0.1
"""Shares of the chosen words shown as `<mask>` and as another word; the rest are unchanged."""

LABELS = ("negative", "positive")

Tokens = Int[Tensor, "batch position"]


def _next_word(seed: int, step: int, size: int, split: Split) -> Batch:
    tokens, lengths = rows([s.words for s in batch_of_sentences(seed, step, size, split)])
    allowed = padding(lengths, tokens.shape[1])
    targets = torch.full_like(tokens, IGNORED)
    targets[:, :-1] = tokens[:, 1:].masked_fill(~allowed[:, 0, 0, 1:], IGNORED)
    shown = with_unknown(tokens, seed=seed, step=step, split=split)
    return NextWordBatch(shown, targets, allowed, _given(lengths, seed, step, split))


def _given(lengths: Int[Tensor, "batch"], seed: int, step: int, split: Split) -> Int[Tensor, "batch"] | None:
    """Return the number of given words of each row, random in training (Raffel et al. 2020, 3.2.3)."""
    if split == "test":
        return None
    chance = torch.rand(len(lengths), generator=generator("given words", seed, step))
    return (chance * lengths).long()


def _masked_word(seed: int, step: int, size: int, split: Split) -> Batch:
    drawn = batch_of_sentences(seed, step, size, split)
    tokens, lengths = rows([s.words for s in drawn])
    random = generator("masked words", seed, step)
    asked = torch.rand(tokens.shape, generator=random) < _shares(drawn, tokens.shape[1])
    shown = _disguised(tokens, asked, random)
    dropped = with_unknown(tokens, seed=seed, step=step, split=split)
    allowed = padding(lengths, tokens.shape[1])
    return Batch(torch.where(asked, shown, dropped), tokens.masked_fill(~asked, IGNORED), allowed)


def _shares(drawn: Sequence[Sentence], width: int) -> Float[Tensor, "batch position"]:
    """Return the probability that each word is asked for; 0 for padding."""
    shares = torch.zeros(len(drawn), width)
    for row, sentence in zip(shares, drawn, strict=True):
        row[: len(sentence.words)] = OTHER_SHARE
        row[_decided(sentence)] = DECIDED_SHARE
    return shares


def _decided(sentence: Sentence) -> list[int]:
    """Return positions of agreeing verbs, of references, and of the last word, which the rest decides."""
    verbs = [agreement.verb for agreement in sentence.agreements]
    references = [reference.word for reference in (*sentence.pronouns, *sentence.repeats)]
    return [*verbs, *references, len(sentence.words) - 2]


def _disguised(tokens: Tokens, asked: Bool[Tensor, "batch position"], random: torch.Generator) -> Tokens:
    """Return the words shown for those asked for: mostly `<mask>`, sometimes another or the same word."""
    known = vocabulary()
    chance = torch.rand(tokens.shape, generator=random)
    others = torch.randint(len(SPECIAL), len(known), tokens.shape, generator=random)
    shown = torch.where(chance < SHOWN_MASKED + SHOWN_ANOTHER, others, tokens)
    return shown.masked_fill(chance < SHOWN_MASKED, known.encode([MASK]).item())


def _agreement(seed: int, step: int, size: int, split: Split) -> Batch:
    drawn = batch_of_sentences(seed, step, size, split, constructions=("agreement",))
    tokens, lengths = rows([s.words for s in drawn])
    targets = torch.full_like(tokens, IGNORED)
    for row, answer, sentence in zip(tokens, targets, drawn, strict=True):
        for agreement in sentence.agreements:
            answer[agreement.verb - 1] = row[agreement.verb]
    shown = with_unknown(tokens, seed=seed, step=step, split=split)
    allowed = padding(lengths, tokens.shape[1])
    return NextWordBatch(shown, targets, allowed, _given(lengths, seed, step, split))


def _review(seed: int, step: int, size: int, split: Split) -> Batch:
    drawn = batch_of_sentences(seed, step, size, split, constructions=("review",))
    tokens, lengths = rows([s.words for s in drawn])
    targets = torch.full_like(tokens, IGNORED)
    targets[torch.arange(size), lengths - 1] = torch.tensor([_label(sentence) for sentence in drawn])
    return Batch(
        with_unknown(tokens, seed=seed, step=step, split=split), targets, padding(lengths, tokens.shape[1])
    )


def _label(sentence: Sentence) -> int:
    assert sentence.label is not None, "reviews have a label"
    return review_vocabulary().words.index(sentence.label)


def review_vocabulary() -> Vocabulary:
    """Return the words of the language, then the labels of reviews."""
    return Vocabulary((*vocabulary().words, *LABELS))


NEXT_WORD = Task("next word", vocabulary, _next_word, objective=NEXT)
MASKED_WORD = Task("masked word", vocabulary, _masked_word, objective=MASKED)
AGREEMENT = Task("agreement", vocabulary, _agreement, objective=NEXT)
REVIEW = Task("review", review_vocabulary, _review)
