"""Every count is held against something that was built, run or drawn by somebody else."""

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import torch

from core.measures.distance import costs
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.model.models import Transformer
from core.model.trace import Trace
from tests.covering import each

# Primes wherever a size is free: n_heads × d_head is the width, and rotary wants an even d_head.
CONFIG = ModelConfig(vocab_size=11, d_model=6, n_heads=3, n_layers=2, d_mlp=13, max_len=17)
WORDS = 7


PREFIX = np.array([[j <= i or j < 3 for j in range(6)] for i in range(6)])
"""Of six words the first three are given, as in T5's prefix language model."""

_ = costs.UNREACHED


@each(
    ("origin", "recurrent", "attention"),
    [
        (2, [3, 2, 1, _, _, _], [1, 1, 1, 1, 1, 1]),
        (3, [_, _, _, 1, _, _], [_, _, _, 1, 1, 1]),
        (4, [_, _, _, _, 1, _], [_, _, _, _, 1, 1]),
    ],
)
def test_under_a_prefix_mask_only_given_words_get_information_from_later_ones(
    origin: int, recurrent: list[int], attention: list[int]
) -> None:
    np.testing.assert_array_equal(
        costs.recurrent_interaction_distances(6, origin, backwards=True, allowed=PREFIX)[1], recurrent
    )
    np.testing.assert_array_equal(
        costs.attention_interaction_distances(6, origin, allowed=PREFIX)[1], attention
    )


@each("mask", [None, "causal", "bidirectional"])
def test_a_network_that_reads_onwards_carries_nothing_back(mask: str | None) -> None:
    allowed = None if mask is None else MASKS[mask].allowed(5)[0, 0].numpy()
    counts = costs.recurrent_interaction_distances(5, 2, 2, allowed=allowed)
    np.testing.assert_array_equal(counts, [[_, _, 0, _, _], [_, _, 1, 2, 3], [_, _, 2, 3, 4]])


def test_a_narrow_mask_takes_attention_as_many_layers_as_it_takes_steps_along_it() -> None:
    allowed = np.tri(7, dtype=bool) & ~np.tri(7, k=-3, dtype=bool)  # a word and the two before it
    counts = costs.attention_interaction_distances(7, 1, 3, allowed=allowed)
    reached = [[0, 1, 1, 1, 0, 0, 0], [0, 1, 1, 1, 1, 1, 0], [0, 1, 1, 1, 1, 1, 1]]
    np.testing.assert_array_equal(counts[1:] >= 0, reached)
    assert costs.attention_path(1, 5, 2, allowed=allowed) == [(0, 1), (1, 3), (2, 5)]
    assert costs.attention_path(1, 6, 2, allowed=allowed) == []


@each("mask", MASKS)
@each(("origin", "target"), list(product(range(4), repeat=2)))
def test_a_path_runs_along_the_mask_and_is_there_where_a_distance_is(
    mask: str, origin: int, target: int
) -> None:
    allowed = MASKS[mask].allowed(4)[0, 0].numpy()
    path = costs.attention_path(origin, target, 2, allowed=allowed)
    back = costs.recurrent_path(origin, target, 2, allowed=allowed)
    for one, counts in (
        (path, costs.attention_interaction_distances(4, origin, 2, allowed=allowed)),
        (
            back,
            costs.recurrent_interaction_distances(4, origin, 2, backwards=target < origin, allowed=allowed),
        ),
    ):
        assert len(one) - 1 == counts[2, target]
    for (_, key), (_, query) in pairwise(path):
        assert key == query or allowed[query, key]


@each("mask", MASKS)
def test_scores_counted_are_the_scores_the_model_computes_and_uses(mask: str) -> None:
    trace = Trace()
    Transformer(replace(CONFIG, mask=mask))(torch.zeros(1, WORDS, dtype=torch.long), trace=trace)
    layers = [f"blocks.{layer}.attention" for layer in range(CONFIG.n_layers)]
    scores = [trace[f"{layer}.scores"] for layer in layers]
    used = sum(int((trace[f"{layer}.pattern"] > 0).sum()) for layer in layers)
    assert {costs.n_scores(WORDS)} == {score.numel() / CONFIG.n_heads for score in scores}
    assert {costs.score_bytes(WORDS)} == {score.nbytes / CONFIG.n_heads for score in scores}
    assert used == len(scores) * CONFIG.n_heads * int(MASKS[mask].allowed(WORDS).sum())
