"""How much each head does of what a kind of head is known for."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np
import pandas as pd
import torch
from einops import rearrange
from jaxtyping import Bool, Float, Int, Shaped
from torch import Tensor, nn

from core.device import device_of
from core.learning.tasks.sentences import rows
from core.measures.distance import costs
from core.measures.distance.costs import HEAD_KINDS, HeadKind
from core.measures.equal_weights import equal_weights
from core.measures.heads.compared import TWICE, longest_half, read_repeated
from core.measures.heads.sample_in_pieces import read_in_pieces
from core.measures.prediction import entropy
from core.model.attention import attention_pattern, attention_scores
from core.model.forward import PATTERNS, forward_pass
from core.model.initialisation import initialise, normal
from core.model.masks import MASKS, NEXT_WORD
from core.model.masks.combining import padding, window
from core.model.models import Stack
from core.sources import LoadedModel, PretrainedInfo
from core.store import stored
from core.text.language import Sentence, sentences

Cells = Iterable[tuple[int, int]]
"""Positions of a query and a key, counted from 0."""


@dataclass(frozen=True)
class Target:
    """A kind of word to look for; `meaning` ends the sentence "the share of attention on …".

    `cells` gives the queries that could look for one, each with the key it is at. Its second argument says
    how far before a word the model's prediction of it stands: 1 for a model of the next word, 0 for
    one that fills in words.
    """

    meaning: str
    cells: Callable[[Sentence, int], Cells]


def _shifted(by: int) -> Callable[[Sentence, int], Cells]:
    def cells(sentence: Sentence, ahead: int) -> Cells:
        n = len(sentence.words)
        return ((query, query + by) for query in range(n) if 0 <= query + by < n)

    return cells


def _first_word(sentence: Sentence, ahead: int) -> Cells:
    return ((query, 0) for query in range(1, len(sentence.words)))


def _last_mark(sentence: Sentence, ahead: int) -> Cells:
    last = len(sentence.words) - 1
    return ((query, last) for query in range(last))


def _mentions(sentence: Sentence, ahead: int) -> Cells:
    words = list(enumerate(sentence.words))
    return ((query, key) for query, word in words for key, other in words if query != key and word == other)


def _subject(sentence: Sentence, ahead: int) -> Cells:
    return _predicted(((a.verb, a.subject) for a in sentence.agreements), ahead)


def _antecedent(sentence: Sentence, ahead: int) -> Cells:
    return _predicted(((r.word, r.antecedent) for r in sentence.pronouns), ahead)


def _earlier_mention(sentence: Sentence, ahead: int) -> Cells:
    return _predicted(((r.word, r.antecedent) for r in sentence.repeats), ahead)


def _predicted(pairs: Iterable[tuple[int, int]], ahead: int) -> Cells:
    """From where the first of a pair is predicted to the second, unless both are the same position.

    There a model of the next word has to know whether `is` or `are` comes; at the verb itself it has been
    told. Where the position asked is the one sought, its weight would not tell that anything was found.
    """
    return ((word - ahead, other) for word, other in pairs if word - ahead not in (other, -1))


TARGETS = MappingProxyType(
    {
        "previous word": Target("the word before", _shifted(-1)),
        "next word": Target("the word after", _shifted(1)),
        "itself": Target("the query word itself", _shifted(0)),
        "first word": Target("the first word, from all others", _first_word),
        "full stop": Target("the mark at the end, from all other words", _last_mark),
        "same word": Target("other mentions of the query word", _mentions),
        "subject": Target("a verb's subject", _subject),
        "antecedent": Target("what a pronoun stands for", _antecedent),
        "earlier mention": Target("an earlier mention of the same noun or name", _earlier_mention),
    }
)
"""Every kind of word by its name."""


WORDS_COMPARED = 7


class HeadsOfKind(nn.Module):
    """One attention layer without biases whose heads are of one kind.

    `query`, `key` and `value` hold the matrices of all heads, (head, d_in, d_head); `output` takes what the
    heads return, side by side, back to d_model.
    """

    def __init__(self, heads: HeadKind, *, d_model: int, n_heads: int) -> None:
        super().__init__()
        d_in, d_head = costs.head_widths(heads, d_model=d_model, n_heads=n_heads)
        self.heads, self.n_heads, self.scale = heads, n_heads, d_head**-0.5
        self.query, self.key, self.value = (
            nn.Parameter(torch.empty(n_heads, d_in, d_head)) for _ in range(3)
        )
        self.output = nn.Parameter(torch.empty(n_heads * d_head, d_model))

    def forward(
        self,
        x: Float[Tensor, "batch word d_model"],
        *,
        allowed: Bool[Tensor, "#batch #head #word word"],
    ) -> Float[Tensor, "batch word d_model"]:
        """Words of `x` attend to each other where `allowed`."""
        given = self._given(x)
        q, k, v = given @ self.query, given @ self.key, given @ self.value
        pattern = attention_pattern(attention_scores(q, k, scale=self.scale), allowed)
        z = rearrange(pattern @ v, "batch head word d_head -> batch word (head d_head)")
        return z @ self.output

    def _given(self, x: Float[Tensor, "batch word d_model"]) -> Float[Tensor, "batch #head word d_in"]:
        """What each head sees of every word: a slice of its vector, or all of it."""
        if self.heads == "narrow":
            return rearrange(x, "batch word (head d_in) -> batch head word d_in", head=self.n_heads)
        return rearrange(x, "batch word d_in -> batch 1 word d_in")


def torchs(ours: HeadsOfKind) -> nn.MultiheadAttention:
    """torch's own multi-head attention with the weights of our standard heads."""
    d_model = ours.output.shape[1]
    dtype = ours.output.dtype
    theirs = nn.MultiheadAttention(d_model, ours.n_heads, bias=False, batch_first=True, dtype=dtype)
    stacked = [rearrange(part, "head d_in d_head -> (head d_head) d_in") for part in _projections(ours)]
    state = {"in_proj_weight": torch.cat(stacked).data, "out_proj.weight": ours.output.T.data}
    theirs.load_state_dict(state)
    return theirs


