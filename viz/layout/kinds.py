"""The kinds of numbers a matrix can hold, each with its colours and its way to show a masked cell."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from viz.layout.cells import Gap, Matrix, visible
from viz.layout.scale import mask_scale, signed_scale, weight_scale
from viz.theme import Theme

MASKED_WEIGHT = Gap(sign="", hover="masked, not allowed", legend="masked: not allowed")
MASKED_SCORE = Gap(sign="−∞", hover="−∞, masked", legend="masked: not allowed")

WEIGHT = "attention weight"

NOISE = 1e-6
"""Two weights no further apart than this differ by the rounding of float32."""

Words = Sequence[str]


def weights(
    pattern: ArrayLike, words: Words, key_words: Words | None, allowed: ArrayLike | None, theme: Theme
) -> Matrix:
    """Probabilities, from 0 to 1."""
    values, keys = visible(pattern, allowed), words if key_words is None else key_words
    return Matrix(
        values=values, queries=words, keys=keys, scale=weight_scale(theme), gap=MASKED_WEIGHT, measure=WEIGHT
    )


def changes(b_minus_a: ArrayLike, words: Words, theme: Theme) -> Matrix:
    """Differences of weights, symmetric about zero; `NOISE` is not stretched into colours."""
    values = visible(b_minus_a)
    scale = signed_scale(values, theme, noise=NOISE, signed=True)
    return Matrix(
        values=values, queries=words, keys=words, scale=scale, gap=MASKED_WEIGHT, measure="change of weight"
    )


def real_numbers(
    scores: ArrayLike, words: Words, key_words: Words | None, allowed: ArrayLike | None, theme: Theme
) -> Matrix:
    """Any numbers, symmetric about zero; what is masked counts as −∞."""
    values, keys = visible(scores, allowed), words if key_words is None else key_words
    scale = signed_scale(values, theme)
    return Matrix(values=values, queries=words, keys=keys, scale=scale, gap=MASKED_SCORE, measure="score")


def permissions(allowed: ArrayLike, words: Words, theme: Theme) -> Matrix:
    """A mask, by what it adds to the scores: nothing where True, −∞ where False."""
    values = visible(np.zeros(np.shape(allowed)), allowed)
    legend = (f"{_square(theme)} may attend",)
    scale = mask_scale(theme)
    return Matrix(values=values, queries=words, keys=words, scale=scale, gap=MASKED_SCORE, legend=legend)


def _square(theme: Theme) -> str:
    """Return a small cell for a legend: its outline alone, since its pale colour is hardly seen at this size.

    A letter with a stroke would do, but Chromium writes it as a Type 3 font into a PDF.
    """
    return f'<span style="color:{theme.muted}">□</span>'


def differs(matrix: Matrix) -> bool:
    """Whether any change is more than rounding."""
    return bool(np.abs(np.nan_to_num(matrix.values)).max(initial=0) > NOISE)
