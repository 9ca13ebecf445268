"""Linear probes: from the fixed vector of an encoder to the words of the sentence it has read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits
from torch.optim import Adam

from core.device import device_of
from core.learning.evaluation.translation import SENTENCES, Share, of_length
from core.learning.tasks.translation import pair_batch
from core.model.recurrent_pair import RecurrentEncoderDecoder
from core.text import language, translation
from core.text.translation import lexicon
from core.text.translation.forms import adjectives, nouns, verbs

Vectors = Float[Tensor, "sentence d_vector"]
Words = Sequence[str]

AT_ONCE = 512
"""Number of sentences that are read at once."""

SMALLEST_DEVIATION = 1e-3
"""Least deviation by which a number of the vector is divided, so that constants are not blown up."""

Span = tuple[int, int]

FOLLOWED_BY: tuple[Span, ...] = (*((1, 1), (2, 3), (4, 6), (7, 9)), *((10, 13), (14, 18), (19, 24), (25, 33)))
"""Groups of distances: the number of words after a word, with the full stop."""

THRESHOLD = 0.5
"""The probability above which the probe says that a word is in the sentence."""

TO_BE = "are"
"""The one verb that is no content word: nearly half of all sentences have a form of it."""


class WordProbe(nn.Module):
    """A linear map W v + b to the logit of "this word is in the sentence" for each source word."""

    def __init__(self, d_vector: int) -> None:
        super().__init__()
        self.words = nn.Linear(d_vector, len(language.vocabulary()))

    def forward(self, vectors: Vectors) -> Float[Tensor, "sentence vocab"]:
        """Return logits; their sigmoids are probabilities of single words and do not sum to 1."""
        return self.words(vectors)


@torch.inference_mode()
def fixed_vectors(model: RecurrentEncoderDecoder, sentences: Sequence[Words]) -> Vectors:
    """Return the encoder's state after each sentence, in an LSTM [h; cell]; the decoder begins there."""
    found = []
    for first in range(0, len(sentences), AT_ONCE):
        batch = pair_batch([(words, ()) for words in sentences[first : first + AT_ONCE]]).to(device_of(model))
        encoded = model.encode(batch.source, source_allowed=batch.source_allowed)
        found.append(torch.cat(encoded.ends[-1], dim=-1))
    return torch.cat(found)


def words_in(sentences: Sequence[Words]) -> Float[Tensor, "sentence vocab"]:
    """Return 1 for every source word that a sentence has, and 0 for the others."""
    known = language.vocabulary()
    found = torch.zeros(len(sentences), len(known))
    for row, words in zip(found, sentences, strict=True):
        row[known.encode(words)[0]] = 1
    return found


