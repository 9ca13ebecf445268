"""What the heads of a model do: where their attention goes in a sample of sentences, beside plain chance."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np
import pandas as pd
from einops import rearrange
from jaxtyping import Bool, Float, Int, Shaped

from core.device import device_of
from core.learning.tasks.sentences import rows
from core.measures.equal_weights import equal_weights
from core.measures.heads.head_targets import TARGETS, Target
from core.measures.heads.induction import TWICE, longest_half, read_repeated
from core.measures.heads.sample_in_pieces import read_in_pieces
from core.measures.softmax import entropy
from core.model.forward import PATTERNS, forward_pass
from core.model.masks import MASKS, NEXT_WORD
from core.model.masks.combining import padding, window
from core.model.models import Stack
from core.sources import LoadedModel, PretrainedInfo
from core.store import stored
from core.text.language import Sentence, sentences

SAMPLE, SHORTEST, LONGEST = 128, 5, 24
"""How many sentences heads are measured on, and of how many words: long enough to have something to find."""

APART = dict.fromkeys(range(2, 17), 1.0)
"""Distances of subject and verb in agreement sentences: the neighbour of a verb need not be sought."""

SAMPLE_IN_PIECES = 32
"""How many of them a pretrained model is measured on: it is larger."""

FOCUS, ENTROPY, SPECIAL, INDUCTION = "focus", "entropy", "special tokens", "induction"
LOOKED_AT = {
    **{name: target.meaning for name, target in TARGETS.items()},
    SPECIAL: "special tokens, from all words",
    INDUCTION: "what came after the query token the last time, in random tokens that are repeated",
}
"""What the attention is on whose share is a score."""

MEANINGS = {
    **{name: f"the share of attention on {what}" for name, what in LOOKED_AT.items()},
    FOCUS: "1 − entropy / the largest possible: 0 where all words get the same, 1 where one word gets all",
    ENTROPY: "the entropy of the weights, in bits",
}
"""What every score measures."""

Patterns = Float[np.ndarray, "layer head sentence query key"]
Pairs = Bool[np.ndarray, "sentence query key"]
Equal = Float[np.ndarray, "sentence query key"]
Columns = dict[str, Shaped[np.ndarray, "row"]]
Position = float | Int[np.ndarray, "layer head"]
"""A position in a sentence for every head, or one for all; not a number where there is none."""


@dataclass(frozen=True)
class Measured:
    """A score of every head at every query; `queries` are those that count.

    `chance` is what equal weights on all that may be seen would give. A `typical` score is shown best by
    the sentence nearest to the mean, any other by the one highest above chance.
    """

    values: Float[np.ndarray, "layer head sentence query"]
    chance: Float[np.ndarray, "sentence query"]
    queries: Bool[np.ndarray, "sentence query"]
    typical: bool = False

    def means(self) -> Float[np.ndarray, "layer head"]:
        """The mean over all queries that count; not a number where there is none."""
        if not self.queries.any():
            return np.full(self.values.shape[:2], np.nan)
        return self.values[..., self.queries].mean(axis=-1)

    @property
    def baseline(self) -> float:
        """The mean of chance over all queries that count; not a number where there is none."""
        return float(self.chance[self.queries].mean()) if self.queries.any() else math.nan

    def best(self) -> Int[np.ndarray, "layer head"]:
        """The sentence that shows the score of each head best, by the mean over its queries."""
        n_queries = self.queries.sum(axis=-1)
        above = ((self.values - self.chance) * self.queries).sum(axis=-1) / np.maximum(n_queries, 1)
        if self.typical:
            above = -np.abs(above - (self.means() - self.baseline)[..., None])
        return np.where(n_queries, above, -np.inf).argmax(axis=-1)


def shares(patterns: Patterns, equal: Equal, seen: Pairs) -> Measured:
    """The share of attention on `seen`, which are allowed, at every query that has one and a choice."""
    values = np.einsum("lhsqk,sqk->lhsq", patterns, seen.astype(patterns.dtype))
    return Measured(values, (equal * seen).sum(axis=-1), seen.any(axis=-1) & (_n_allowed(equal) > 1))


def entropies(patterns: Patterns, equal: Equal) -> Measured:
    """The entropy in bits of every row with a choice."""
    bits, chance = (entropy(weights) for weights in (patterns, equal))
    return Measured(bits, chance, _n_allowed(equal) > 1, typical=True)


def focus(bits: Measured, equal: Equal) -> Measured:
    """How far an entropy stays below the largest possible, as a share of it: rows of any length compare."""
    largest = np.where(bits.queries, np.log2(np.maximum(_n_allowed(equal), 1)), 1)
    chance = np.maximum(1 - bits.chance / largest, 0)
    return Measured(1 - bits.values / largest, chance, bits.queries, typical=True)


def _n_allowed(equal: Equal) -> Int[np.ndarray, "sentence query"]:
    """How many keys each query may see."""
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
    """A row for each layer, head (both from 1) and score that has a query in the sample.

    Columns: `value`, the mean over `places` queries; `baseline`, the same for equal weights on all that may
    be seen; `sentence`, the number in the sample of the one that shows it best, and there the strongest cell,
    `query` and `key`, missing for a score that no cell has. `allowed` is False for padding, as query and as
    key; `ahead` is that of `Target`, and `special` are the keys that are special tokens, if there are any.
    Equal weights are the same for all words unless `equal` says otherwise: a word may have several pieces.
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
    """Of `head_scores` those that say where attention goes; `above` tells how far above equal weights."""
    shares = table[~table["score"].isin((FOCUS, ENTROPY))]
    return shares.assign(above=shares["value"] - shares["baseline"])


