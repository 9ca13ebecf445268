"""Measures of heads, one number each, over many sentences."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from attention_lab.errors import LabError
from core.measures.prediction import entropy

Patterns = Float[np.ndarray, "layer head query key"]
PerHead = Float[np.ndarray, "layer head"]
Measure = Callable[[Patterns], PerHead]
Measures = str | Iterable[str | Measure]

USUAL = ("entropy", "distance", "sink")


def _distance(weights: Patterns) -> PerHead:
    n_queries, n_keys = weights.shape[2:]
    apart = np.abs(np.subtract.outer(np.arange(n_queries), np.arange(n_keys)))
    return _mean((weights * apart).sum(axis=-1))


def _at(shift: int) -> Measure:
    return lambda weights: _mean(np.diagonal(weights, shift, axis1=-2, axis2=-1))


def _mean(weights: Float[np.ndarray, "layer head query"]) -> PerHead:
    """Return the mean over queries; NaN if there are none."""
    return weights.mean(axis=-1) if weights.shape[-1] else np.full(weights.shape[:-1], np.nan)


_MEASURES: Mapping[str, tuple[str, Measure]] = {
    "entropy": ("mean entropy of a query's weights, in bits", lambda weights: _mean(entropy(weights))),
    "distance": ("mean distance between a query and the keys it attends to, in words or tokens", _distance),
    "sink": (
        "mean weight that all words but the first give to the first",
        lambda weights: _mean(weights[:, :, 1:, 0]),
    ),
    "previous": ("mean weight that a word gives to the word before it", _at(-1)),
    "itself": ("mean weight that a word gives to itself", _at(0)),
    "next": ("mean weight that a word gives to the word after it", _at(1)),
    "largest": ("mean over queries of their largest weight", lambda weights: _mean(weights.max(axis=-1))),
}

MEASURES: Mapping[str, str] = MappingProxyType({name: meaning for name, (meaning, _) in _MEASURES.items()})
"""Meanings of the measures of `table`, by their names. Every mean is over the queries of a sentence."""

BETWEEN_TWO = ("entropy", "largest")
"""Measures that compare no positions, so queries and keys may be two sentences."""


def measure_patterns(patterns: Patterns, measures: Measures, *, crosses: bool) -> pd.DataFrame:
    """Return a row for each head: layer, head, and a column for each measure."""
    if crosses and measures == USUAL:
        measures = BETWEEN_TWO
    weights = np.nan_to_num(patterns.astype(np.float64))
    layers, heads = np.indices(weights.shape[:2]).reshape(2, -1) + 1
    columns = {"layer": layers, "head": heads}
    for one in [measures] if isinstance(measures, str) or callable(measures) else measures:
        if callable(one):
            name, measure = getattr(one, "__name__", "measure"), one
        elif one not in _MEASURES:
            raise LabError(f"There is no measure {one!r}. There are {', '.join(_MEASURES)}.")
        elif crosses and one not in BETWEEN_TWO:
            raise LabError(
                f"The measure {one!r} needs queries and keys that are the same words. For two sentences "
                f"there are {' and '.join(BETWEEN_TWO)}."
            )
        else:
            name, measure = one, _MEASURES[one][1]
        found = np.asarray(measure(weights))
        if found.shape != weights.shape[:2]:
            raise LabError(
                f"{name} must return a number for each of {weights.shape[:2]} layers and heads, "
                f"got the shape {found.shape}."
            )
        columns[name] = found.ravel()
    return pd.DataFrame(columns)


def table(
    model: Callable[[str], Any],
    sentences: str | Iterable[str],
    measures: Measures = USUAL,
    *,
    by_words: bool = False,
) -> pd.DataFrame:
    """Measure every head of a model on every sentence: a row each.

    Columns: `sentence` (from 1), `text`, `layer` and `head` (from 1), and one for each measure: entropy,
    distance, sink, previous, itself, next or largest, which `MEASURES` explains, or a function of yours from
    weights (layer, head, query, key) to numbers (layer, head). An encoder–decoder has entropy and largest.
    Queries and keys are tokens, or whole words with `by_words`. Raises LabError for a measure that does not
    exist and a sentence that the model cannot read.

        >>> found = lab.table(lab.read("all-minilm-l6-v2"), ["the cat sat", "it ran"], ["entropy", "sink"])
        >>> found.groupby(["layer", "head"])["entropy"].mean()
    """
    if not callable(model) or not isinstance(sentences, Iterable):
        raise LabError(
            "A table takes a model that lab.read gives, then a sentence or a list of them; got "
            f"{type(model).__name__} and {type(sentences).__name__}. Weights have a method table too."
        )
    tables = []
    for number, text in enumerate([sentences] if isinstance(sentences, str) else sentences, 1):
        run = model(text)
        if by_words and not hasattr(run, "by_words"):
            raise LabError("An encoder–decoder is measured in its tokens: leave by_words out.")
        found = (run.by_words() if by_words else run).table(measures)
        found.insert(0, "text", text)
        found.insert(0, "sentence", number)
        tables.append(found)
    if not tables:
        raise LabError("There is no sentence to measure: pass at least one.")
    return pd.concat(tables, ignore_index=True)
