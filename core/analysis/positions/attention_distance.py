"""How far words look: one number for a whole matrix of weights, to compare schemes by."""

import numpy as np
from jaxtyping import Float


def mean_distance(pattern: Float[np.ndarray, "query key"]) -> float:
    """The distance in words to what is looked at, by weight, on average over all words that look."""
    places = np.arange(len(pattern))
    return float((pattern * np.abs(places[:, None] - places)).sum(axis=1).mean())
