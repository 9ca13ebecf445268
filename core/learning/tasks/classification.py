"""Classification: does a review, among sentences without an opinion, praise or blame?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random

import torch

from core.learning.tasks.sentences import rows, with_unknown
from core.learning.tasks.task import Batch, Task, stream_seed
from core.learning.tasks.words import LABELS
from core.model.masks.combining import padding
from core.text.language import Sentence, Split, sentences, vocabulary
from core.text.language.review_parts import OPINIONS, held_out_kinds

NEUTRAL = ("ditransitive", "locative", "transitive")
"""The constructions without opinion, negation or contrast that lengthen a review."""

AROUND = 10
"""Number of neutral sentences around a review; without them its last word would be learnt first."""


@dataclass(frozen=True)
class PlacedReview:
    """A review among neutral sentences: all words, and the position of the review's first word."""

    words: tuple[str, ...]
    start: int
    review: Sentence

    @property
    def deciding(self) -> int:
        """Position of the deciding word of opinion: the last one."""
        return max(at for at, word in enumerate(self.words) if word in OPINIONS)


def reviews(seed: int, *, split: Split = "train", held_out: str | None = None) -> Iterator[Sentence]:
    """Yield reviews without end, of the kinds in training or of one kind that it leaves out."""
    drawn = sentences(seed, split=split, constructions=("review",))
    for review in drawn:
        kinds = held_out_kinds(review.words)
        if held_out in kinds if held_out else not kinds:
            yield review


def placed(review: Sentence, before: Sequence[Sentence], after: Sequence[Sentence]) -> PlacedReview:
    """Return a review between these neutral sentences."""
    lead = tuple(word for each in before for word in each.words)
    tail = tuple(word for each in after for word in each.words)
    return PlacedReview((*lead, *review.words, *tail), len(lead), review)


def label_batch(texts: Sequence[PlacedReview]) -> Batch:
    """Return the batch of these reviews; its targets (batch,) are their labels."""
    tokens, lengths = rows([text.words for text in texts])
    labels = torch.tensor([LABELS.index(str(text.review.label)) for text in texts])
    return Batch(tokens, labels, padding(lengths, tokens.shape[1]))


def _classification(seed: int, step: int, size: int, split: Split) -> Batch:
    batch = label_batch(
        list(islice(surrounded_reviews(stream_seed("classification", seed, step), split=split), size))
    )
    return replace(batch, tokens=with_unknown(batch.tokens, seed=seed, step=step, split=split))


def surrounded_reviews(seed: int, *, split: Split = "train") -> Iterator[PlacedReview]:
    """Yield reviews without end among neutral sentences; all positions are equally likely."""
    random = Random(stream_seed("place", seed))
    others = sentences(stream_seed("neutral", seed), split=split, constructions=NEUTRAL)
    for review in reviews(stream_seed("review", seed), split=split):
        around, cut = list(islice(others, AROUND)), int(random.random() * (AROUND + 1))
        yield placed(review, around[:cut], around[cut:])


def reviews_of_batch(seed: int, step: int, size: int) -> list[Sentence]:
    """Return the reviews of training batch number `step`, without the sentences around them."""
    return list(islice(reviews(stream_seed("review", stream_seed("classification", seed, step))), size))


def isolated_reviews(
    seed: int, *, split: Split = "train", held_out: str | None = None
) -> Iterator[PlacedReview]:
    """Yield reviews without end, without neutral sentences, which cost more to draw."""
    drawn = reviews(stream_seed("review", seed), split=split, held_out=held_out)
    return (placed(review, (), ()) for review in drawn)


CLASSIFICATION = Task("classification", vocabulary, _classification)
