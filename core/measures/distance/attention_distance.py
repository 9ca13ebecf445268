"""Mean attention distance: one number for a whole matrix of weights, to compare schemes by."""

import numpy as np
from jaxtyping import Float


def mean_attention_distance(pattern: Float[np.ndarray, "query key"]) -> float:
    """The distance in words from a query to its keys, weighted by attention, on average over all queries."""
    positions = np.arange(len(pattern))
    return float((pattern * np.abs(positions[:, None] - positions)).sum(axis=1).mean())
