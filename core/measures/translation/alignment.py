"""Source words that a translator aligns, and its error rates."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import flop_registry

from core.arrays import array_of
from core.learning.checkpoints import Record
from core.learning.collection.translators import RECURRENT_WIDTH, recurrent_pair
from core.learning.evaluation.translation import (
    SENTENCES,
    best_head,
    error_rate,
    implied_links,
    of_targets,
    rates_of,
    sentences_for_testing,
)
from core.learning.evaluation.translation import weights as weights_of
from core.learning.training import Pair
from core.model.alignment import SCORE_FUNCTIONS
from core.model.recurrent_pair import RecurrentPairConfig
from core.text import language
from core.text.translation import Translation, translate
from core.text.translation.forms import content_words


@dataclass(frozen=True)
class ReferenceTranslation:
    """The translation by the rules; None for a sentence outside the language, and `why` says where."""

    translation: Translation | None
    why: str = ""


def reference(words: Sequence[str]) -> ReferenceTranslation:
    """Return the translation by the rules, or why there is none."""
    try:
        return ReferenceTranslation(translate(language.parse(words)))
    except ValueError as error:
        return ReferenceTranslation(None, str(error))


def targets_of(reference: Translation, *, content: bool) -> frozenset[int]:
    """Return the positions of the words of a translation, or of its content words only."""
    return frozenset(at for at, word in enumerate(reference.words) if not content or word in content_words())


def n_right(weights: Float[np.ndarray, "target source"], reference: Translation, *, content: bool) -> int:
    """Return how many words of a translation attend most to a word that they translate."""
    links = implied_links(torch.tensor(weights[: len(reference.words)]))
    targets = targets_of(reference, content=content)
    return len(of_targets(links, targets) & reference.alignment)


def rates_of_test_set(model: Pair, *, n: int = SENTENCES) -> pd.DataFrame:
    """Return the error rates of every head, `layer` and `head` from 1, on test sentences.

    Columns: layer, head, all words, content words and best, chosen on validation sentences.
    """
    sentences, best = sentences_for_testing(n=n), best_head(model, content=True, n=n)
    found = weights_of(model, sentences)
    every, content = (array_of(rates_of(found, sentences, content=only)) for only in (False, True))
    layer, head = (indices.flatten() + 1 for indices in np.indices(every.shape))
    rates = {"all words": every.flatten(), "content words": content.flatten()}
    is_best = (layer == best[0] + 1) & (head == best[1] + 1)
    return pd.DataFrame({"layer": layer, "head": head, **rates, "best": is_best})


ALL_WORDS, CONTENT_WORDS = "alignment error rate", "alignment error rate, content words"

COSTS_KEPT = 256
"""Greatest number of costs cached: they depend on sentence lengths, and there are many lengths."""


@dataclass(frozen=True)
class Cost:
    """Parameters of a score function, and its multiplications."""

    parameters: int
    multiplications: int


@dataclass(frozen=True)
class TranslatorQuality:
    """Quality of a translator, NaN where unknown: `right` sentences, error rates, content words hit."""

    right: float
    error: float
    content_error: float
    hits: float


def pair_of(score: str) -> RecurrentPairConfig:
    """Return the translator with this score function; score functions are compared with LSTMs."""
    return recurrent_pair("lstm", score)


@lru_cache(maxsize=COSTS_KEPT)
def cost(score: str, n_targets: int = 1, n_sources: int = 1, d_model: int = RECURRENT_WIDTH) -> Cost:
    """Count the parameters and multiplications (of matrix products) that score these numbers of states."""
    function = SCORE_FUNCTIONS[score](d_model)
    q, k = (torch.zeros(1, 1, n, d_model) for n in (n_targets, n_sources))
    with torch.no_grad(), _Multiplications() as counted:
        function(q, k)
    return Cost(sum(each.numel() for each in function.parameters()), counted.n)


class _Multiplications(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """A counter of the multiplications of every matrix product, in this thread alone."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.n = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        found = func(*args, **(kwargs or {}))
        operations = flop_registry.get(func.overloadpacket)
        if operations is not None:
            self.n += operations(*args, **(kwargs or {}), out_val=found) // 2  # one half are additions
        return found


def judged(record: Record) -> TranslatorQuality:
    """Return the quality of a translator from its record."""
    known, nothing = record.accuracies, float("nan")
    content_error = known.get(CONTENT_WORDS, nothing)
    return TranslatorQuality(
        right=known.get("sentences", nothing),
        error=known.get(ALL_WORDS, nothing),
        content_error=content_error,
        hits=share_aligned(content_error),
    )


@cache
def chance() -> float:
    """Return how often a random source word is translated by a content word of these sentences."""
    found = _tested()
    shares = [
        sum(link[1] == at for link in each.alignment) / n
        for each, at_content, n in found
        for at in at_content
    ]
    return sum(shares) / len(shares)


def same_place(n_targets: int, n_sources: int) -> Float[np.ndarray, "target source"]:
    """Return all weight on the source word at the same relative position: a baseline that reads no word."""
    positions = np.rint(np.linspace(0, n_sources - 1, n_targets)).astype(int)
    return np.eye(n_sources, dtype=np.float32)[positions]


@cache
def judged_by_place(n: int | None = None) -> TranslatorQuality:
    """Return how well the same relative position aligns the first `n` test sentences, or all."""
    tested = _tested()[:n]
    links = [(implied_links(torch.tensor(same_place(len(each.words), n))), each) for each, _, n in tested]
    of_content = [at_content for _, at_content, _ in tested]
    content = [
        (of_targets(found, positions), of_targets(each.alignment, positions))
        for (found, each), positions in zip(links, of_content, strict=True)
    ]
    found_right = sum(len(found & exact) for found, exact in content)
    return TranslatorQuality(
        right=float("nan"),
        error=error_rate((found, each.alignment) for found, each in links),
        content_error=error_rate(content),
        hits=found_right / sum(map(len, of_content)),
    )


def share_aligned(content_error: float) -> float:
    """Return the share of content words that attend most to a word that they translate."""
    return (1 - content_error) / most_found()


@cache
def most_found() -> float:
    """Return 2 |A| / (|A| + |S|) of the test sentences: a share is (1 − error rate) / this.

    |A| links are found, one for each content word; |S|, the exact ones, are more.
    """
    n_found = sum(len(at_content) for _, at_content, _ in _tested())
    n_exact = sum(at in at_content for each, at_content, _ in _tested() for _, at in each.alignment)
    return 2 * n_found / (n_found + n_exact)


@cache
def _tested() -> tuple[tuple[Translation, frozenset[int], int], ...]:
    """Return the test translations, the places of their content words, and the lengths of their sources."""
    return tuple(
        (found, targets_of(found, content=True), len(sentence.words))
        for sentence in sentences_for_testing()
        for found in [translate(sentence)]
    )
