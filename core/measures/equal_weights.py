"""Equal weights on all that a query may see: what a head is measured by, for it takes no learning."""

import numpy as np
from jaxtyping import Bool, Float

from core.measures.merging import Groups, merge


def equal_weights(
    allowed: Bool[np.ndarray, "... query key"], groups: Groups | None = None
) -> Float[np.ndarray, "... row column"]:
    """The weights of a query that attends alike to all it may see; zeros where that is nothing.

    With `groups` they are merged into words afterwards, for the model weighs pieces: a word of five gets
    five times what a word of one gets.
    """
    equal = allowed / np.maximum(allowed.sum(axis=-1, keepdims=True), 1)
    return equal if groups is None else merge(equal, groups)
