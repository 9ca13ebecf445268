"""Sinusoids as numbers to look at: the matrix, the wavelengths, the dot products of two positions."""

import math

import numpy as np
from jaxtyping import Float

from core.model.positions.frequencies import LONGEST_WAVELENGTH
from core.model.positions.sinusoidal import sinusoids


def matrix(n_positions: int, d_model: int) -> Float[np.ndarray, "position d_model"]:
    """What is added to the word vector at each position."""
    return sinusoids(n_positions, d_model).numpy()


def wavelength(pair: int, d_model: int) -> float:
    """After how many positions the sine and the cosine of a pair of dimensions begin again."""
    return 2 * math.pi * LONGEST_WAVELENGTH ** (2 * pair / d_model)


def products(n_positions: int, d_model: int) -> Float[np.ndarray, "position other"]:
    """The dot product of every position with every other: Σ cos(offset · frequency), whoever the two are."""
    waves = matrix(n_positions, d_model)
    return waves @ waves.T


def along_diagonals(square: Float[np.ndarray, "n n"]) -> tuple[Float[np.ndarray, "offset"], float]:
    """The first number of every diagonal from the main one upwards, and how far any other is from it."""
    n = len(square)
    diagonals = [np.diagonal(square, offset) for offset in range(1 - n, n)]
    spread = max(float(np.ptp(diagonal)) for diagonal in diagonals)
    return square[0], spread
