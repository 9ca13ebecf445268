"""A long text gives the same numbers as a short one, and its cached results are small."""

import math
from itertools import cycle, product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.measures import long_reading as module
from core.measures.long_reading import LongReading, is_long, read_text
from core.measures.merging import merge, merge_allowed
from core.measures.reading import Reading, read
from core.model.config import NORMS, POSITIONS, ModelConfig
from core.model.forward import LayerHeads
from core.model.masks import MASKS
from core.model.models import Transformer
from core.sources import load
from tests.core.references import D_MLP, N_HEADS
from tests.covering import each

WORDS = tuple(f"word{at}" for at in range(13))
N, N_LAYERS, D_MODEL = len(WORDS), 2, 42
GROUPS = ((0, 1), (2,), (3, 4, 5), (6,), (7, 8), (9, 10, 11))
CONFIGS = [
    ModelConfig(
        vocab_size=1, d_model=D_MODEL, n_heads=N_HEADS, d_mlp=D_MLP, positions=positions, mask=mask, norm=norm
    )
    for positions, mask, norm in zip(POSITIONS, cycle(MASKS), (*NORMS, *NORMS[1:], NORMS[0]), strict=False)
]
"""Every scheme, the masks in turn, and each mask under two norms."""
PLAIN = CONFIGS[0]


