"""How well a probe tells the content words of sentences that nobody has learned from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

import torch
from jaxtyping import Bool
from torch import Tensor

from core.learning.evaluation.translation import SENTENCES, Share, of_length
from core.learning.probes.probe import WordProbe, fixed_vectors, words_in
from core.model.recurrent_pair import RecurrentEncoderDecoder
from core.text import language
from core.text.translation import lexicon
from core.text.translation.forms import adjectives, nouns, verbs

Span = tuple[int, int]

FOLLOWED_BY: tuple[Span, ...] = (
    *((1, 1), (2, 3), (4, 6), (7, 9)),
    *((10, 13), (14, 18), (19, 24), (25, 33)),
)
"""How many words, the full stop among them, follow a word: the groups that shares are given for."""

THRESHOLD = 0.5
"""The probability above which the probe says that a word was in the sentence."""

TO_BE = "are"
"""The one verb without content: nearly half of all sentences have a form of it."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """How many content words of test sentences the probe tells, by how many words follow each.

    `false_alarms` are of the content words that a sentence does not have: those that the probe tells.
    """

    by_distance: Mapping[Span, Share]
    false_alarms: Share

    @property
    def all(self) -> Share:
        """Content words told, of all that there are."""
        shares = self.by_distance.values()
        return Share(sum(share.right for share in shares), sum(share.n for share in shares))

    @property
    def right(self) -> Share:
        """Words of the sentence, of all that the probe tells; 0 of 0 where it tells none."""
        return Share(self.all.right, self.all.right + self.false_alarms.right)

    @property
    def base_rate(self) -> float:
        """How often one of the content words there are is in a sentence: what a guess would be worth."""
        return self.all.n / (self.all.n + self.false_alarms.n)


@cache
def content_words() -> frozenset[str]:
    """Nouns, names, adjectives and verbs of the source language, all but the forms of *to be*."""
    empty = verbs()[TO_BE].stem
    full = {word for word, verb in verbs().items() if verb.stem != empty} - lexicon.COPULAS.keys()
    return frozenset({*nouns(), *adjectives(), *full} & set(language.vocabulary().words))


def measure_told(
    probe: WordProbe, model: RecurrentEncoderDecoder, *, seed: int = 0, n: int = SENTENCES
) -> Told:
    """What a probe tells of `n` test sentences of each of the lengths that accuracy is given for.

    A word that a sentence has twice counts once, where it stands last.
    """
    sentences = [each.words for each in chain.from_iterable(of_length(seed, n).values())]
    with torch.inference_mode():
        says = (probe(fixed_vectors(model, sentences)).sigmoid() > THRESHOLD).cpu()
    return count_told(says, sentences)


def count_told(says: Bool[Tensor, "sentence vocab"], sentences: Sequence[Sequence[str]]) -> Told:
    """The counts, where a probe `says` of each word of the source language whether a sentence has it."""
    known = language.vocabulary()
    is_content = torch.tensor([word in content_words() for word in known.words])
    counts = {span: [0, 0] for span in FOLLOWED_BY}
    for row, words in zip(says, sentences, strict=True):
        for word, followed_by in _content(words):
            for span, count in counts.items():
                if span[0] <= followed_by <= span[1]:
                    count[0] += int(row[known.encode([word]).item()])
                    count[1] += 1
    absent = is_content & (words_in(sentences) == 0)
    return Told(
        by_distance={span: Share(*count) for span, count in counts.items()},
        false_alarms=Share(int((says & absent).sum()), int(absent.sum())),
    )


def _content(words: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Every content word of a sentence once, with how many words follow it."""
    last = {word: len(words) - 1 - position for position, word in enumerate(words) if word in content_words()}
    return iter(last.items())
