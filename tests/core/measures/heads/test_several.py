"""Several heads: their patterns, their costs, and two contents that one head cannot fetch."""

import numpy as np
import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from core.measures.heads import several as two_things
from core.measures.heads.several import (
    HEAD_KINDS,
    PHENOMENA,
    HeadKind,
    HeadsOfKind,
    configs_by_n_heads,
    head_operations,
    head_parameters,
    patterns_by_n_heads,
    records_table,
    to_torch,
)
from core.measures.reading import read
from core.model.config import ModelConfig
from core.sources import load
from tests.core.references import BATCH, D_MODEL, N_HEADS, WORDS, close, noise, noisy
from tests.covering import each
from tests.records import record_of

SENTENCE = ["Maria", "met", "Zuko", "near", "the", "stores"]
CONFIG = ModelConfig(vocab_size=1)


def test_every_model_has_its_own_heads_and_nothing_beyond_them() -> None:
    found = patterns_by_n_heads(
        {n: load("trained", one, SENTENCE, 3) for n, one in configs_by_n_heads(CONFIG).items()}, layer=1
    )
    assert found.counts == (1, 2, 4, 8)
    assert found.patterns.shape == (4, 8, 6, 6)
    for row, n_heads in enumerate(found.counts):
        own = read(load("trained", ModelConfig(vocab_size=1, n_heads=n_heads), SENTENCE, 3))
        np.testing.assert_array_equal(found.patterns[row, :n_heads], own.patterns()[1])
        assert np.isnan(found.patterns[row, n_heads:]).all()
    np.testing.assert_array_equal(found.allowed, np.tril(np.ones((6, 6), dtype=bool)))


def test_scores_of_models_are_in_their_records() -> None:
    known = {2: 0.25, 8: 0.75}
    records = {
        n: record_of(CONFIG, loss=n / 7, accuracy=share, accuracies={"agreement": share / 2})
        for n, share in known.items()
    }
    table = records_table(records).set_index("heads")
    assert PHENOMENA == ("agreement", "names")
    assert table["loss"].to_dict() == {2: 2 / 7, 8: 8 / 7}
    assert table["task"].to_dict() == known
    assert table["agreement"].to_dict() == {2: 0.125, 8: 0.375}
    assert table["names"].isna().all()
    assert records_table({}).empty


ALL = torch.ones(1, 1, WORDS, WORDS, dtype=torch.bool)
X = noise(BATCH, WORDS, D_MODEL)


def layer(kind: HeadKind) -> HeadsOfKind:
    return noisy(HeadsOfKind(kind, d_model=D_MODEL, n_heads=N_HEADS))


def test_standard_heads_are_torchs_multi_head_attention() -> None:
    ours = layer("standard")
    theirs, _ = to_torch(ours)(X, X, X, attn_mask=~ALL.tril()[0, 0])
    close(ours(X, allowed=ALL.tril()), theirs)


def test_narrow_heads_are_standard_heads_with_zeros_outside_their_own_slice() -> None:
    narrow, standard = layer("narrow"), HeadsOfKind("standard", d_model=D_MODEL, n_heads=N_HEADS).double()
    part = D_MODEL // N_HEADS
    with torch.no_grad():
        standard.output.copy_(narrow.output)
        for name in ("query", "key", "value"):
            matrices = torch.zeros(N_HEADS, D_MODEL, part, dtype=torch.float64)
            for head in range(N_HEADS):
                matrices[head, head * part : (head + 1) * part] = getattr(narrow, name)[head]
            getattr(standard, name).copy_(matrices)
    close(narrow(X, allowed=ALL), standard(X, allowed=ALL))


def test_wide_heads_are_the_sum_of_whole_layers_with_one_head() -> None:
    wide = layer("wide")
    total = torch.zeros_like(X)
    for head in range(N_HEADS):
        single = HeadsOfKind("standard", d_model=D_MODEL, n_heads=1).double()
        with torch.no_grad():
            for name in ("query", "key", "value"):
                getattr(single, name).copy_(getattr(wide, name)[head : head + 1])
            single.output.copy_(wide.output[head * D_MODEL : (head + 1) * D_MODEL])
        total += single(X, allowed=ALL)
    close(wide(X, allowed=ALL), total)


@each("kind", HEAD_KINDS)
def test_the_cost_of_every_kind_of_heads_agrees_with_torchs_count(kind: HeadKind) -> None:
    module, counter = layer(kind), FlopCounterMode(display=False)
    with counter:
        module(X[:1], allowed=ALL)
    size = {"d_model": D_MODEL, "n_heads": N_HEADS}
    assert head_parameters(kind, **size) == sum(one.numel() for one in module.parameters())
    assert head_operations(kind, WORDS, **size) == counter.get_total_flops()


BEST_ALONE = 0.5
"""The share of both contents that one head loses at best.

The task has the singular values 1 and 1, and a matrix of rank 1 can do away with one of them (Eckart and
Young 1936).
"""


@each("share", [0.0, 0.1, 0.75])
def test_the_loss_of_one_head_agrees_with_least_squares_on_random_contents(share: float) -> None:
    contents = noise(200_000, 2)
    mixture = (contents @ torch.tensor([share, 1 - share], dtype=torch.float64))[:, None]
    fitted = torch.linalg.lstsq(mixture, contents).solution
    lost = (contents - mixture @ fitted).square().mean(dim=0) / contents.square().mean(dim=0)
    assert two_things.one_head_variance_lost(share) == pytest.approx(tuple(lost.tolist()), abs=0.01)
    assert sum(two_things.one_head_variance_lost(share)) == pytest.approx(1)


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


def test_a_layer_is_its_weights_times_its_maps_head_by_head() -> None:
    layer = two_things.TwoContentAttention(2, seed=3)
    with torch.no_grad():
        layer.output.copy_(noise(2, 2, 2))
    contents = noise(3).float()
    by_hand = torch.zeros(2)
    for scores, value, output in zip(layer.scores, layer.value, layer.output, strict=True):
        z = (scores.softmax(-1)[:, None] * (contents[:, None] * value)).sum(dim=0)
        by_hand += z @ output
    torch.testing.assert_close(layer() @ contents, by_hand)