@dataclass(frozen=True, kw_only=True)
class ProbeRecipe:
    """Training of a probe: sentences, passes over them in batches, and a rate that falls linearly to 0."""

    n_sentences: int = 40_000
    passes: int = 15
    batch_size: int = 512
    learning_rate: float = 0.02
    seed: int = 1

    @property
    def steps(self) -> int:
        """Number of batches; sentences that do not fill a batch are left out of a pass."""
        return self.passes * (self.n_sentences // self.batch_size)


def train_probe(model: RecurrentEncoderDecoder, recipe: ProbeRecipe) -> WordProbe:
    """Return the trained probe of a translator: binary cross-entropy over every word of the vocabulary."""
    drawn = islice(translation.sentences(recipe.seed, split="train"), recipe.n_sentences)
    # Sentences of one length stand together, or most of the input would be padding.
    sentences = sorted((each.words for each in drawn), key=len)
    vectors, present = fixed_vectors(model, sentences).clone(), words_in(sentences).to(device_of(model))
    return fitted(vectors, present, recipe)


def fitted(vectors: Vectors, present: Tensor, recipe: ProbeRecipe) -> WordProbe:
    """Return the probe fitted to (sentence, vocab) of 0 and 1, from standardised vectors."""
    mean, deviation = vectors.mean(dim=0), vectors.std(dim=0).clamp(min=SMALLEST_DEVIATION)
    probe = WordProbe(vectors.shape[1]).to(vectors.device)
    with torch.no_grad():
        probe.words.weight.zero_()
        # The biases begin at the word frequencies, so the probe learns only what the vector adds.
        probe.words.bias.copy_(torch.logit((present.sum(dim=0) + 0.5) / (len(present) + 1)))
    _descend(probe, (vectors - mean) / deviation, present, recipe)
    with torch.no_grad():
        probe.words.weight.div_(deviation)
        probe.words.bias.sub_(probe.words.weight @ mean)
    return probe.eval().requires_grad_(False)


def _descend(probe: WordProbe, vectors: Vectors, present: Tensor, recipe: ProbeRecipe) -> None:
    """Run gradient descent on the mean over sentences of the cross-entropy summed over words."""
    generator = torch.Generator().manual_seed(recipe.seed)
    optimiser = Adam(probe.parameters(), lr=recipe.learning_rate)
    step = 0
    for _ in range(recipe.passes):
        order = torch.randperm(len(vectors), generator=generator).to(vectors.device)
        for rows in torch.split(order, recipe.batch_size)[: len(vectors) // recipe.batch_size]:
            for group in optimiser.param_groups:
                group["lr"] = recipe.learning_rate * (1 - step / recipe.steps)
            optimiser.zero_grad()
            losses = binary_cross_entropy_with_logits(probe(vectors[rows]), present[rows], reduction="none")
            torch.autograd.backward(losses.sum(dim=1).mean())
            optimiser.step()
            step += 1


@dataclass(frozen=True, kw_only=True)
class ProbeCounts:
    """Content words that a probe finds, by the number of words after them, and its false alarms."""

    by_distance: Mapping[Span, Share]
    false_alarms: Share

    @property
    def recall(self) -> Share:
        """Recall: the share of the content words that the probe finds."""
        shares = self.by_distance.values()
        return Share(sum(share.right for share in shares), sum(share.n for share in shares))

    @property
    def precision(self) -> Share:
        """Precision: the share of correct words among those that the probe reports; 0 of 0 for none."""
        return Share(self.recall.right, self.recall.right + self.false_alarms.right)

    @property
    def base_rate(self) -> float:
        """Frequency of a content word of the vocabulary in a sentence: the precision of random guesses."""
        return self.recall.n / (self.recall.n + self.false_alarms.n)


@cache
def content_words() -> frozenset[str]:
    """Return nouns, names, adjectives and verbs of the source language, except the forms of *to be*."""
    empty = verbs()[TO_BE].stem
    full = {word for word, verb in verbs().items() if verb.stem != empty} - lexicon.COPULAS.keys()
    return frozenset({*nouns(), *adjectives(), *full} & set(language.vocabulary().words))


def measure_probe(probe: WordProbe, model: RecurrentEncoderDecoder, *, n: int = SENTENCES) -> ProbeCounts:
    """Return a probe's counts on `n` test sentences of each length; a repeated word counts once."""
    sentences = [each.words for each in chain.from_iterable(of_length(0, n).values())]
    with torch.inference_mode():
        says = (probe(fixed_vectors(model, sentences)).sigmoid() > THRESHOLD).cpu()
    return count_words(says, sentences)


def count_words(says: Bool[Tensor, "sentence vocab"], sentences: Sequence[Sequence[str]]) -> ProbeCounts:
    """Return the counts, given what the probe `says` of each source word in each sentence."""
    known = language.vocabulary()
    is_content = torch.tensor([word in content_words() for word in known.words])
    counts = {span: [0, 0] for span in FOLLOWED_BY}
    for row, words in zip(says, sentences, strict=True):
        last = {word: at for at, word in enumerate(words) if word in content_words()}
        for word, at in last.items():
            for span, count in counts.items():
                if span[0] <= len(words) - 1 - at <= span[1]:
                    count[0] += int(row[known.encode([word]).item()])
                    count[1] += 1
    absent = is_content & (words_in(sentences) == 0)
    return ProbeCounts(
        by_distance={span: Share(*count) for span, count in counts.items()},
        false_alarms=Share(int((says & absent).sum()), int(absent.sum())),
    )
