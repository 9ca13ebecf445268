"""Values that stand for "may not attend" in a row of scores, and what the softmax makes of them.

Computed by torch on the device in use, in three number formats; nothing here is a table of known results.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import floor, log2

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from core.device import choose_device
from core.model.attention import attention_pattern

FORMATS = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
"""The number formats by name."""

CONSTANTS = {"−∞": float("-inf"), "−10⁹": -1e9, "−10⁵": -1e5}
"""What is added to the scores of masked keys, by its name."""

ROWS = ("ordinary", "fully masked")

Row = Float[Tensor, "key"]
Seen = Bool[Tensor, "key"]


def _adding(constant: float) -> Callable[[Row, Seen], Row]:
    """Add the constant, as it is in the format of the scores, to the scores of masked keys."""

    def weights(scores: Row, allowed: Seen) -> Row:
        added = torch.where(allowed, 0.0, constant).to(scores.dtype)
        return (scores + added).softmax(dim=-1)

    return weights


def _zero_scores(scores: Row, allowed: Seen) -> Row:
    return scores.masked_fill(~allowed, 0.0).softmax(dim=-1)


def _zero_weights(scores: Row, allowed: Seen) -> Row:
    return scores.softmax(dim=-1).masked_fill(~allowed, 0.0)


def _ours(scores: Row, allowed: Seen) -> Row:
    return attention_pattern(scores[None, None, None], allowed[None, None, None])[0, 0, 0]


METHODS: dict[str, Callable[[Row, Seen], Row]] = {
    **{f"score {name}": _adding(value) for name, value in CONSTANTS.items()},
    "score := 0": _zero_scores,
    "weight := 0": _zero_weights,
    "this app": _ours,
}
"""Ways to mask a row of scores, by name; the last is that of `core.model.attention`."""


@dataclass(frozen=True, eq=False)
class MaskValues:
    """Every method in every format, on one row of scores: with some keys masked, and with all of them.

    `allowed` are the keys that the two rows may see. Immutable, so visitors can share it.
    """

    weights: Float[np.ndarray, "row method format key"]
    allowed: Bool[np.ndarray, "row key"]

    def table(self) -> pd.DataFrame:
        """A line for each method, format and row: the weight on masked keys, the row sum, the verdict."""
        lines = [
            {
                "row": row,
                "method": method,
                "format": name,
                "on masked keys": float(weights[~seen].sum()),
                "row sum": float(weights.sum()),
                "verdict": verdict(weights, seen),
            }
            for row, seen, methods in zip(ROWS, self.allowed, self.weights, strict=True)
            for method, formats in zip(METHODS, methods, strict=True)
            for name, weights in zip(FORMATS, formats, strict=True)
        ]
        return pd.DataFrame(lines)


def mask_values(scores: Float[np.ndarray, "key"], allowed: Bool[np.ndarray, "key"]) -> MaskValues:
    """What every method gives for these scores, on the device in use."""
    device = choose_device()
    row = torch.tensor(scores, dtype=torch.float32, device=device)
    seen = torch.stack([torch.tensor(allowed), torch.zeros(len(allowed), dtype=torch.bool)]).to(device)
    weights = [
        [
            [method(row.to(form), keys).float().cpu().numpy() for form in FORMATS.values()]
            for method in METHODS.values()
        ]
        for keys in seen
    ]
    return MaskValues(np.array(weights), seen.cpu().numpy())


def verdict(weights: Float[np.ndarray, "key"], allowed: Bool[np.ndarray, "key"]) -> str:
    """What a row of weights comes to: `NaN`, `leaks`, `short`, `zeros` or `exact`.

    It `leaks` where a masked key has any weight, and is `short` where its weights miss 1 by more than
    rounding although it may see something; a row that may see nothing should be all `zeros`.
    """
    if np.isnan(weights).any():
        return "NaN"
    if weights[~allowed].any():
        return "leaks"
    if not allowed.any():
        return "zeros"
    return "exact" if abs(weights.sum() - 1) < ROUNDING else "short"


ROUNDING = 0.01
"""Weights in bfloat16 have three significant digits, and so has their sum."""


def stored(constant: float) -> dict[str, float]:
    """What a constant becomes in each format, such as −∞ where it is too large."""
    return {name: torch.tensor(constant).to(form).item() for name, form in FORMATS.items()}


def step(constant: float, name: str) -> float:
    """How far apart the numbers of a format are around a constant; not a number where it is −∞."""
    form = torch.finfo(FORMATS[name])
    if abs(constant) > form.max:
        return float("nan")
    return float(form.eps * 2.0 ** floor(log2(abs(constant))))


def survive(scores: Float[np.ndarray, "key"], constant: float, name: str) -> Bool[np.ndarray, "key"]:
    """Whether each score still tells once a constant has been added to it in a format.

    A score no larger than half a step is rounded away: a row that sees nothing is uniform where none
    survives, and where one does by the softmax of what the steps leave. Beside −∞ none does, and the row is
    not a number.
    """
    added = torch.tensor(constant).to(FORMATS[name])
    sums = torch.tensor(scores).to(FORMATS[name]) + added
    survived: np.ndarray = (sums != added).numpy()
    return survived