@pytest.fixture(autouse=True)
def soon_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence counts as a long text, and has blocks of 3 × 3."""
    monkeypatch.setattr(module, "LONG", N - 1)
    monkeypatch.setattr(module, "MOST_BLOCKS", 5)


def long_and_whole(config: ModelConfig, *, window: int | None = None) -> tuple[LongReading, Reading]:
    found = read_text(load("random", config, WORDS, 1), window=window)
    assert isinstance(found, LongReading)
    return found, read(load("random", config, WORDS, 1), window=window)


@each(("config", "window"), zip(CONFIGS, cycle((None, 4))))
def test_a_long_reading_says_the_same_as_a_whole_one(config: ModelConfig, window: int | None) -> None:
    found, whole = long_and_whole(config, window=window)
    assert_array_equal(found.allowed(), whole.allowed())
    assert_allclose(found.output(), whole.output(), atol=1e-5)
    for layer, head in product(range(N_LAYERS), range(N_HEADS)):
        assert_allclose(found.pattern(layer, head), whole.pattern(layer, head), atol=1e-5)
        mine, theirs = found.head(layer, head), whole.head(layer, head)
        assert mine.scale == theirs.scale
        for name in ("q", "k", "v", "bias", "scores", "allowed", "pattern", "z"):
            assert_allclose(getattr(mine, name), getattr(theirs, name), atol=1e-4, err_msg=name)
    for name in "qkvz":
        assert_allclose(found.vectors(1, name), whole.vectors(1, name), atol=1e-4)
    means = found.means(N_LAYERS)
    assert_allclose(means, whole.patterns().mean(axis=1, keepdims=True), atol=1e-5)
    assert len(found.means(1)) == 1


def test_no_logits_are_computed_of_a_long_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: object, **__: object) -> None:
        pytest.fail("the logits of a long text are as large as its vocabulary")

    monkeypatch.setattr(Transformer, "forward", nothing)
    found = read_text(load("random", PLAIN, WORDS, 1))
    assert found.pattern(1, 2).shape == (N, N)


@each(("mask", "groups"), [("bidirectional", None), ("causal", GROUPS)])
def test_an_overview_has_the_largest_weight_of_every_block_and_numbers_of_each_head(
    mask: str, groups: tuple[tuple[int, ...], ...] | None
) -> None:
    found, whole = long_and_whole(CONFIGS[list(MASKS).index(mask)])
    seen, patterns, allowed = found.overview(groups), whole.patterns(), whole.allowed()
    if groups is not None:
        patterns, allowed = merge(patterns, groups), merge_allowed(allowed, groups)
    n, side = len(allowed), math.ceil(len(allowed) / 5)
    assert seen.side == side > 1
    for layer, head, row, column in np.ndindex(seen.blocks.shape):
        part = np.s_[row * side : (row + 1) * side, column * side : (column + 1) * side]
        largest = patterns[layer, head][part].max()
        assert seen.blocks[layer, head, row, column] == pytest.approx(largest, abs=1e-6)
        assert seen.allowed[row, column] == allowed[part].any()
    for layer, head in product(range(N_LAYERS), range(N_HEADS)):
        pattern = patterns[layer, head]
        bits = [-sum(p * math.log2(p) for p in row if p > 0) for row in pattern.tolist()]
        away = [sum(p * abs(i - j) for j, p in enumerate(row)) for i, row in enumerate(pattern.tolist())]
        assert seen.bits[layer, head] == pytest.approx(sum(bits) / n, abs=1e-5)
        assert seen.distance[layer, head] == pytest.approx(sum(away) / n, abs=1e-5)
        assert seen.largest[layer, head] == pytest.approx(pattern.max(), abs=1e-6)
    aside = found.overview(groups, frozenset({0, n - 1})).shares
    np.testing.assert_allclose(aside, patterns[..., 1:-1, 1:-1].max(axis=-1).mean(axis=-1), atol=1e-6)


def test_rows_that_see_nothing_do_not_count() -> None:
    heads = np.zeros((1, 7, 7), dtype=np.float32)
    heads[0, 2, :4], heads[0, 5, 6] = 0.25, 1
    seen = module.overview([heads], np.ones((7, 7), dtype=bool))
    assert (seen.bits.item(), seen.distance.item()) == (1.0, pytest.approx((0.25 * (2 + 1 + 0 + 1) + 1) / 2))


def test_nothing_large_is_kept_but_the_layer_and_the_head_last_asked_for() -> None:
    config = ModelConfig(vocab_size=1, d_model=D_MODEL, n_heads=N_HEADS, n_layers=5, d_mlp=D_MLP)
    found = read_text(load("random", config, WORDS, 1))
    assert isinstance(found, LongReading)
    assert found.forward.n_bytes <= (5 + 1) * N * D_MODEL * 4 + N * N
    heads = []

    def remembering(layer: int, head: int) -> LayerHeads:
        heads.append(found._compute_head(layer, head))
        return heads[-1]

    found._head = remembering  # type: ignore[assignment]
    found.head(3, 2)
    for name in ("q", "k", "v", "scores", "pattern", "z"):
        part = getattr(heads[-1], name)
        assert part.shape[1] == 1
        assert part.untyped_storage().nbytes() == part.numel() * 4, f"{name} holds the other heads in memory"
    assert found.of_layer(3) is found.of_layer(3)
    found.of_layer(4)
    assert found._layer.cache_info().currsize == 1
    held = found.forward.n_bytes + found.of_layer(4).nbytes + 2 * heads[-1].scores.nbytes
    assert held <= found.most_bytes
    assert not hasattr(found, "patterns")


def test_a_text_is_long_by_its_words_or_by_the_size_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONG", 256)
    assert [is_long(n, PLAIN) for n in (256, 257)] == [False, True]
    large = ModelConfig(vocab_size=1, d_model=1024, n_heads=16, n_layers=24)
    assert [is_long(n, large) for n in (200, 256)] == [False, True]
    assert not isinstance(read_text(load("random", PLAIN, WORDS, 0)), LongReading)


@each(("layer", "config"), [(0, PLAIN), (1, CONFIGS[1])])
def test_heads_that_are_knocked_out_give_nothing_in_a_long_reading(layer: int, config: ModelConfig) -> None:
    silenced = [(layer, 1), (0, 2)]
    found = read_text(load("random", config, WORDS, 1), silenced=silenced)
    whole = read(load("random", config, WORDS, 1), silenced=silenced)
    assert isinstance(found, LongReading)
    for at, head in product(range(N_LAYERS), range(N_HEADS)):
        assert_allclose(found.pattern(at, head), whole.pattern(at, head), atol=1e-5)
        assert_allclose(found.head(at, head).z, whole.head(at, head).z, atol=1e-5)
        assert found.head(at, head).z.any() == ((at, head) not in silenced)
