"""Parts shared by the views: curves against the words back, and sentences on them."""

from collections.abc import Mapping, Sequence
from math import log
from typing import Any

import numpy as np
import pandas as pd

from core.measures.gradients.distance import ExponentialFit
from pages.contract.ask import Ask
from pages.contract.sheet import Fold, Text
from viz.curves import Curves
from viz.picture import Picture
from words import magnitude

BACK, CURVE, VALUE = "words back", "curve", "value"

STEADY = 0.01
"""Largest distance from 1 of a factor per word that neither vanishes nor explodes."""


def ask_scale(ask: Ask, usual: str) -> float:
    """Return the factor of the recurrent weights."""
    ask.name("×")
    return float(ask.choice("scale_of_weights", default=usual, hide_label=True))


def how_measured(told: str) -> Fold:
    """Return a fold on the networks and their texts."""
    return Fold("How this was measured", (Text(told),))


def curves_back(
    curves: Mapping[str, Sequence[float] | np.ndarray],
    words: Sequence[str] | None = None,
    **look: Any,
) -> Picture:
    """Draw each curve against k, on a logarithmic axis.

    Value k is about the word k back from the last of `words`. A value of 0 has no place on this axis and is
    left out; the table behind the picture has it.
    """
    shown = points(curves, x=BACK)
    n = len(next(iter(curves.values())))
    named = {} if words is None else {"word": words[::-1]}
    return Curves(
        rows=shown,
        make_table=lambda: pd.DataFrame({BACK: range(n), **named, **curves}),
        x=BACK,
        y=VALUE,
        by=CURVE,
        say=magnitude,
        x_title="words back from the last word, k",
        log="y",
        **look,
    )


def points(
    curves: Mapping[str, Sequence[float] | np.ndarray], *, x: str, first: int = 0, positive: bool = True
) -> pd.DataFrame:
    """Return a row for each point of each curve, whose position on the axis `x` is counted from `first`.

    A logarithmic axis has places for `positive` values only.
    """
    rows = [
        (name, at, float(value))
        for name, values in curves.items()
        for at, value in enumerate(values, start=first)
        if value > 0 or not positive
    ]
    return pd.DataFrame(rows, columns=[CURVE, x, VALUE])


def describe_factor(fit: ExponentialFit) -> str:
    """Return the factor per word of a fitted exponential, its R², and how many words halve the gradient."""
    number = f"{fit.factor:.3f} (R² {fit.r_squared:.2f})"
    if fit.factor >= 1 - STEADY:
        return number
    return f"{number}: half is lost every {log(0.5) / log(fit.factor):.1f} words"


def what_is_read(n_typed: int, furthest: int) -> str:
    """Return a sentence on the origin of words that were not typed."""
    n_before = furthest + 1 - n_typed
    if n_before <= 0:
        return f"The text is your last {furthest + 1} words."
    return (
        f"The text has {furthest + 1} words: {n_before} from test sentences of the language, and then yours."
    )