def distance_to_torch(*, d_model: int, n_heads: int, seed: int = 0) -> float:
    """How far our standard heads are from torch's at most, with the same random weights on random words.

    In double precision, where rounding cannot be taken for a difference.
    """
    ours = HeadsOfKind("standard", d_model=d_model, n_heads=n_heads)
    initialise(ours, seed=seed)
    ours.double()
    x = normal((1, WORDS_COMPARED, d_model), seed=seed, name="words").double()
    allowed = torch.ones(1, 1, WORDS_COMPARED, WORDS_COMPARED, dtype=torch.bool)
    with torch.inference_mode():
        theirs, _ = torchs(ours)(x, x, x, need_weights=False)
        return float((ours(x, allowed=allowed) - theirs).abs().max())


def kinds_table(n_heads: Iterable[int], *, d_model: int, n_words: int) -> pd.DataFrame:
    """What a layer of every kind costs, for each number of heads.

    Columns `kind`, `heads`, `matrix` (rows and columns of one head's query matrix, such as `64 × 16`),
    `parameters` and `operations` (of one forward pass over `n_words` words).
    """
    rows = [
        (
            kind,
            count,
            " × ".join(map(str, costs.head_widths(kind, d_model=d_model, n_heads=count))),
            costs.head_parameters(kind, d_model=d_model, n_heads=count),
            costs.head_operations(kind, n_words, d_model=d_model, n_heads=count),
        )
        for kind in HEAD_KINDS
        for count in n_heads
    ]
    return pd.DataFrame(rows, columns=["kind", "heads", "matrix", "parameters", "operations"])


def _projections(layer: HeadsOfKind) -> tuple[Tensor, Tensor, Tensor]:
    return layer.query, layer.key, layer.value


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
