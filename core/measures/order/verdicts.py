"""Order invariance: the same words in two orders, and what a Transformer can tell apart."""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float

from core.arrays import array_of
from core.measures.double_precision import doubled
from core.measures.reading import Reading, read
from core.model.config import POSITIONS, ModelConfig
from core.model.forward import STATES, forward_pass
from core.sources import LoadedModel

TOLERANCE = 1e-9
"""Difference below which results are rounding: double-precision sums in another order."""

DEPTHS = (1, 2)
"""Numbers of layers with different verdicts; more layers behave like two."""


States = Float[np.ndarray, "position d_model"]


def alignment(first: Sequence[str], second: Sequence[str], *, unit: str = "word") -> list[int]:
    """Return the position in `second` of each word of `first`; raises ValueError naming words without one."""
    only = [*_only("first", first, second), *_only("second", second, first)]
    if only:
        raise ValueError(f"the two orders must have the same {unit}s: " + "; ".join(only))
    where: dict[str, deque[int]] = defaultdict(deque)
    for position, word in enumerate(second):
        where[word].append(position)
    return [where[word].popleft() for word in first]


def _only(name: str, words: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the words that the order of this name has more often than the other."""
    spare, known = Counter(words) - Counter(others), set(others)
    missing = [word for word in spare.elements() if word not in known]
    often = [word for word in spare if word in known]
    return [
        *([f"only the {name} has {', '.join(missing)}"] if missing else []),
        *([f"the {name} has more of {', '.join(often)}"] if often else []),
    ]


@dataclass(frozen=True)
class OrderComparison:
    """The last layer's attention and output in two orders, the second re-aligned to the first.

    `changes` are of the output of each layer: the norm of the difference over the norm in the first order.
    """

    words: tuple[str, ...]
    first_weights: Float[np.ndarray, "head query key"]
    second_weights: Float[np.ndarray, "head query key"]
    first_output: Float[np.ndarray, "position d_model"]
    second_output: Float[np.ndarray, "position d_model"]
    unknown: tuple[int, ...] = ()
    changes: Float[np.ndarray, "layer position"] = field(default_factory=lambda: np.zeros((0, 0)))

    @property
    def weight_differences(self) -> Float[np.ndarray, "position"]:
        return np.abs(self.first_weights - self.second_weights).max(axis=(0, 2))

    @property
    def output_differences(self) -> Float[np.ndarray, "position"]:
        return np.abs(self.first_output - self.second_output).max(axis=1)

    @property
    def same(self) -> Bool[np.ndarray, "position"]:
        """Whether each word has the same output in both orders, up to rounding."""
        return self.output_differences < TOLERANCE


def compare_orders(first: LoadedModel, second: LoadedModel) -> OrderComparison:
    """Read both orders with one model, the second re-aligned (CS 224N note eq 9–11); raises ValueError."""
    order = alignment(first.words, second.words)
    one, other = (read(loaded, double=True) for loaded in (first, second))
    return OrderComparison(
        words=one.words,
        first_weights=one.patterns()[-1],
        second_weights=other.patterns()[-1][:, order][:, :, order],
        first_output=one.output(),
        second_output=other.output()[order],
        unknown=one.unknown,
        changes=np.stack(
            [_change(*states) for states in zip(_layers(one), _layers(other, order), strict=True)]
        ),
    )


def _layers(reading: Reading, order: Sequence[int] | None = None) -> Iterator[States]:
    """Yield the output of each layer, its words in this order."""
    for layer in range(reading.config.n_layers):
        states: States = array_of(reading.forward.leaving(layer)[0])
        yield states if order is None else states[order]


def _change(first: States, second: States) -> Float[np.ndarray, "position"]:
    """Return the norm of each word's difference over its norm in the first order, 0 for rounding."""
    apart = np.linalg.norm(first - second, axis=1)
    share = apart / np.maximum(np.linalg.norm(first, axis=1), TOLERANCE)
    return np.where(np.abs(first - second).max(axis=1) < TOLERANCE, 0.0, share)


Load = Callable[[ModelConfig, Sequence[str]], LoadedModel]
"""A loader of the model of a configuration, with words for it to read."""


def verdicts(first: Sequence[str], second: Sequence[str], config: ModelConfig, load: Load) -> pd.DataFrame:
    """Compare both orders for every position scheme and depth, with a row per word.

    Columns: mask, positions, layers, place, word, difference (of the outputs) and same. Raises ValueError as
    `compare_orders`, and the errors of `load`.
    """
    order, rows = alignment(first, second), []
    for positions in POSITIONS:
        loaded = load(replace(config, positions=positions, n_layers=max(DEPTHS)), first)
        for layers, one, other in _outputs(loaded, order):
            differences = np.abs(one - other[order]).max(axis=1)
            found = zip(loaded.words, differences, differences < TOLERANCE, strict=True)
            rows += [(config.mask, positions, layers, at, *each) for at, each in enumerate(found)]
    return pd.DataFrame(rows, columns=["mask", "positions", "layers", "place", "word", "difference", "same"])


def _outputs(loaded: LoadedModel, order: Sequence[int]) -> Iterator[tuple[int, States, States]]:
    """Yield each depth with the states of both orders, read at once in double precision."""
    model = doubled(loaded.model)
    first = loaded.tokens.cpu()
    second = first[:, np.argsort(order)]
    forward = forward_pass(model, torch.cat([first, second]), keep=STATES, states_only=True)
    for layers in DEPTHS:
        one, other = array_of(forward.leaving(layers - 1))
        yield layers, one, other
