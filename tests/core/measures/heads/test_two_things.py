"""One head loses half of two contents, however balanced and however long it learns; two lose nothing."""

import numpy as np
import pytest
import torch

from core.measures.heads import several as two_things
from tests.core.references import noise

BEST_ALONE = 0.5
"""The share of both contents that one head loses at best.

The task has the singular values 1 and 1, and a matrix of rank 1 can do away with one of them (Eckart and
Young 1936).
"""


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.75, 1.0])
def test_what_one_head_loses_is_what_least_squares_loses_on_random_contents(share: float) -> None:
    contents = noise(200_000, 2)
    mixture = (contents @ torch.tensor([share, 1 - share], dtype=torch.float64))[:, None]
    fitted = torch.linalg.lstsq(mixture, contents).solution
    lost = (contents - mixture @ fitted).square().mean(dim=0) / contents.square().mean(dim=0)
    assert two_things.lost_alone(share) == pytest.approx(tuple(lost.tolist()), abs=0.01)
    assert sum(two_things.lost_alone(share)) == pytest.approx(1)


def test_no_matrix_of_rank_one_loses_less_than_half() -> None:
    u, s, v = torch.linalg.svd(two_things.task())
    nearest = s[0] * u[:, :1] @ v[:1]
    assert two_things.lost(nearest).mean().item() == pytest.approx(BEST_ALONE)
    assert torch.linalg.matrix_rank(two_things.task()) == 2


def test_one_head_learns_as_far_as_half_and_two_learn_it_all() -> None:
    one, two = two_things.learn(1), two_things.learn(2)
    assert one.lost[0] == two.lost[0] == 1
    assert len(one.lost) == two_things.STEPS + 1
    assert BEST_ALONE < one.lost[-1] < BEST_ALONE + 0.01
    assert two.lost[-1] < 0.01
    for learned, n_heads in ((one, 1), (two, 2)):
        assert learned.pattern.shape == (n_heads, 3)
        np.testing.assert_allclose(learned.pattern.sum(axis=1), 1, rtol=1e-6)
        assert learned.pattern[:, 1].max() < 0.1, "met itself is of no use"
    assert abs(two.pattern[0, 0] - two.pattern[1, 0]) > 0.3, "two mixtures that differ"


def test_one_head_has_as_many_value_and_output_weights_as_two() -> None:
    one, two = (two_things.Fetching(n_heads, seed=0) for n_heads in (1, 2))
    for name in ("value", "output"):
        assert getattr(one, name).numel() == getattr(two, name).numel()


def test_a_layer_is_its_weights_times_its_maps_head_by_head() -> None:
    layer = two_things.Fetching(2, seed=3)
    with torch.no_grad():
        layer.output.copy_(noise(2, 2, 2))
    contents = noise(3).float()
    by_hand = torch.zeros(2)
    for scores, value, output in zip(layer.scores, layer.value, layer.output, strict=True):
        z = (scores.softmax(-1)[:, None] * (contents[:, None] * value)).sum(dim=0)
        by_hand += z @ output
    torch.testing.assert_close(layer() @ contents, by_hand)
