"""Values that stand for "may not attend" in a row of scores, and torch's softmax of them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from core.device import choose_device
from core.model.attention import attention_pattern

FORMATS = {"float32": torch.float32, "float16": torch.float16}

CONSTANTS = {"−∞": float("-inf"), "−10⁵": -1e5}

REPLACED = {"−10⁴": -1e4, "0": 0.0}

ROWS = AS_THEY_ARE, ALL_MASKED, LOWERED = ("as they are", "every key masked", "all scores lowered")
"""Scores of a row: with its own mask, with every key masked, and all lowered by `LOWERED_BY`."""

LOWERED_BY = 2e4
"""Subtracted from all scores of a row, which leaves their softmax unchanged."""

Row = Float[Tensor, "key"]
Seen = Bool[Tensor, "key"]


def _adding(constant: float) -> Callable[[Row, Seen], Row]:
    def weights(scores: Row, allowed: Seen) -> Row:
        added = torch.where(allowed, 0.0, constant).to(scores.dtype)
        return (scores + added).softmax(dim=-1)

    return weights


def _replacing(constant: float) -> Callable[[Row, Seen], Row]:
    return lambda scores, allowed: scores.masked_fill(~allowed, constant).softmax(dim=-1)


def _ours(scores: Row, allowed: Seen) -> Row:
    return attention_pattern(scores[None, None, None], allowed[None, None, None])[0, 0, 0]


METHODS: dict[str, Callable[[Row, Seen], Row]] = {
    **{f"{name} added": _adding(value) for name, value in CONSTANTS.items()},
    **{f"score = {name}": _replacing(value) for name, value in REPLACED.items()},
    "weight = 0": lambda scores, allowed: scores.softmax(dim=-1).masked_fill(~allowed, 0.0),
    "this app": _ours,
}
"""Ways to mask a row of scores, by name; the last is used by `core.model.attention`."""


@dataclass(frozen=True, eq=False)
class MaskValues:
    """Every method in every format, on the three `ROWS`, with the keys allowed in each."""

    weights: Float[np.ndarray, "row method format key"]
    allowed: Bool[np.ndarray, "row key"]

    def table(self) -> pd.DataFrame:
        """Return a line for each method, format and row: weight on masked keys, row sum and verdict."""
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
    """Mask a row of scores with every method in every format."""
    device = choose_device()
    own = torch.tensor(scores, dtype=torch.float32, device=device)
    seen = torch.tensor(allowed, device=device)
    rows = {AS_THEY_ARE: (own, seen), ALL_MASKED: (own, seen & False), LOWERED: (own - LOWERED_BY, seen)}
    weights = [
        [
            [method(row.to(form), keys).float().cpu().numpy() for form in FORMATS.values()]
            for method in METHODS.values()
        ]
        for row, keys in rows.values()
    ]
    return MaskValues(np.array(weights), np.stack([keys.cpu().numpy() for _, keys in rows.values()]))


def verdict(weights: Float[np.ndarray, "key"], allowed: Bool[np.ndarray, "key"]) -> str:
    """Return the verdict on a row of weights: `NaN`, `leaks`, `short`, `zeros` or `exact`."""
    if np.isnan(weights).any():
        return "NaN"
    if weights[~allowed].any():
        return "leaks"
    if not allowed.any():
        return "zeros"
    return "exact" if abs(weights.sum() - 1) < ROUNDING else "short"


ROUNDING = 0.01
"""Weights in float16 have three significant digits, and so has their sum."""
