"""The kinds of numbers in a matrix, each with its colours and its sign for a masked cell."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from viz.layout.cells import Gap, Matrix, Numbers, visible
from viz.layout.scale import Scale, mask_scale, signed_scale, weight_scale
from viz.theme import Theme

MASKED_WEIGHT = Gap(sign="", hover="masked, not allowed", legend="masked: not allowed", brief="masked")
MASKED_SCORE = Gap(sign="−∞", hover="−∞, masked", legend="masked: not allowed", brief="masked")

WEIGHT = "attention weight"

NOISE = 1e-6
"""Difference of two weights that is rounding in float32."""

Words = Sequence[str]
Mask = ArrayLike | None


def weights(
    pattern: ArrayLike, words: Words, theme: Theme, *, keys: Words | None = None, allowed: Mask = None
) -> Matrix:
    """Return a matrix of probabilities, from 0 to 1."""
    return _matrix(visible(pattern, allowed), words, keys, weight_scale(theme), MASKED_WEIGHT, WEIGHT)


def changes(b_minus_a: ArrayLike, words: Words, theme: Theme) -> Matrix:
    """Return a matrix of differences of weights, symmetric about zero, without colours below `NOISE`."""
    values = visible(b_minus_a)
    scale = signed_scale(values, theme, noise=NOISE, signed=True)
    return _matrix(values, words, None, scale, MASKED_WEIGHT, "change of weight")


def real_numbers(
    scores: ArrayLike, words: Words, theme: Theme, *, keys: Words | None = None, allowed: Mask = None
) -> Matrix:
    """Return a matrix of any numbers, symmetric about zero; a masked number counts as −∞."""
    values = visible(scores, allowed)
    return _matrix(values, words, keys, signed_scale(values, theme), MASKED_SCORE, "score")


def permissions(allowed: ArrayLike, words: Words, theme: Theme) -> Matrix:
    """Return a mask as its addition to the scores: 0 where True, −∞ where False."""
    values = visible(np.zeros(np.shape(allowed)), allowed)
    matrix = _matrix(values, words, None, mask_scale(theme), MASKED_SCORE, "")
    # An outline: the pale colour is hardly visible at this size, and a letter with a stroke is a Type 3 font.
    return replace(matrix, legend=(f'<span style="color:{theme.muted}">□</span> may attend',))


def _matrix(
    values: Numbers, words: Words, keys: Words | None, scale: Scale, gap: Gap, measure: str
) -> Matrix:
    keys = words if keys is None else keys
    return Matrix(values=values, queries=words, keys=keys, scale=scale, gap=gap, measure=measure)
