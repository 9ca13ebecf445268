"""Sinusoids: the formula entry by entry, wavelengths by hand, dot products that know the offset alone."""

import math

import numpy as np
import pytest

from core.measures.positions import schemes as sinusoids

N, D = 23, 14


def test_the_matrix_is_the_formula_of_the_slides() -> None:
    found = sinusoids.matrix(N, D)
    assert found.shape == (N, D)
    for p in range(N):
        for i in range(D // 2):
            angle = p / 10000 ** (2 * i / D)
            assert found[p, 2 * i] == pytest.approx(math.sin(angle), abs=1e-12)
            assert found[p, 2 * i + 1] == pytest.approx(math.cos(angle), abs=1e-12)


def test_a_wave_begins_again_after_its_wavelength() -> None:
    assert sinusoids.wavelength(0, D) == pytest.approx(2 * math.pi)
    assert sinusoids.wavelength(3, 6) == pytest.approx(2 * math.pi * 10000)
    for pair in range(D // 2):
        assert sinusoids.wavelength(pair, D) / 10000 ** (2 * pair / D) == pytest.approx(2 * math.pi)


def test_dot_products_depend_on_the_offset_alone() -> None:
    products = sinusoids.products(N, D)
    for p in range(N):
        for other in range(N):
            cosines = (math.cos((p - other) / 10000 ** (2 * i / D)) for i in range(D // 2))
            assert products[p, other] == pytest.approx(sum(cosines), abs=1e-12)
    by_offset, spread = sinusoids.along_diagonals(products)
    assert spread < 1e-12
    assert by_offset[0] == pytest.approx(D / 2)
    assert by_offset.argmax() == 0
    np.testing.assert_allclose(by_offset, products[0], atol=1e-12)


def test_a_matrix_that_depends_on_more_than_the_offset_has_a_spread() -> None:
    square = np.zeros((5, 5))
    square[3, 1] = 0.25
    by_offset, spread = sinusoids.along_diagonals(square)
    assert spread == 0.25
    assert by_offset.tolist() == [0] * 5
