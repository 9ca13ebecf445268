"""Why scores are divided: the spread of dot products by vector length, and the softmax of them.

Queries and keys here are standard normal numbers from `core.model.initialisation.normal`. Shorter vectors are
the beginnings of longer ones, so that one draw can be followed from 2 dimensions to 1024.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.measures.prediction import entropy, softmax, softmax_jacobian_norm
from core.measures.reading import Reading, read
from core.model.config import ModelConfig
from core.model.initialisation import normal
from core.sources import LoadedModel

WIDTHS = tuple(2**power for power in range(1, 11))

N_ROWS, N_KEYS = 256, 16
"""Number of random queries, and of the separate keys of each."""

PLAIN, BY_ROOT_D, BY_ROOT_D_HEAD = "q·k", "q·k / √d", "q·k / √d_head"
"""Divisions of a dot product: none, as in eq 32, and as k heads need (slip E10)."""


def random_dots(seed: int) -> Iterator[tuple[int, Float[np.ndarray, "row key"]]]:
    """Yield dot products of random queries with random keys, for each of `WIDTHS`."""
    q = normal((N_ROWS, 1, max(WIDTHS)), seed=seed, name="queries")
    k = normal((N_ROWS, N_KEYS, max(WIDTHS)), seed=seed, name="keys")
    for d in WIDTHS:
        yield d, (q[..., :d] * k[..., :d]).sum(dim=-1).double().numpy()


def growth_table(seed: int) -> pd.DataFrame:
    """Return spread, entropy in bits, gradient and largest weight of random rows, divided by √d or not."""
    rows = []
    for d, dots in random_dots(seed):
        for name, scores in ((PLAIN, dots), (BY_ROOT_D, dots / d**0.5)):
            pattern = softmax(scores)
            means = (entropy(pattern), softmax_jacobian_norm(pattern), pattern.max(axis=-1))
            rows.append((d, name, float(scores.std()), *(float(each.mean()) for each in means)))
    return pd.DataFrame(rows, columns=["dimensions", "scores", "spread", "entropy", "gradient", "largest"])


def word_dots(words: Sequence[str], query: int, d: int, *, seed: int) -> Float[np.ndarray, "key"]:
    """Return dot products of a word's random query with every word's random key, `d` numbers long."""
    q = normal([max(WIDTHS)], seed=seed, name=f"query {words[query]}").double()[:d]
    keys = {word: normal([max(WIDTHS)], seed=seed, name=f"key {word}").double()[:d] for word in set(words)}
    return np.array([float(q @ keys[word]) for word in words])


def word_rows(words: Sequence[str], query: int, d: int, *, seed: int) -> Float[np.ndarray, "division key"]:
    """Return the weights of those scores as they are, and divided by √d."""
    dots = word_dots(words, query, d, seed=seed)
    return softmax(np.stack([dots, dots / d**0.5]))


def divisors(config: ModelConfig) -> dict[str, float]:
    """Return the divisor of a dot product by its name."""
    return {PLAIN: 1.0, BY_ROOT_D: config.d_model**0.5, BY_ROOT_D_HEAD: config.d_head**0.5}


def head_rows(reading: Reading, layer: int, head: int, query: int) -> Float[np.ndarray, "division key"]:
    """Return the weights of one word with its dot products divided in three ways; the bias stays."""
    stages = reading.head(layer, head)
    dots, bias = stages.dots[query].astype(np.float64), stages.bias[query]
    return np.stack(
        [softmax(dots / by + bias, reading.allowed()[query]) for by in divisors(reading.config).values()]
    )


def spread_within_rows(reading: Reading, layer: int) -> float:
    """Return the standard deviation of allowed q·k within rows of two or more; NaN without such a row."""
    allowed = reading.allowed()
    counts = allowed.sum(axis=1, keepdims=True)
    chosen = allowed & (counts > 1)
    if not chosen.any():
        return float("nan")
    dots = np.stack([reading.head(layer, head).dots for head in range(reading.config.n_heads)])
    means = np.where(allowed, dots, 0).sum(axis=-1, keepdims=True) / counts
    return float(((dots - means)[:, chosen] ** 2).mean() ** 0.5)


def heads_table(models: Iterable[LoadedModel], *, layer: int) -> pd.DataFrame:
    """Return `spread_within_rows` by `heads` and divisor: columns `heads`, `scores` and `spread`."""
    return _spread_table("heads", ((one.config.n_heads, one, layer) for one in map(read, models)))


def layers_table(reading: Reading) -> pd.DataFrame:
    """Return `spread_within_rows` by `layer`, from 1, and divisor: columns `layer`, `scores` and `spread`."""
    return _spread_table("layer", ((layer + 1, reading, layer) for layer in range(reading.config.n_layers)))


def _spread_table(column: str, each: Iterable[tuple[int, Reading, int]]) -> pd.DataFrame:
    rows = []
    for label, reading, layer in each:
        found = spread_within_rows(reading, layer)
        rows += [(label, name, found / by) for name, by in divisors(reading.config).items()]
    return pd.DataFrame(rows, columns=[column, "scores", "spread"])
