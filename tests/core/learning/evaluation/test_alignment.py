"""The alignment error rate is as in Och & Ney, and attention implies the link with the largest weight."""

import pytest
import torch

from core.learning.evaluation.translation import by_head, error_rate, implied_links
from tests.covering import each

Links = frozenset[tuple[int, int]]

SURE = frozenset({(0, 0), (1, 1), (2, 3), (3, 2)})
FOUND = frozenset({(0, 0), (1, 1), (1, 0), (3, 3), (4, 4)})


LONG = frozenset((i, i) for i in range(9))


@each(
    ("pairs", "expected"),
    [
        ([(FOUND, SURE)], 1 - 2 * 2 / (5 + 4)),  # of five links found two are right, and there are four
        ([(SURE, SURE)], 0.0),
        ([(frozenset({(9, 9)}), SURE)], 1.0),
        ([(frozenset(), SURE)], 1.0),
        # Sentences are counted together, not averaged.
        ([(LONG, LONG), (frozenset({(0, 1)}), frozenset({(0, 0)}))], 1 - 18 / 20),
    ],
)
def test_the_error_rate_is_worked_out_by_hand(pairs: list[tuple[Links, Links]], expected: float) -> None:
    assert error_rate(pairs) == pytest.approx(expected)


def test_each_target_word_is_linked_with_the_source_word_of_the_largest_weight_in_size() -> None:
    weights = torch.tensor([[0.1, 0.7, 0.2], [0.5, 0.5, 0.0], [0.3, 0.1, -0.6]])
    assert implied_links(weights) == {(1, 0), (0, 1), (2, 2)}


def test_links_of_some_target_words_are_counted_alone() -> None:
    """The first word's link is wrong, the others' right: without it there is no error."""
    weights, exact = [torch.eye(3).roll(1, dims=0)[None, None]], [frozenset({(0, 0), (0, 1), (1, 2), (2, 2)})]
    assert by_head(weights, exact, [range(3)]).item() == pytest.approx(1 - 2 * 2 / (3 + 4))
    assert by_head(weights, exact, [{1}]).item() == 0
    assert by_head(weights, exact, [{0}]).item() == 1


def test_every_head_of_every_layer_has_its_own_error_rate() -> None:
    exact = [frozenset((i, i) for i in range(n)) for n in (3, 5)]
    weights = [
        torch.stack([torch.stack([right, wrong, wrong]), torch.stack([wrong, wrong, right])])
        for right, wrong in ((torch.eye(n), torch.eye(n).roll(1, dims=1)) for n in (3, 5))
    ]
    assert by_head(weights, exact, [range(3), range(5)]).tolist() == [[0, 1, 1], [1, 1, 0]]