@stored
def _looked_for(sample: tuple[Sentence, ...], ahead: int, width: int) -> Mapping[str, Pairs]:
    """What every target's queries look for in these sentences; shared by all, so nobody may write to it."""
    return MappingProxyType({name: _pairs(target, sample, ahead, width) for name, target in TARGETS.items()})


def _pairs(target: Target, sample: Sequence[Sentence], ahead: int, width: int) -> Pairs:
    pairs = np.zeros((len(sample), width, width), dtype=bool)
    for matrix, sentence in zip(pairs, sample, strict=True):
        for query, key in target.cells(sentence, ahead):
            matrix[query, key] = True
    pairs.flags.writeable = False
    return pairs


def _table(found: Sequence[Columns]) -> pd.DataFrame:
    """The rows of several scores, one below the other."""
    joined = {name: np.concatenate([columns[name] for columns in found]) for name in found[0]}
    return pd.DataFrame(joined).astype({"query": "Int64", "key": "Int64"})


def _columns(name: str, score: Measured, *, query: Position = np.nan, key: Position = np.nan) -> Columns:
    """What `head_scores` says of one score, a row for each head; `query` and `key` say at which cell."""
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


def _strongest(score: Measured, patterns: Patterns, seen: Pairs) -> dict[str, Position]:
    """The cell at which each head shows a score most, in the sentence that shows it best."""
    layer, head = np.indices(patterns.shape[:2])
    best = score.best()
    above = np.where(score.queries, score.values - score.chance, -np.inf)[layer, head, best]
    query = above.argmax(axis=-1)
    return {
        "query": query,
        "key": np.where(seen[best, query], patterns[layer, head, best, query], -1).argmax(axis=-1),
    }


@cache
def sample_sentences() -> tuple[Sentence, ...]:
    """The sentences that heads are measured on: distinct, none of them trained on, always the same."""
    drawn = (s for s in sentences(0, split="test", distance=APART) if SHORTEST <= len(s.words) <= LONGEST)
    distinct: dict[tuple[str, ...], Sentence] = {}
    while len(distinct) < SAMPLE:
        sentence = next(drawn)
        distinct[sentence.words] = sentence
    return tuple(distinct.values())


@cache
def shown_texts() -> tuple[str, ...]:
    """What shows a score best, by its number in `head_scores`; after the sample the words said twice."""
    return (*(" ".join(sentence.words) for sentence in sample_sentences()), TWICE.strip())


def read_sample(
    model: Stack, sample: Sequence[Sentence], *, width: int | None = None
) -> tuple[Patterns, Pairs]:
    """The patterns of a model of the language over `sample`, padded at the end, and what could be seen.

    With a `width`, only within that window.
    """
    tokens, lengths = rows([sentence.words for sentence in sample])
    device, n = device_of(model), tokens.shape[1]
    real = padding(lengths, n)
    narrowed = real if width is None else real & window(n, n, width=width)
    forward = forward_pass(
        model,
        tokens.to(device),
        allowed=narrowed.to(device),
        given=MASKS[model.config.mask].given(lengths.to(device)),  # of each sentence, not of its padded row
        keep=PATTERNS,
        states_only=True,
    )
    patterns = rearrange(forward.patterns(), "layer sentence head query key -> layer head sentence query key")
    allowed = forward.allowed()[:, 0].cpu() & real[:, 0, 0, :, None]
    return patterns.cpu().contiguous().numpy(), allowed.numpy()


def measure_heads(loaded: LoadedModel, *, width: int | None = None) -> pd.DataFrame:
    """The `head_scores` of a model on our sample, within a window or not.

    The words that it was loaded with are not asked for: its vocabulary is to have those of the sample. A
    pretrained model reads fewer sentences, in pieces that are merged into words; one that was trained to read
    on gets a score for induction too.
    """
    if loaded.pretrained is not None:
        return _measure_in_pieces(loaded, loaded.pretrained, width=width)
    sample, ahead = sample_sentences(), 1 if loaded.model.config.objective == NEXT_WORD else 0
    return head_scores(*read_sample(loaded.model, sample, width=width), sample, ahead=ahead)


def _measure_in_pieces(loaded: LoadedModel, one: PretrainedInfo, *, width: int | None) -> pd.DataFrame:
    """The scores of a pretrained model."""
    sample = sample_sentences()[:SAMPLE_IN_PIECES]
    patterns, allowed, special, equal = read_in_pieces(loaded, one, sample, width=width)
    named, ahead = special if special.any() else None, int(loaded.reads_on)
    found = head_scores(patterns, allowed, sample, ahead=ahead, special=named, equal=equal)
    if not loaded.reads_on:
        return found
    last = found["score"].isin((FOCUS, ENTROPY))
    induction = induction_scores(loaded.model, width=width)
    return pd.concat([found[~last], induction, found[last]], ignore_index=True)


def induction_scores(model: Stack, *, width: int | None = None) -> pd.DataFrame:
    """A row of `head_scores` for each head, on repeated random tokens; no rows where a window hides the last.

    What shows it is the sentence of words said twice, at a word in the middle of its second half.
    """
    patterns, allowed, wanted = read_repeated(model, half=longest_half(model.config), width=width)
    score = shares(patterns, equal_weights(allowed), wanted)
    if not score.queries.any():
        return pd.DataFrame()
    half = len(TWICE.split()) // 2
    query = half + half // 2
    columns = _columns(INDUCTION, score, query=query, key=query - half + 1)
    return _table([columns]).assign(sentence=len(shown_texts()) - 1)
