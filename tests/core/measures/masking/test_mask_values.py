"""The value of masked scores: every method in every format, against numbers computed by hand."""

import numpy as np
import pytest

from core.measures.masking.mask_values import (
    CONSTANTS,
    FORMATS,
    LOWERED_BY,
    METHODS,
    REPLACED,
    MaskValues,
    mask_values,
    verdict,
)
from tests.covering import each

SCORES = np.array([0.25, -1.25, 2.0, 0.75, -0.5], np.float32)
SEEN = np.array([True, True, False, True, False])
ORDINARY, FULL, LOWERED = 0, 1, 2
OURS = "this app"


@pytest.fixture
def found() -> MaskValues:
    return mask_values(SCORES, SEEN)


def row(found: MaskValues, method: str, form: str, which: int) -> np.ndarray:
    return found.weights[which, list(METHODS).index(method), list(FORMATS).index(form)]


def softmax(scores: np.ndarray) -> np.ndarray:
    exponentials = np.exp(scores.astype(np.float64))
    return exponentials / exponentials.sum()


PRECISION = {"float32": 1e-6, "float16": 1e-3}


@each("form", FORMATS)
@each("method", [f"{name} added" for name in CONSTANTS] + ["score = −10⁴", OURS])
def test_a_row_that_sees_something_is_exact_in_every_format(
    found: MaskValues, method: str, form: str
) -> None:
    weights = row(found, method, form, ORDINARY)
    assert (weights[~SEEN] == 0).all()
    np.testing.assert_allclose(weights[SEEN], softmax(SCORES[SEEN]), atol=PRECISION[form])


@each("form", FORMATS)
def test_a_score_of_zero_hides_nothing_and_zeroed_weights_leave_a_row_short_of_one(
    found: MaskValues, form: str
) -> None:
    weights = row(found, "score = 0", form, ORDINARY)
    np.testing.assert_allclose(weights, softmax(np.where(SEEN, SCORES, 0)), atol=PRECISION[form])
    assert (weights[~SEEN] > 0.1).all()
    weights = row(found, "weight = 0", form, ORDINARY)
    np.testing.assert_allclose(weights, np.where(SEEN, softmax(SCORES), 0), atol=PRECISION[form])
    assert weights.sum() < 0.5


UNMASKED, ALIKE = softmax(SCORES), np.full(5, 1 / 5)
NO_NUMBER, NOTHING = np.full(5, np.nan), np.zeros(5)


@each(
    ("method", "expected"),
    [
        ("−∞ added", dict.fromkeys(FORMATS, NO_NUMBER)),
        # float16 ends at 65504: beyond it a constant is minus infinity.
        ("−10⁵ added", {"float32": UNMASKED, "float16": NO_NUMBER}),
        ("score = −10⁴", dict.fromkeys(FORMATS, ALIKE)),
        ("score = 0", dict.fromkeys(FORMATS, ALIKE)),
        ("weight = 0", dict.fromkeys(FORMATS, NOTHING)),
        (OURS, dict.fromkeys(FORMATS, NOTHING)),
    ],
)
def test_a_fully_masked_row_is_what_the_constant_leaves_of_the_scores(
    found: MaskValues, method: str, expected: dict[str, np.ndarray]
) -> None:
    for form, weights in expected.items():
        np.testing.assert_allclose(row(found, method, form, FULL), weights, atol=5e-3 * weights.any())


@each("form", FORMATS)
def test_a_number_that_replaces_scores_is_attended_to_where_all_scores_are_lower(
    found: MaskValues, form: str
) -> None:
    assert min(SCORES) - LOWERED_BY < max(SCORES) - LOWERED_BY < min(REPLACED.values())
    for name, constant in REPLACED.items():
        weights = row(found, f"score = {name}", form, LOWERED)
        assert constant > -LOWERED_BY
        np.testing.assert_allclose(weights, ~SEEN / 2, atol=1e-6)
    for method in ("−∞ added", "−10⁵ added", OURS):
        weights = row(found, method, form, LOWERED)
        assert (weights[~SEEN] == 0).all()
    exact = row(found, "−∞ added", "float32", LOWERED)
    np.testing.assert_allclose(exact[SEEN], softmax(SCORES[SEEN]), atol=2e-3)


def test_a_verdict_needs_a_key_that_may_be_seen_to_ask_for_a_sum_of_one() -> None:
    nothing = np.zeros(2, bool)
    assert verdict(np.zeros(2), nothing) == "zeros"
    assert verdict(np.array([0.0, 1e-30]), nothing) == "leaks"
    assert verdict(np.array([0.5, 0.0]), np.array([True, False])) == "short"
