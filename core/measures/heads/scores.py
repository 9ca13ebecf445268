"""Scores of each head for known kinds of heads."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int, Shaped

from core.measures.heads.sample import (
    SAMPLE_IN_PIECES,
    TWICE,
    Equal,
    Pairs,
    Patterns,
    longest_half,
    read_in_pieces,
    read_repeated,
    read_sample,
    sample_sentences,
    shown_texts,
)
from core.measures.heads.sinks import LEAST, MAJORITY
from core.measures.merging import equal_weights
from core.measures.prediction import entropy
from core.model.masks import NEXT_WORD
from core.model.models import Stack
from core.sources import LoadedModel, PretrainedInfo
from core.store import cached
from core.text.language import Sentence

Pair = tuple[int, int]
"""The positions of a query and a key, counted from 0."""

Cells = Callable[[Sentence, int], Iterable[Pair]]
"""Function of a sentence and `ahead` that gives the target pairs.

`ahead` is 1 for a model that predicts the next word, and 0 for a model that fills in.
"""


def _shifted(by: int) -> Cells:
    def cells(sentence: Sentence, ahead: int) -> Iterable[Pair]:
        n = len(sentence.words)
        return ((query, query + by) for query in range(n) if 0 <= query + by < n)

    return cells


def _mentions(sentence: Sentence, ahead: int) -> Iterable[Pair]:
    words = list(enumerate(sentence.words))
    return ((query, key) for query, word in words for key, other in words if query != key and word == other)


def _predicted(pairs: Iterable[tuple[int, int]], ahead: int) -> Iterable[Pair]:
    """Yield each pair from the position that predicts its first word, unless both are the same.

    There a next-word model has to know whether `is` or `are` comes; at the verb it has seen the answer. If
    the query is the target itself, its weight would not show that anything was found.
    """
    return ((word - ahead, other) for word, other in pairs if word - ahead not in (other, -1))


TARGETS: Mapping[str, Cells] = {
    "previous word": _shifted(-1),
    "next word": _shifted(1),
    "itself": _shifted(0),
    "first word": lambda it, _: ((query, 0) for query in range(1, len(it.words))),
    "full stop": lambda it, _: ((query, len(it.words) - 1) for query in range(len(it.words) - 1)),
    "same word": _mentions,
    "subject": lambda it, ahead: _predicted(((a.verb, a.subject) for a in it.agreements), ahead),
    "antecedent": lambda it, ahead: _predicted(((r.word, r.antecedent) for r in it.pronouns), ahead),
    "earlier mention": lambda it, ahead: _predicted(((r.word, r.antecedent) for r in it.repeats), ahead),
}
"""Target cells of each head score that has a target, by its name."""

FOCUS, ENTROPY, SPECIAL, INDUCTION = "focus", "entropy", "special tokens", "induction"

Columns = dict[str, Shaped[np.ndarray, "row"]]
Position = float | Int[np.ndarray, "layer head"]
"""A position in a sentence for every head, or one for all; NaN if there is none."""


@dataclass(frozen=True)
class HeadScore:
    """A score of every head at every counted query; equal weights would score `chance`.

    The example of a `typical` score is the sentence nearest to the mean, of others the one furthest above
    chance.
    """

    values: Float[np.ndarray, "layer head sentence query"]
    chance: Float[np.ndarray, "sentence query"]
    queries: Bool[np.ndarray, "sentence query"]
    typical: bool = False

    def means(self) -> Float[np.ndarray, "layer head"]:
        """Return the mean over all counted queries; NaN if there are none."""
        if not self.queries.any():
            return np.full(self.values.shape[:2], np.nan)
        return self.values[..., self.queries].mean(axis=-1)

    @property
    def baseline(self) -> float:
        """Mean of chance over all counted queries; NaN if there are none."""
        return float(self.chance[self.queries].mean()) if self.queries.any() else math.nan

    def best(self) -> Int[np.ndarray, "layer head"]:
        """Return the sentence that shows the score of each head best, by the mean over its queries."""
        n_queries = self.queries.sum(axis=-1)
        above = ((self.values - self.chance) * self.queries).sum(axis=-1) / np.maximum(n_queries, 1)
        if self.typical:
            above = -np.abs(above - (self.means() - self.baseline)[..., None])
        return np.where(n_queries, above, -np.inf).argmax(axis=-1)


def shares(patterns: Patterns, equal: Equal, seen: Pairs) -> HeadScore:
    """Return the share of attention on the allowed keys `seen`, at queries that also have another key."""
    values = np.einsum("lhsqk,sqk->lhsq", patterns, seen.astype(patterns.dtype))
    return HeadScore(values, (equal * seen).sum(axis=-1), seen.any(axis=-1) & (_n_allowed(equal) > 1))


def entropies(patterns: Patterns, equal: Equal) -> HeadScore:
    """Return the entropy in bits of every row with a choice."""
    bits, chance = (entropy(weights) for weights in (patterns, equal))
    return HeadScore(bits, chance, _n_allowed(equal) > 1, typical=True)


def focus(bits: HeadScore, equal: Equal) -> HeadScore:
    """Return how far entropies are below the largest possible, as shares comparable across lengths."""
    largest = np.where(bits.queries, np.log2(np.maximum(_n_allowed(equal), 1)), 1)
    chance = np.maximum(1 - bits.chance / largest, 0)
    return HeadScore(1 - bits.values / largest, chance, bits.queries, typical=True)


def _n_allowed(equal: Equal) -> Int[np.ndarray, "sentence query"]:
    return np.asarray((equal > 0).sum(axis=-1))


def head_scores(
    patterns: Patterns,
    allowed: Pairs,
    sample: Sequence[Sentence],
    *,
    ahead: int,
    special: Pairs | None = None,
    equal: Equal | None = None,
) -> pd.DataFrame:
    """Return a row for each layer, head (both from 1) and score that has a query in the sample.

    Columns: `value`, the mean over `places` queries; `baseline`, the score of equal weights; `sentence`, the
    number of the sentence that shows the score best; `query` and `key`, its strongest cell there. `allowed`
    is False for padding, `ahead` is as in `Cells`, and `special` are positions of special tokens.
    """
    equal = equal_weights(allowed) if equal is None else equal
    targets = _looked_for(tuple(sample), ahead, allowed.shape[-1])
    wanted = {name: seen & allowed for name, seen in targets.items()}
    if special is not None:
        wanted[SPECIAL] = special
    found = []
    for name, seen in wanted.items():
        score = shares(patterns, equal, seen)
        if score.queries.any():
            found.append(_columns(name, score, **_strongest(score, patterns, seen)))
    bits = entropies(patterns, equal)
    return _table([*found, _columns(FOCUS, focus(bits, equal)), _columns(ENTROPY, bits)])


def above_chance(table: pd.DataFrame) -> pd.DataFrame:
    """Return the `head_scores` about where attention goes; `above` is the margin over equal weights."""
    shares = table[~table["score"].isin((FOCUS, ENTROPY))]
    return shares.assign(above=shares["value"] - shares["baseline"])


@cached
def _looked_for(sample: tuple[Sentence, ...], ahead: int, width: int) -> Mapping[str, Pairs]:
    """Return the pairs that every target looks for in these sentences; shared, and therefore read-only."""
    return MappingProxyType({name: _pairs(cells, sample, ahead, width) for name, cells in TARGETS.items()})


def _pairs(cells: Cells, sample: Sequence[Sentence], ahead: int, width: int) -> Pairs:
    pairs = np.zeros((len(sample), width, width), dtype=bool)
    for matrix, sentence in zip(pairs, sample, strict=True):
        for query, key in cells(sentence, ahead):
            matrix[query, key] = True
    pairs.flags.writeable = False
    return pairs


def _table(found: Sequence[Columns]) -> pd.DataFrame:
    joined = {name: np.concatenate([columns[name] for columns in found]) for name in found[0]}
    return pd.DataFrame(joined).astype({"query": "Int64", "key": "Int64"})


def _columns(name: str, score: HeadScore, *, query: Position = np.nan, key: Position = np.nan) -> Columns:
    """Return the columns of `head_scores` for one score, a row for each head; `query`, `key` are its cell."""
    values = score.means()
    layer, head = np.indices(values.shape) + 1
    columns = {
        "layer": layer,
        "head": head,
        "score": name,
        "value": values,
        "baseline": score.baseline,
        "places": score.queries.sum(),
        "sentence": score.best(),
        "query": query,
        "key": key,
    }
    return {column: np.broadcast_to(entry, values.shape).ravel() for column, entry in columns.items()}


def _strongest(score: HeadScore, patterns: Patterns, seen: Pairs) -> dict[str, Position]:
    """Return the strongest cell of each head, in the sentence that shows its score best."""
    layer, head = np.indices(patterns.shape[:2])
    best = score.best()
    above = np.where(score.queries, score.values - score.chance, -np.inf)[layer, head, best]
    query = above.argmax(axis=-1)
    return {
        "query": query,
        "key": np.where(seen[best, query], patterns[layer, head, best, query], -1).argmax(axis=-1),
    }


def measure_heads(loaded: LoadedModel, *, width: int | None = None) -> pd.DataFrame:
    """Return the `head_scores` of a model on our sample, within a window if given.

    A pretrained model reads fewer sentences, in pieces; a next-word model also gets an induction score.
    """
    if loaded.pretrained is not None:
        return _measure_in_pieces(loaded, loaded.pretrained, width=width)
    sample, ahead = sample_sentences(), 1 if loaded.model.config.objective == NEXT_WORD else 0
    return head_scores(*read_sample(loaded.model, sample, width=width), sample, ahead=ahead)


def _measure_in_pieces(loaded: LoadedModel, one: PretrainedInfo, *, width: int | None) -> pd.DataFrame:
    sample = sample_sentences()[:SAMPLE_IN_PIECES]
    patterns, allowed, special, equal = read_in_pieces(loaded, one, sample, width=width)
    named, ahead = special if special.any() else None, int(loaded.predicts_next)
    found = head_scores(patterns, allowed, sample, ahead=ahead, special=named, equal=equal)
    if not loaded.predicts_next:
        return found
    last = found["score"].isin((FOCUS, ENTROPY))
    induction = induction_scores(loaded.model, width=width)
    return pd.concat([found[~last], induction, found[last]], ignore_index=True)


def induction_scores(model: Stack, *, width: int | None = None) -> pd.DataFrame:
    """Return the `head_scores` for induction, on repeated random tokens; no rows in a narrow window."""
    patterns, allowed, wanted = read_repeated(model, half=longest_half(model.config), width=width)
    score = shares(patterns, equal_weights(allowed), wanted)
    if not score.queries.any():
        return pd.DataFrame()
    half = len(TWICE.split()) // 2
    query = half + half // 2
    columns = _columns(INDUCTION, score, query=query, key=query - half + 1)
    return _table([columns]).assign(sentence=len(shown_texts()) - 1)


KINDS: Mapping[str, str] = {
    INDUCTION: "induction",
    "previous word": "previous token",
    "next word": "next token",
    "first word": "first-token sink",
    SPECIAL: "special-token sink",
}
"""The name of a kind, by the score of its heads."""


def kinds_of_heads(scores: pd.DataFrame) -> dict[tuple[int, int], tuple[str, ...]]:
    """Return the scores for which heads have a name, by layer and head from 1; most heads have none.

    `scores` is a table of `head_scores`. A head is of a kind if it gives on average more than half of its
    attention to the word that the score is about: half is the threshold of an attention sink, too. In a
    narrow window half may be no more than chance, so it also has to be clearly above equal weights.
    """
    is_above = scores["value"] - scores["baseline"] >= LEAST * (1 - scores["baseline"])
    high = scores[scores["score"].isin(list(KINDS)) & (scores["value"] > MAJORITY) & is_above]
    found: dict[tuple[int, int], tuple[str, ...]] = {}
    for kind in KINDS:
        of_kind = high[high["score"] == kind]
        for head in zip(of_kind["layer"].tolist(), of_kind["head"].tolist(), strict=True):
            found[head] = (*found.get(head, ()), kind)
    return found
