"""Effects of hiding a word, by hand: a painted mask for each word, and ranks of small lists."""

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from core.measures.hiding import (
    HIDDEN_AT_ONCE,
    heaviest_and_strongest,
    hide_each,
    rank_correlation,
    total_variation,
)
from core.measures.masking.painting import PaintedMask, masking
from core.model.config import ModelConfig
from core.model.forward import forward_pass
from core.model.masks import MASKS
from core.sources import LoadedModel, load
from core.text.language import MASK
from tests.covering import each

pytestmark = pytest.mark.usefixtures("noise_shelf")
WORDS = ("Maria", "met", "Zuko", "near", "the", "stores", "såg")


def loaded_for(mask: str, words: tuple[str, ...] = WORDS) -> LoadedModel:
    return load("trained", ModelConfig(vocab_size=1, mask=mask, n_heads=2), words, 0)


def by_hand(
    loaded: LoadedModel, at: int, window: int | None, hidden: int | None
) -> tuple[torch.Tensor, np.ndarray]:
    """Return the distribution and the weights at a position under the mask painted cell by cell."""
    n, tokens = len(loaded.words), loaded.tokens.clone()
    if loaded.model.config.objective == "masked word":
        tokens[0, at] = loaded.vocabulary.encode([MASK]).item()
    own = MASKS[loaded.model.config.mask].allowed(n)[0, 0]
    wanted = [
        [
            bool(own[query, key])
            and (window is None or abs(query - key) <= window)
            and (key != hidden or query == key)
            for key in range(n)
        ]
        for query in range(n)
    ]
    cells = {(query, key) for query in range(n) for key in range(n) if not wanted[query][key]}
    mask = PaintedMask(preset="none", cells=frozenset(cells))
    assert mask.allowed(n).tolist() == wanted
    forward = forward_pass(loaded.model, tokens, edits=masking(loaded, mask))
    return forward.logits[0, at].double().softmax(-1), forward.patterns()[:, 0, :, at].numpy()


@each(("mask", "at", "window"), [*zip(MASKS, (4, 6, 5), (None, None, 2), strict=False), ("causal", 4, 2)])
def test_each_change_agrees_with_a_painted_mask_without_the_word(
    mask: str, at: int, window: int | None
) -> None:
    found, loaded = hide_each(loaded_for(mask), position=at, window=window), loaded_for(mask)
    before, weights = by_hand(loaded, at, window, None)
    allowed = [key for key in range(len(WORDS)) if weights[:, :, key].any()]
    assert list(found.keys) == allowed
    assert_allclose(found.weights, weights[:, :, allowed], atol=1e-6)
    for key, change in zip(found.keys, found.changes, strict=True):
        after, _ = by_hand(loaded, at, window, key)
        expected = np.nan if key == at else 0.5 * (after - before).abs().sum().item()
        assert change == pytest.approx(expected, abs=2e-6, nan_ok=True)
    assert (found.changes[found.others] > 1e-5).any()


def test_more_words_than_go_through_the_model_together_are_hidden() -> None:
    words = WORDS * 4
    found = hide_each(loaded_for("causal", words), position=len(words) - 1)
    assert len(found.keys) > HIDDEN_AT_ONCE + 1
    before, _ = by_hand(loaded_for("causal", words), 27, None, None)
    after, _ = by_hand(loaded_for("causal", words), 27, None, 20)
    assert found.changes[20] == pytest.approx(0.5 * (after - before).abs().sum().item(), abs=2e-6)


def test_total_variation_is_the_share_of_the_probability_that_moves() -> None:
    p, q = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.1, 0.6, 0.3])
    assert total_variation(p, q) == pytest.approx(0.4)
    assert total_variation(p, p) == 0
    assert total_variation(torch.tensor([1.0, 0]), torch.tensor([0, 1.0])) == 1


@each(
    ("one", "other", "expected"),
    [
        ([0.1, 0.2, 0.7], [3, 5, 40], 1),
        ([0.1, 0.2, 0.7], [5, 3, 1], -1),
        ([1, 2, 3, 4], [1, 3, 2, 4], 1 - 6 * 2 / (4 * 15)),
        ([0.1, 0.1, 0.8], [1, 2, 3], 0.75**0.5),
        ([0.1, 0.1 + 1e-9, 0.8], [1, 2, 3], 0.75**0.5),
    ],
)
def test_ranks_are_correlated_as_spearman_does(one: list[float], other: list[float], expected: float) -> None:
    assert rank_correlation(np.array(one), np.array(other)) == pytest.approx(expected)


@each(("one", "other"), [([], []), ([1, 2], [1, 2]), ([1, 1, 1], [1, 2, 3])])
def test_ranks_of_few_or_equal_numbers_are_not_correlated(one: list[float], other: list[float]) -> None:
    assert rank_correlation(np.array(one, dtype=float), np.array(other, dtype=float)) is None


@each(
    ("weights", "changes", "expected"),
    [
        ([0.1, 0.6, 0.3], [0.1, 0.7, 0.2], (1, 1)),
        ([0.1, 0.6, 0.3], [0.1, 0.2, 0.7], (1, 2)),
        ([0.4, 0.4, 0.2], [0.1, 0.7, 0.2], (1, 1)),
        ([0.1, 0.6, 0.3], [0.7, 0.7, 0.2], (1, 1)),
    ],
)
def test_of_equal_weights_that_which_agrees_is_the_largest(
    weights: list[float], changes: list[float], expected: tuple[int, int]
) -> None:
    assert heaviest_and_strongest(np.array(weights), np.array(changes)) == expected
