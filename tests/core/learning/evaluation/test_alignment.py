"""The alignment error rate is that of Och & Ney, and attention implies the link with the largest weight."""

import pytest
import torch

from core.learning.evaluation.alignment import LinkCounts, by_head, count_links, error_rate, implied
from tests.covering import each

SURE = frozenset({(0, 0), (1, 1), (2, 3), (3, 2)})
POSSIBLE = frozenset({(1, 0), (3, 3)})
FOUND = frozenset({(0, 0), (1, 1), (1, 0), (3, 3), (4, 4)})


def test_the_error_rate_is_worked_out_by_hand_on_a_small_alignment() -> None:
    """Of five links found two are sure, four possible; four are sure: 1 − (2 + 4) / (5 + 4) = 1/3."""
    counts = count_links(FOUND, SURE, POSSIBLE)
    assert counts == LinkCounts(found=5, sure=4, found_sure=2, found_possible=4)
    assert counts.error_rate == pytest.approx(1 / 3)


@each(
    ("found", "expected"),
    [(SURE, 0.0), (frozenset({(9, 9)}), 1.0), (frozenset(), 1.0), (SURE | POSSIBLE, 0.0)],
)
def test_it_is_0_for_all_and_nothing_wrong_and_1_for_nothing_right(
    found: frozenset[tuple[int, int]], expected: float
) -> None:
    assert count_links(found, SURE, POSSIBLE).error_rate == expected


def test_sentences_are_counted_together_and_not_averaged() -> None:
    long = frozenset((i, i) for i in range(9))
    pairs = [(long, long), (frozenset({(0, 1)}), frozenset({(0, 0)}))]
    assert error_rate(pairs) == pytest.approx(1 - 18 / 20)


def test_nothing_at_all_has_no_error_rate() -> None:
    with pytest.raises(ValueError, match="without links"):
        error_rate([])


def test_each_target_word_is_linked_with_the_source_word_of_the_largest_weight_in_size() -> None:
    weights = torch.tensor([[0.1, 0.7, 0.2], [0.5, 0.5, 0.0], [0.3, 0.1, -0.6]])
    assert implied(weights) == {(1, 0), (0, 1), (2, 2)}


def test_links_of_some_target_words_are_counted_alone() -> None:
    """The first word's link is wrong, the others' right: without it there is no error."""
    weights, exact = [torch.eye(3).roll(1, dims=0)[None, None]], [frozenset({(0, 0), (0, 1), (1, 2), (2, 2)})]
    assert by_head(weights, exact).item() == pytest.approx(1 - 2 * 2 / (3 + 4))
    assert by_head(weights, exact, [{1}]).item() == 0
    assert by_head(weights, exact, [{0}]).item() == 1


def test_every_head_of_every_layer_has_its_own_error_rate() -> None:
    exact = [frozenset((i, i) for i in range(n)) for n in (3, 5)]
    right = [torch.eye(n) for n in (3, 5)]
    wrong = [torch.eye(n).roll(1, dims=1) for n in (3, 5)]
    weights = [
        torch.stack([torch.stack([r, w, w]), torch.stack([w, w, r])])
        for r, w in zip(right, wrong, strict=True)
    ]
    assert by_head(weights, exact).tolist() == [[0, 1, 1], [1, 1, 0]]
