"""A sentence read by a model: every number about its attention, as plain arrays."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from jaxtyping import Bool, Float

from core.arrays import array_of, read_only
from core.measures.double_precision import doubled
from core.measures.prediction import Head, ablation_edits
from core.model.forward import PATTERNS, STATES, ForwardPass, LayerHeads, forward_pass, trace_path
from core.model.masks.combining import window_if_any
from core.model.models import Stack, Tokens
from core.model.trace import Edit, Keep, whole
from core.sources import LoadedModel

Matrix = Float[np.ndarray, "query key"]
Vector = Float[np.ndarray, "d_head"]
Vectors = Float[np.ndarray, "word d_head"]

LARGEST_PLAIN_EXPONENT = 80.0
"""Largest absolute value of a row's maximum that is not subtracted before exp."""

FLOAT = 4
"""Bytes of a number in single precision."""

LARGEST_WHOLE = 64 * 2**20
"""Bytes of scores and patterns up to which a reading keeps everything."""


@dataclass(frozen=True, eq=False)
class HeadResults:
    """One head; dots · scale + bias = scores, not masked; `q` and `k` are after any rotation."""

    q: Vectors
    k: Vectors
    v: Vectors
    scale: float
    bias: Matrix
    scores: Matrix
    allowed: Bool[np.ndarray, "query key"]
    pattern: Matrix
    z: Vectors

    @property
    def dots(self) -> Matrix:
        return self.q @ self.k.T


@dataclass(frozen=True)
class Calculation:
    """One cell of an attention matrix with all numbers behind it, in double precision.

    `exponential` is exp(score − shift), 0 if the query may not look, and `row_sum` the sum of the row's
    exponentials; `shift` is 0, or the row's largest score if exp would be too large or too small to print.
    """

    q: Vector
    k: Vector
    v: Vector
    dot: float
    scale: float
    bias: float
    score: float
    allowed: bool
    shift: float
    exponential: float
    row_sum: float
    weight: float
    weighted_value: Vector


class Reading:
    """One forward pass of a model over `words`, as arrays, shared by visitors.

    `heads_of` computes a layer again if `forward` has kept only its patterns.
    """

    def __init__(
        self,
        words: Sequence[str],
        forward: ForwardPass,
        unknown: tuple[int, ...] = (),
        *,
        heads_of: Callable[[int], LayerHeads] | None = None,
    ) -> None:
        self.words = tuple(words)
        self.unknown = unknown
        self.config = forward.config
        self.forward = forward
        self._again = heads_of is not None
        self._heads = forward.heads if heads_of is None else lru_cache(maxsize=1)(heads_of)

    @property
    def most_bytes(self) -> int:
        """Bytes that the reading holds, with a layer that may be computed again."""
        heads = self.config.n_heads * len(self.words) * (3 * len(self.words) + 4 * self.config.d_head)
        return self.forward.n_bytes + FLOAT * heads * self._again

    def of_layer(self, layer: int) -> Float[np.ndarray, "head query key"]:
        return array_of(self.forward.pattern(layer)[0])

    def pattern(self, layer: int, head: int) -> Matrix:
        return self.of_layer(layer)[head]

    def vectors(self, layer: int, name: str) -> Float[np.ndarray, "head word d_head"]:
        """Return the vectors called `name` (q, k, v or z) of every head of a layer."""
        return array_of(getattr(self._heads(layer), name)[0])

    def allowed(self) -> Bool[np.ndarray, "query key"]:
        """Return which query may attend to which key; the same in every layer and head."""
        n = len(self.words)
        return np.broadcast_to(array_of(self.forward.allowed()[0, 0]), (n, n))

    def head(self, layer: int, head: int) -> HeadResults:
        return self._one_of(self._heads(layer), head)

    def _one_of(self, heads: LayerHeads, head: int) -> HeadResults:
        q, k, v, scores, pattern, z = (
            array_of(one[0, head])
            for one in (heads.q, heads.k, heads.v, heads.scores, heads.pattern, heads.z)
        )
        bias = read_only(np.zeros_like(scores)) if heads.bias is None else array_of(heads.bias[head])
        return HeadResults(q, k, v, heads.scale, bias, scores, self.allowed(), pattern, z)

    def calculation(self, layer: int, head: int, query: int, key: int) -> Calculation:
        """Return the computation of the weight of `key` for `query`, down to the dot product."""
        found = self.head(layer, head)
        q, k, v = (one.astype(np.float64) for one in (found.q[query], found.k[key], found.v[key]))
        scores, allowed = found.scores[query].astype(np.float64), found.allowed[query]
        largest = float(scores.max(initial=-np.inf, where=allowed))
        shift = largest if LARGEST_PLAIN_EXPONENT < abs(largest) < np.inf else 0.0
        exponentials = np.exp(np.where(allowed, scores - shift, -np.inf))
        weight = float(found.pattern[query, key])
        return Calculation(
            q=q,
            k=k,
            v=v,
            dot=float(q @ k),
            scale=found.scale,
            bias=float(found.bias[query, key]),
            score=float(scores[key]),
            allowed=bool(allowed[key]),
            shift=shift,
            exponential=float(exponentials[key]),
            row_sum=float(exponentials.sum()),
            weight=weight,
            weighted_value=weight * v,
        )

    def output(self) -> Float[np.ndarray, "position d_model"]:
        return array_of(self.forward.leaving(self.config.n_layers - 1)[0])


