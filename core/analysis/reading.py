"""A sentence read by a model: every number a page shows about its attention, as plain arrays."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float

from core import masks
from core.arrays import array_of
from core.config import ModelConfig
from core.learning.weights import load
from core.trace import Trace

Matrix = Float[np.ndarray, "query key"]
Vector = Float[np.ndarray, "d_head"]

LARGEST_PLAIN_EXPONENT = 80.0
"""A row whose largest score is further than this from 0 has it taken off before exp, as softmax allows."""


@dataclass(frozen=True)
class Stages:
    """One head from scores to weights; `dots` are the bare q·k, and dots · scale + bias = scores."""

    dots: Matrix
    scale: float
    bias: Matrix
    scores: Matrix
    allowed: Bool[np.ndarray, "query key"]
    pattern: Matrix


@dataclass(frozen=True)
class Calculation:
    """One cell of an attention matrix with every number that leads to it, in double precision.

    `shift` is what is taken off every score of the row before exp: 0, or the row's largest score
    where its exp would be too large or too small to print. The softmax is the same either way.
    `exponential` is exp(score − shift), 0 where the query may not look, and `row_sum` their sum over
    the row.
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
    """What one forward pass of a model over `words` recorded. Immutable, so visitors can share it.

    `unknown` are the places of the words that the model reads as `<unk>`.
    """

    def __init__(
        self, words: Sequence[str], config: ModelConfig, trace: Trace, unknown: tuple[int, ...] = ()
    ) -> None:
        self.words = tuple(words)
        self.unknown = unknown
        self.config = config
        self._trace = trace

    def patterns(self) -> Float[np.ndarray, "layer head query key"]:
        """The attention weights of every head of every layer."""
        return np.stack([self._array(layer, "pattern") for layer in range(self.config.n_layers)])

    def pattern(self, layer: int, head: int) -> Matrix:
        """The attention weights of one head."""
        return self._array(layer, "pattern")[head]

    def vectors(self, layer: int, name: str) -> Float[np.ndarray, "head word d_head"]:
        """The vectors called `name` (q, k, v or z) of every head of a layer."""
        return self._array(layer, name)

    def allowed(self) -> Bool[np.ndarray, "query key"]:
        """Which query may look at which key; the same in every layer and head."""
        n = len(self.words)
        return np.broadcast_to(self._array(0, "allowed")[0], (n, n))

    def stages(self, layer: int, head: int) -> Stages:
        """The matrices between q·k and the weights of one head."""
        q, k = (self._array(layer, name)[head] for name in ("q", "k"))
        scores = self._array(layer, "scores")[head]
        return Stages(
            dots=q @ k.T,
            scale=self._scale(),
            bias=self._bias(layer, head),
            scores=scores,
            allowed=self.allowed(),
            pattern=self.pattern(layer, head),
        )

    def calculation(self, layer: int, head: int, query: int, key: int) -> Calculation:
        """How the weight of `key` for `query` comes about, followed down to the dot product."""
        q, k, v = (
            self._array(layer, name)[head].astype(np.float64)[place]
            for name, place in (("q", query), ("k", key), ("v", key))
        )
        scores = self._array(layer, "scores")[head, query].astype(np.float64)
        allowed = self.allowed()[query]
        shift = _shift(scores[allowed])
        exponentials = np.exp(np.where(allowed, scores - shift, -np.inf))
        weight = float(self.pattern(layer, head)[query, key])
        return Calculation(
            q=q,
            k=k,
            v=v,
            dot=float(q @ k),
            scale=self._scale(),
            bias=float(self._bias(layer, head)[query, key]),
            score=float(scores[key]),
            allowed=bool(allowed[key]),
            shift=shift,
            exponential=float(exponentials[key]),
            row_sum=float(exponentials.sum()),
            weight=weight,
            weighted_value=weight * v,
        )

    def output(self) -> Float[np.ndarray, "position d_model"]:
        """The state of every word as it leaves the last block."""
        return self._recorded(f"blocks.{self.config.n_layers - 1}.out", 0)

    def _array(self, layer: int, name: str) -> np.ndarray:
        return self._recorded(f"blocks.{layer}.attention.{name}", 0)

    def _bias(self, layer: int, head: int) -> Matrix:
        path = f"blocks.{layer}.attention.bias"
        if path not in self._trace:
            return np.zeros((len(self.words), len(self.words)), dtype=np.float32)
        return self._recorded(path, head)

    def _recorded(self, path: str, i: int) -> np.ndarray:
        return array_of(self._trace[path][i])

    def _scale(self) -> float:
        return self.config.d_head**-0.5 if self.config.scale else 1.0


def read(
    words: Sequence[str],
    config: ModelConfig,
    *,
    source: str,
    seed: int,
    window: int | None = None,
    double: bool = False,
) -> Reading:
    """Run the model that `source` has for `config` over `words` and keep everything it computed.

    The vocabulary size of `config` is the source's to decide. With a `window` no word may look further
    than that many words to either side. With `double`, the pass is made in double precision on the CPU,
    where rounding cannot be taken for a difference. Raises ValueError for no words at all and for a model
    that the source does not have, and KeyError for an unknown source.
    """
    if not words:
        raise ValueError("there must be at least one word to read")
    loaded = load(source, config, words, seed)
    model, tokens = loaded.model, loaded.tokens
    if double:
        model, tokens = deepcopy(model).cpu().double(), tokens.cpu()
    n, trace = len(words), Trace()
    allowed = None if window is None else masks.window(n, n, width=window, device=tokens.device)
    with torch.inference_mode():
        model(tokens, allowed=allowed, trace=trace)
    return Reading(words, model.config, trace, loaded.unknown)


def _shift(scores: Float[np.ndarray, "key"]) -> float:
    largest = float(scores.max()) if scores.size else 0.0
    return largest if abs(largest) > LARGEST_PLAIN_EXPONENT else 0.0
