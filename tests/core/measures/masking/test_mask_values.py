"""What stands for "may not look": every method in every format, against numbers worked out by hand."""

import numpy as np
import pandas as pd
import pytest
import torch

from core.measures.masking.mask_values import (
    CONSTANTS,
    FORMATS,
    METHODS,
    ROWS,
    MaskValues,
    mask_values,
    step,
    stored,
    survive,
    verdict,
)
from tests.covering import each

SCORES = np.array([0.25, -1.25, 2.0, 0.75, -0.5], np.float32)
SEEN = np.array([True, True, False, True, False])
ORDINARY, FULL = 0, 1


@pytest.fixture
def found() -> MaskValues:
    return mask_values(SCORES, SEEN)


def row(found: MaskValues, method: str, form: str, which: int) -> np.ndarray:
    return found.weights[which, list(METHODS).index(method), list(FORMATS).index(form)]


def softmax(scores: np.ndarray) -> np.ndarray:
    exponentials = np.exp(scores.astype(np.float64))
    return exponentials / exponentials.sum()


PRECISION = {"float32": 1e-6, "bfloat16": 5e-3, "float16": 1e-3}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("method", [f"score {name}" for name in CONSTANTS] + ["this app"])
def test_a_row_that_sees_something_is_exact_in_every_format(
    found: MaskValues, method: str, form: str
) -> None:
    weights = row(found, method, form, ORDINARY)
    assert (weights[~SEEN] == 0).all()
    np.testing.assert_allclose(weights[SEEN], softmax(SCORES[SEEN]), atol=PRECISION[form])


@pytest.mark.parametrize("form", FORMATS)
def test_a_score_of_zero_hides_nothing_for_its_exponential_is_one(found: MaskValues, form: str) -> None:
    weights = row(found, "score := 0", form, ORDINARY)
    expected = softmax(np.where(SEEN, SCORES, 0))
    np.testing.assert_allclose(weights, expected, atol=PRECISION[form])
    assert (weights[~SEEN] > 0.1).all()


@pytest.mark.parametrize("form", FORMATS)
def test_zeroed_weights_leave_a_row_that_is_short_of_one(found: MaskValues, form: str) -> None:
    weights = row(found, "weight := 0", form, ORDINARY)
    np.testing.assert_allclose(weights, np.where(SEEN, softmax(SCORES), 0), atol=PRECISION[form])
    assert weights.sum() < 0.5


UNMASKED, ALIKE = softmax(SCORES), np.full(5, 1 / 5)
NO_NUMBER, NOTHING = np.full(5, np.nan), np.zeros(5)


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("score −∞", dict.fromkeys(FORMATS, NO_NUMBER)),
        # In float16 large constants are minus infinity too.
        ("score −10⁵", {"float32": UNMASKED, "bfloat16": ALIKE, "float16": NO_NUMBER}),
        ("score −10⁹", {"float32": ALIKE, "bfloat16": ALIKE, "float16": NO_NUMBER}),
        ("weight := 0", dict.fromkeys(FORMATS, NOTHING)),
        ("this app", dict.fromkeys(FORMATS, NOTHING)),
    ],
)
def test_a_fully_masked_row_is_what_the_constant_leaves_of_the_scores(
    found: MaskValues, method: str, expected: dict[str, np.ndarray]
) -> None:
    for form, weights in expected.items():
        np.testing.assert_allclose(row(found, method, form, FULL), weights, atol=5e-3 * weights.any())


@each("name", CONSTANTS)
@each("form", FORMATS)
@each("scores", [[31.9, -31.9, 3.0], [33.0, 0.0, -2.0], [-33.0, 5.0, 1.0], [200.0, 100.0, 20.0]])
def test_a_row_that_sees_nothing_is_uniform_exactly_where_no_score_survives(
    scores: list[float], form: str, name: str
) -> None:
    weights = row(mask_values(np.array(scores, np.float32), np.ones(3, bool)), f"score {name}", form, FULL)
    survived = survive(np.array(scores, np.float32), CONSTANTS[name], form)
    if np.isinf(stored(CONSTANTS[name])[form]):
        assert np.isnan(weights).all()
        assert not survived.any()
    else:
        assert (np.ptp(weights) < 1e-6) == (not survived.any())


def test_beside_minus_a_billion_scores_beyond_32_survive_in_single_precision() -> None:
    scores = np.array([0.0, 32.0, 33.0, -32.0, -33.0], np.float32)
    assert survive(scores, -1e9, "float32").tolist() == [False, False, True, False, True]
    assert step(-1e9, "float32") == 64
    weights = row(mask_values(scores, SEEN), "score −10⁹", "float32", FULL)
    assert weights[2] == pytest.approx(1)  # e⁶⁴ times as much as those that were rounded away


def test_the_table_has_a_line_for_each_with_its_sums_and_verdict(found: MaskValues) -> None:
    table = found.table()
    assert len(table) == found.weights[..., 0].size == 2 * 6 * 3
    verdicts = pd.Series(table["verdict"].to_numpy(), [table["row"], table["method"], table["format"]])
    assert verdicts[ROWS[0], "score −∞", "float16"] == "exact"
    assert verdicts[ROWS[0], "score := 0", "float32"] == "leaks"
    assert verdicts[ROWS[0], "weight := 0", "float32"] == "short"
    assert verdicts[ROWS[1], "score −∞", "float32"] == "NaN"
    assert verdicts[ROWS[1], "score −10⁵", "float32"] == "leaks"
    assert verdicts[ROWS[1], "this app", "bfloat16"] == "zeros"
    line = table[(table["row"] == ROWS[0]) & (table["method"] == "score := 0")].iloc[0]
    weights = row(found, "score := 0", "float32", ORDINARY)
    assert line["on masked keys"] == pytest.approx(weights[[2, 4]].sum(), rel=1e-6)
    assert line["row sum"] == pytest.approx(1, abs=1e-6)


def test_a_verdict_needs_a_key_that_may_be_seen_to_ask_for_a_sum_of_one() -> None:
    nothing = np.zeros(2, bool)
    assert verdict(np.zeros(2), nothing) == "zeros"
    assert verdict(np.array([0.0, 1e-30]), nothing) == "leaks"
    assert verdict(np.array([0.5, 0.0]), np.array([True, False])) == "short"


@each("form", FORMATS)
@each("constant", [-1e5, -1e9])
def test_a_step_is_the_distance_to_the_next_number_of_the_format(form: str, constant: float) -> None:
    kept = torch.tensor(constant).to(FORMATS[form])
    if kept.isinf():
        assert np.isnan(step(constant, form))
        return
    expected = kept.float() - torch.nextafter(kept, torch.tensor(-torch.inf, dtype=kept.dtype)).float()
    assert step(constant, form) == float(expected)


def test_constants_become_what_the_format_has() -> None:
    assert stored(-1e5) == {"float32": -100_000, "bfloat16": -99_840, "float16": -np.inf}
    assert torch.finfo(torch.float16).max == 65504
