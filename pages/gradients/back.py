"""What the views share: how far back they look, curves against the words back, and what is said of these."""

from collections.abc import Mapping, Sequence
from math import log
from typing import Any

import numpy as np
import pandas as pd

from pages.contract.form import Form
from pages.contract.sheet import Fold, Text
from viz.curves import chart
from viz.picture import Picture
from viz.units import magnitude, magnitude_ticks

KEYS = "the keys that the gardeners near the river sold to the chef are heavy ."

BACK, CURVE, VALUE = "words back", "curve", "value"

STEPS, MOST_TICKS = (1, 2, 5, 10, 20, 50), 8
"""The axis of distances has ticks every so many words, and so many of them at most."""

STEADY = 0.01
"""A factor per word this near to 1 is said to be none."""


def ask_reach(form: Form) -> int:
    """How many words back gradients are followed."""
    form.name("Up to")
    furthest: int = form.choice("reach", hide_label=True)
    return furthest


def ask_scale(form: Form, usual: str) -> float:
    """What the recurrent weights are multiplied by."""
    form.name("×")
    return float(form.choice("scale_of_weights", default=usual, hide_label=True))


def how_measured(told: str) -> Fold:
    """A fold that says which networks read what, one click away."""
    return Fold("How this was measured", (Text(told),))


def curves_back(
    curves: Mapping[str, Sequence[float] | np.ndarray],
    words: Sequence[str] | None = None,
    **look: Any,
) -> Picture:
    """Each curve against k, on a logarithmic axis: value k is about the word k back from the last of `words`.

    What is 0 has no place on this axis and is left out; the table behind the picture has it.
    """
    shown = points(curves, x=BACK)
    n = len(next(iter(curves.values())))
    named = {} if words is None else {"word": words[::-1]}
    return chart(
        shown,
        behind=lambda: pd.DataFrame({BACK: range(n), **named, **curves}),
        x=BACK,
        y=VALUE,
        by=CURVE,
        say=magnitude,
        x_title="words back from the last word, k",
        x_ticks=ticks_back(n - 1),
        y_ticks=magnitude_ticks(shown[VALUE]),
        log="y",
        **look,
    )


def points(
    curves: Mapping[str, Sequence[float] | np.ndarray], *, x: str, first: int = 0, positive: bool = True
) -> pd.DataFrame:
    """A row for each point of each curve, whose position on the axis `x` is counted from `first`.

    On a logarithmic axis only what is `positive` has a place.
    """
    rows = [
        (name, at, float(value))
        for name, values in curves.items()
        for at, value in enumerate(values, start=first)
        if value > 0 or not positive
    ]
    return pd.DataFrame(rows, columns=[CURVE, x, VALUE])


def ticks_back(furthest: int) -> dict[float, str]:
    """The axis of distances."""
    step = next((step for step in STEPS if furthest / step <= MOST_TICKS), STEPS[-1])
    return {at: str(at) for at in range(0, furthest + 1, step)}


def said(factor: float) -> str:
    """A factor per word, and the number of words that halve the gradient."""
    number = f"{factor:.3f}"
    if factor >= 1 - STEADY or np.isnan(factor):
        return number
    return f"{number}, half is lost every {log(0.5) / log(factor):.1f} words"


def verdict(factor: float) -> str:
    """What becomes of a norm that is multiplied by this for every word."""
    if abs(factor - 1) < STEADY:
        return "The gradient neither vanishes nor explodes"
    return "The gradient vanishes" if factor < 1 else "The gradient explodes"


def what_is_read(n_typed: int, furthest: int) -> str:
    """A sentence on the origin of words that were not typed."""
    n_before = furthest + 1 - n_typed
    if n_before <= 0:
        return f"The text is the last {furthest + 1} words of yours."
    return (
        f"The text has {furthest + 1} words: yours at its end, and before it {n_before} of test sentences of "
        "the language."
    )