class WholeReading(Reading):
    """A reading that keeps the attention weights of all heads."""

    def patterns(self) -> Float[np.ndarray, "layer head query key"]:
        return array_of(self.forward.patterns()[:, 0])


def read(
    loaded: LoadedModel,
    *,
    window: int | None = None,
    double: bool = False,
    again: Callable[[], Stack] | None = None,
    silenced: Iterable[Head] = (),
) -> WholeReading:
    """Run a model over its words and keep all results, or those that `LARGEST_WHOLE` allows.

    The rest is computed later by the model that `again` gives; without it the reading keeps its model in
    memory. No reading has logits. `window` is how far a word may look to either side. `double` computes in
    double precision on the CPU, where rounding cannot look like a difference. The heads in `silenced` give
    nothing, which changes the weights of later layers. Raises ValueError for no words at all, and for a head
    that the model does not have.
    """
    if not loaded.words:
        raise ValueError("there must be at least one word to read")
    words, model, unknown = loaded.words, loaded.model, loaded.unknown
    edits = ablation_edits(frozenset(silenced), model.config)
    run = partial(_pass, tokens=loaded.tokens, window=window, double=double, edits=edits)
    own = model.config
    if 2 * own.n_layers * own.n_heads * len(words) ** 2 * FLOAT <= LARGEST_WHOLE:
        return WholeReading(words, run(model), unknown)
    heads_of = partial(_heads_again, again or (lambda: model), run)
    return WholeReading(words, run(model, keep=[*PATTERNS, *STATES]), unknown, heads_of=heads_of)


def _heads_again(again: Callable[[], Stack], run: Callable[..., ForwardPass], layer: int) -> LayerHeads:
    """Compute a layer again, with the same numbers, to the bit.

    It listens to the patterns of the other layers too, and keeps nothing of them: a layer that nobody listens
    to takes a fused kernel, whose rounding differs.
    """
    others = {"*.pattern": lambda pattern: pattern.new_empty(0)}
    return run(again(), keep=whole(trace_path(layer, "*")) | others).heads(layer)


def _pass(
    model: Stack,
    *,
    tokens: Tokens,
    window: int | None,
    double: bool,
    edits: Mapping[str, Edit],
    keep: Keep | Collection[str] | None = None,
) -> ForwardPass:
    if double:
        model, tokens = doubled(model), tokens.cpu()
    allowed = window_if_any(tokens.shape[1], width=window, device=tokens.device)
    # No logits: with a large vocabulary they would take a fifth of the time.
    return forward_pass(model, tokens, allowed=allowed, edits=edits, keep=keep, states_only=True)
