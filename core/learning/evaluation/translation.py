"""Accuracy of translation: whole sentences right, by source length, and alignment."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from core.decoding import all_greedy, start_translation
from core.device import device_of
from core.learning.tasks import PairBatch
from core.learning.tasks.translation import pair_batch, sentences_of_batch
from core.learning.training import Pair, Recipe
from core.model.models import EncoderDecoder
from core.model.trace import Trace
from core.text import translation
from core.text.language import START, Sentence
from core.text.translation import END, Alignment, Split, translate
from core.text.translation.forms import content_words

LENGTHS = ((4, 6), (7, 9), (10, 13), (14, 18), (19, 24), (25, 34))
"""Groups of source lengths for which accuracy is given, in words with the full stop."""

LONGEST = 64
"""Number of words after which a translation is cut off; the longest right one has about forty."""

SENTENCES = 128
"""Number of sentences behind each accuracy; twice as many for all lengths."""

AT_ONCE = 64

OF_ALL_LENGTHS = "agreement"
"""The construction with sentences of every length: mixed groups would differ in more than length."""


@dataclass(frozen=True)
class Share:
    """A share: how many of `n` were right."""

    right: int
    n: int

    @property
    def value(self) -> float:
        return self.right / self.n

    @property
    def error(self) -> float:
        """One standard error of the share, from the binomial distribution."""
        return (self.value * (1 - self.value) / self.n) ** 0.5


@torch.inference_mode()
def translations(model: Pair, sentences: Sequence[Sentence]) -> list[tuple[str, ...]]:
    """Return the greedy translations of these sentences, without the end mark."""
    known, found = translation.vocabulary(), list[tuple[str, ...]]()
    for batch in _batches(sentences, device_of(model)):
        decoding = start_translation(model, batch.source, source_allowed=batch.source_allowed)
        rows = all_greedy(decoding, len(batch.source), **ends())
        found += [tuple(known.decode(torch.tensor(row, dtype=torch.long))) for row in rows]
    return found


def ends() -> dict[str, Any]:
    """Return the start, the ends and the longest length of a translation: arguments for decoding."""
    start, end = translation.vocabulary().encode([START, END])[0].tolist()
    return {"start": start, "ends": (end,), "longest": LONGEST}


def correct(model: Pair, sentences: Sequence[Sentence]) -> Share:
    """Return how many sentences are translated exactly as by the rules."""
    found = translations(model, sentences)
    expected = [translate(sentence).words for sentence in sentences]
    return Share(sum(one == other for one, other in zip(found, expected, strict=True)), len(sentences))


def by_length(model: Pair, *, seed: int = 0, n: int = SENTENCES) -> Mapping[tuple[int, int], Share]:
    """Count whole sentences right among `n` of each group of source lengths, all of one construction."""
    return {group: correct(model, sentences) for group, sentences in of_length(seed, n).items()}


@lru_cache(maxsize=8)
def of_length(seed: int, n: int) -> Mapping[tuple[int, int], tuple[Sentence, ...]]:
    """Return the first `n` test sentences in each group of source lengths."""
    drawn = translation.sentences(seed, split="test", constructions=[OF_ALL_LENGTHS])
    found: dict[tuple[int, int], list[Sentence]] = {group: [] for group in LENGTHS}
    while any(len(some) < n for some in found.values()):
        sentence = next(drawn)
        for (first, last), some in found.items():
            if first <= len(sentence.words) <= last and len(some) < n:
                some.append(sentence)
    return {group: tuple(some) for group, some in found.items()}


@torch.inference_mode()
def weights(model: Pair, sentences: Sequence[Sentence]) -> list[Float[Tensor, "layer head target source"]]:
    """Return the attention weights to the source; row t chooses word t. Raises ValueError without any."""
    if not attends(model):
        raise ValueError("a model with the fixed vector alone attends to nothing")
    found: list[Tensor] = []
    for batch in _batches(sentences, device_of(model)):
        trace = Trace(keep=["alignment", "*cross_attention.pattern"])
        model((batch.source, batch.tokens), source_allowed=batch.source_allowed, trace=trace)
        layers = torch.stack(list(trace.values()), dim=1).cpu()
        sizes = zip(batch.allowed[:, 0, 0].sum(dim=1), batch.source_allowed[:, 0, 0].sum(dim=1), strict=True)
        found += [row[..., : n - 1, :m] for row, (n, m) in zip(layers, sizes, strict=True)]
    return found


def error_rate(pairs: Iterable[tuple[Alignment, Alignment]]) -> float:
    """Return the alignment error rate of many sentences, each with found and exact links.

    All our links are sure: 1 − 2 |A ∩ S| / (|A| + |S|) over all sentences (Och & Ney 2003, section 5).
    """
    n_right, n_links = 0, 0
    for found, sure in pairs:
        n_right += len(found & sure)
        n_links += len(found) + len(sure)
    return 1 - 2 * n_right / n_links


def implied_links(weights: Float[Tensor, "target source"]) -> Alignment:
    """Return the links that attention implies: each target word to the source word of largest weight."""
    best = weights.abs().argmax(dim=-1).tolist()
    return frozenset((source, target) for target, source in enumerate(best))


def of_targets(links: Alignment, targets: Container[int]) -> Alignment:
    """Return the links of these target words."""
    return frozenset(link for link in links if link[1] in targets)


def by_head(
    weights: Sequence[Float[Tensor, "layer head target source"]],
    exact: Sequence[Alignment],
    targets: Sequence[Container[int]],
) -> Float[Tensor, "layer head"]:
    """Return the error rate of every head over many sentences, for the words in `targets`."""
    exact = [of_targets(*pair) for pair in zip(exact, targets, strict=True)]
    n_layers, n_heads = weights[0].shape[:2]
    rates = torch.zeros(n_layers, n_heads)
    for layer in range(n_layers):
        for head in range(n_heads):
            links = (implied_links(each[layer, head]) for each in weights)
            found = (of_targets(*pair) for pair in zip(links, targets, strict=True))
            rates[layer, head] = error_rate(zip(found, exact, strict=True))
    return rates


def alignment_error_rates(
    model: Pair, sentences: Sequence[Sentence], *, content: bool = False
) -> Float[Tensor, "layer head"]:
    """Return the alignment error rate of every head, over all words or `content` words only."""
    return rates_of(weights(model, sentences), sentences, content=content)


def rates_of(
    found: Sequence[Float[Tensor, "layer head target source"]],
    sentences: Sequence[Sentence],
    *,
    content: bool = False,
) -> Float[Tensor, "layer head"]:
    """Return the alignment error rate of every head with the attention weights `found`."""
    expected = [translate(sentence) for sentence in sentences]
    targets = [
        {i for i, word in enumerate(each.words) if not content or word in content_words()}
        for each in expected
    ]
    return by_head(found, [each.alignment for each in expected], targets)


def sentences_for_testing(*, seed: int = 0, n: int = SENTENCES) -> tuple[Sentence, ...]:
    """Return the test sentences of all lengths, twice `n`, for all error rates."""
    return _drawn(seed, "test", 2 * n)


@lru_cache(maxsize=8)
def _drawn(seed: int, split: Split, n: int) -> tuple[Sentence, ...]:
    """Return the first `n` sentences of a split, shared by all models that are measured on them."""
    return tuple(islice(translation.sentences(seed, split=split), n))


def best_head(model: Pair, *, content: bool = False, seed: int = 0, n: int = SENTENCES) -> tuple[int, int]:
    """Return layer and head with the lowest alignment error rate on validation sentences."""
    rates = alignment_error_rates(model, _drawn(seed, "validation", n), content=content)
    layer, head = divmod(int(rates.argmin()), rates.shape[1])
    return layer, head


def accuracies(model: Pair, *, seed: int = 0, n: int = SENTENCES) -> dict[str, float]:
    """Return shares of test sentences translated right, and alignment error rates of the best heads."""
    sentences = sentences_for_testing(seed=seed, n=n)
    found = {"sentences": correct(model, sentences).value}
    for (first, last), share in by_length(model, seed=seed, n=n).items():
        found[f"sentences {first}–{last}"] = share.value
    if attends(model):
        for what, content in (("alignment error rate", False), ("alignment error rate, content words", True)):
            layer, head = best_head(model, content=content, seed=seed, n=n)
            rates = alignment_error_rates(model, sentences, content=content)
            found[what] = rates[layer, head].item()
    return found


def near_to_training(recipe: Recipe, *, seed: int = 0, n: int = 1000) -> Share:
    """Count the test sentences that differ from a training sentence in at most one word."""
    batches = (sentences_of_batch(recipe.seed, step, recipe.batch_size) for step in range(recipe.steps))
    tested = islice(translation.sentences(seed, split="test"), n)
    return Share(sum(translation.with_a_neighbour(tested, chain.from_iterable(batches))), n)


def attends(model: Pair) -> bool:
    """Return whether a model attends to the source: all but those with the fixed vector alone."""
    return isinstance(model, EncoderDecoder) or model.has_attention


def _batches(sentences: Sequence[Sentence], device: torch.device) -> Iterator[PairBatch]:
    for first in range(0, len(sentences), AT_ONCE):
        some = sentences[first : first + AT_ONCE]
        yield pair_batch([(each.words, translate(each).words) for each in some]).to(device)
