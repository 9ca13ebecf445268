"""The cell at which a head attends most strongly, among queries that have a choice."""

import numpy as np
from jaxtyping import Bool, Float


def largest_of_a_choice(
    pattern: Float[np.ndarray, "query key"], allowed: Bool[np.ndarray, "query key"]
) -> tuple[tuple[int, int], Bool[np.ndarray, "query"]]:
    """The (query, key) of the largest weight, and which queries may attend to more than one key.

    A query that may attend to one key only gives it all its weight, so its row counts only where no query
    has a choice. The first of several that are equally large.
    """
    has_choice = allowed.sum(axis=1) > 1
    counted = np.where(allowed & (has_choice | ~has_choice.any())[:, None], pattern, -1.0)
    query, key = divmod(int(counted.argmax()), counted.shape[1])
    return (query, key), has_choice
