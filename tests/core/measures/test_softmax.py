"""Softmax, entropy and derivative are torch's, for rows of any axes and for rows that see only some keys."""

import numpy as np
import pytest
import torch

from core.measures.prediction import entropy, softmax, softmax_gradient
from core.model.attention import attention_pattern
from tests.core.references import noise
from tests.covering import each


def test_the_gradient_is_the_norm_of_torchs_jacobian() -> None:
    scores = noise(3, 5) * 2
    for row in scores:
        jacobian = torch.autograd.functional.jacobian(lambda s: s.softmax(-1), row)
        ours = softmax_gradient(row.softmax(-1).numpy())
        assert ours == pytest.approx(jacobian.norm().item(), abs=1e-12)


def test_a_row_that_has_decided_has_no_gradient_and_no_entropy() -> None:
    decided, open_ = np.array([0.0, 1.0, 0.0]), np.full(8, 1 / 8)
    assert softmax_gradient(decided) == 0
    assert entropy(decided) == 0
    assert entropy(open_) == pytest.approx(3)


@each("axes", [(7,), (5, 7), (3, 5, 7), (2, 3, 5, 7)])
def test_rows_of_a_softmax_sum_to_one_whatever_the_axes(axes: tuple[int, ...]) -> None:
    scores = noise(*axes)
    ours = softmax(scores.numpy())
    np.testing.assert_allclose(ours.sum(axis=-1), 1)
    np.testing.assert_allclose(ours, scores.softmax(-1).numpy())
    large = softmax(1000 * scores.numpy())
    assert np.isfinite(large).all()


def test_a_softmax_over_the_allowed_keys_is_the_models_own_and_a_blind_row_stays_empty() -> None:
    scores = noise(5, 7) * 3
    allowed = noise(5, 7, seed=1) > 0
    allowed[2] = False
    ours = softmax(scores.numpy(), allowed.numpy())
    np.testing.assert_allclose(ours, attention_pattern(scores[None, None], allowed[None, None])[0, 0].numpy())
    assert ours[2].tolist() == [0] * 7


def test_entropy_is_torchs_in_bits() -> None:
    logits = noise(3, 5, 7) * 2
    expected = torch.distributions.Categorical(logits=logits).entropy().numpy() / np.log(2)
    np.testing.assert_allclose(entropy(logits.softmax(-1).numpy()), expected)
    assert entropy(logits.softmax(-1).float().numpy()).dtype == np.float32
