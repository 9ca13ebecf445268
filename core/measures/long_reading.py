"""A long text read by a model: only the input of each layer is kept, the rest is computed again."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from threading import Lock

import numpy as np
from jaxtyping import Bool, Float

from core.arrays import array_of, read_only
from core.measures.heads.sinks import largest_shares
from core.measures.merging import Groups, merge, merge_allowed
from core.measures.prediction import Head, ablation_edits, entropy
from core.measures.reading import FLOAT, HeadResults, Reading, WholeReading, read
from core.model.config import ModelConfig
from core.model.forward import ForwardPass, LayerHeads, attention_again, forward_pass, trace_path
from core.model.masks.combining import window_if_any
from core.model.models import Stack
from core.model.trace import Edit, Keep, whole
from core.sources import LoadedModel

LONG = 256
"""Number of words above which patterns are not kept, even for a small model."""

LARGEST_PATTERNS = 64 * 2**20
"""Bytes above which the patterns of a large model are not kept, even for a short text."""

EMPTY: Mapping[str, Edit] = {}

_TURN = Lock()
"""Lock for computing weights of a long text: at most one layer is in memory without being kept."""

Heads = Float[np.ndarray, "head query key"]


MOST_BLOCKS = 64
"""Greatest number of blocks in a row that are kept of each head, more than a small tile can show."""

PerHead = Float[np.ndarray, "layer head"]


@dataclass(frozen=True, eq=False)
class Overview:
    """Blocks of `side` × `side` weights of every head, by their maximum; a mean would hide single weights.

    For each head, `bits` is the mean entropy of its rows, and `distance` the mean distance in rows from its
    queries to the keys that they attend to. `shares` are for `core.measures.heads.sinks`.
    """

    side: int
    blocks: Float[np.ndarray, "layer head block_of_queries block_of_keys"]
    allowed: Bool[np.ndarray, "block_of_queries block_of_keys"]
    bits: PerHead
    largest: PerHead
    distance: PerHead
    shares: PerHead


class LongReading(Reading):
    """One forward pass over many words; only the patterns of the last requested layer and head are kept.

    `model` returns the model, which may have left memory since. The pass was made with `edits`.
    """

    def __init__(
        self,
        words: Sequence[str],
        forward: ForwardPass,
        unknown: tuple[int, ...],
        model: Callable[[], Stack],
        edits: Mapping[str, Edit] = EMPTY,
    ) -> None:
        super().__init__(words, forward, unknown)
        self._model, self._edits = model, edits
        self._layer = lru_cache(maxsize=1)(self._compute_layer)
        self._head = lru_cache(maxsize=1)(self._compute_head)

    @property
    def most_bytes(self) -> int:
        """Bytes that the reading holds, with one layer's patterns and one head's matrices."""
        n = len(self.words)
        vectors = 4 * n * self.config.d_head + n * self.config.d_model
        return self.forward.n_bytes + FLOAT * ((self.config.n_heads + 3) * n**2 + vectors)

    def of_layer(self, layer: int) -> Heads:
        return self._layer(layer)

    def vectors(self, layer: int, name: str) -> Float[np.ndarray, "head word d_head"]:
        nothing: Keep = dict.fromkeys(
            (trace_path(layer, "scores"), trace_path(layer, "pattern")), lambda value: value.new_empty(0)
        )
        with _TURN:
            heads = self._attend(layer, {**nothing, **whole(trace_path(layer, "*"))}).heads(layer)
        return array_of(getattr(heads, name)[0])

    def head(self, layer: int, head: int) -> HeadResults:
        return self._one_of(self._head(layer, head), 0)

    def overview(self, groups: Groups | None = None, special: Collection[int] = ()) -> Overview:
        """Return all heads between positions, or words by `groups`; `special` are rows of special tokens."""
        allowed = self.allowed() if groups is None else merge_allowed(self.allowed(), groups)
        with _TURN:
            patterns = (self._patterns(layer) for layer in range(self.config.n_layers))
            shown = (one if groups is None else merge(one, groups) for one in patterns)
            return overview(shown, allowed, special)

    def means(self, n_layers: int) -> Float[np.ndarray, "layer 1 query key"]:
        """Return the mean over the heads of each of the first layers, which is enough for rollout."""
        with _TURN:
            return np.stack([self._patterns(at).mean(axis=0, keepdims=True) for at in range(n_layers)])

    def _patterns(self, layer: int) -> Heads:
        return array_of(self._attend(layer, whole(trace_path(layer, "pattern"))).pattern(layer)[0])

    def _compute_layer(self, layer: int) -> Heads:
        with _TURN:
            return self._patterns(layer)

    def _compute_head(self, layer: int, head: int) -> LayerHeads:
        def of_head(axis: int) -> Edit:
            # A copy: a view would keep all heads in memory.
            return lambda value: value.narrow(axis, head, 1).clone()

        parts = {"bias": of_head(0)} | dict.fromkeys(("q", "k", "v", "scores", "pattern", "z"), of_head(1))
        keep = {trace_path(layer, name): part for name, part in parts.items()}
        with _TURN:
            return self._attend(layer, {**keep, **whole(trace_path(layer, "*"))}).heads(layer)

    def _attend(self, layer: int, keep: Keep) -> ForwardPass:
        return attention_again(
            self._model(),
            layer,
            self.forward.attention_input(layer),
            allowed=self.forward.allowed(),
            edits=self._edits,
            keep=keep,
        )


def read_text(
    loaded: LoadedModel,
    *,
    window: int | None = None,
    again: Callable[[], Stack] | None = None,
    silenced: Iterable[Head] = (),
) -> WholeReading | LongReading:
    """Return `reading.read` with these arguments, or a `LongReading` if the patterns are too many to keep."""
    model, words, tokens = loaded.model, loaded.words, loaded.tokens
    if not is_long(len(words), model.config):
        return read(loaded, window=window, again=again, silenced=silenced)
    edits = ablation_edits(frozenset(silenced), model.config)
    allowed = window_if_any(len(words), width=window, device=tokens.device)
    keep = [trace_path(0, "allowed"), "blocks.*.attention.input", f"blocks.{model.config.n_layers - 1}.out"]
    with _TURN:
        # Logits are not needed, and those of GPT-2 for 1024 pieces would take 206 MB.
        forward = forward_pass(model, tokens, allowed=allowed, edits=edits, keep=keep, states_only=True)
    return LongReading(words, forward, loaded.unknown, again or (lambda: model), edits)


def is_long(n_words: int, config: ModelConfig) -> bool:
    """Return whether the patterns of a text are too many to keep."""
    patterns = config.n_layers * config.n_heads * n_words**2 * FLOAT
    return n_words > LONG or patterns > LARGEST_PATTERNS


def overview(
    layers: Iterable[Heads], allowed: Bool[np.ndarray, "query key"], special: Collection[int] = ()
) -> Overview:
    """Return the overview of `layers`, taken one by one; `special` positions do not count in shares."""
    side = ceil(len(allowed) / MOST_BLOCKS)
    found = [(*_summary(heads, side), largest_shares(heads, special)) for heads in layers]
    blocks, bits, largest, distance, shares = (read_only(np.stack(one)) for one in zip(*found, strict=True))
    may = read_only(_of_blocks(np.logical_or, allowed, side))
    return Overview(side, blocks, may, bits, largest, distance, shares)


def _summary(heads: Heads, side: int) -> tuple[np.ndarray, ...]:
    """Return the blocks of one layer and three numbers of each head.

    Entropy and distance are of rows divided by their sums; rows without a key do not count.
    """
    blocks, total = _of_blocks(np.maximum, heads, side), heads.sum(axis=-1)
    seeing = total > 0
    n_seeing, total = np.maximum(seeing.sum(axis=-1), 1), np.where(seeing, total, 1)
    at = np.arange(heads.shape[-1], dtype=heads.dtype)
    # Row by row: otherwise the distances are a separate matrix for each query.
    away = np.stack([heads[:, query] @ np.abs(at - query) for query in range(len(at))], axis=-1)
    bits, away = entropy(heads) / total + np.log2(total), away / total
    return blocks, bits.sum(axis=-1) / n_seeing, blocks.max(axis=(-2, -1)), away.sum(axis=-1) / n_seeing


def _of_blocks(join: np.ufunc, matrices: np.ndarray, side: int) -> np.ndarray:
    """Join each block of the last two axes; a block at the edge may be smaller."""
    for axis in (-2, -1):
        matrices = join.reduceat(matrices, np.arange(0, matrices.shape[axis], side), axis=axis)
    return matrices
