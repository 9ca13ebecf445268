"""Every number a page shows is the model's, and each follows from those shown before it."""

import math
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import torch

from core.measures import reading as module
from core.measures.reading import LARGEST_PLAIN_EXPONENT, Reading, read
from core.model.config import POSITIONS, ModelConfig
from core.model.initialisation import normal, word_vectors
from core.model.masks import MASKS
from core.model.positions import SCHEMES
from core.model.trace import Trace
from core.sources import SOURCES, LoadedModel, load
from tests.core.references import D_MLP, N_HEADS
from tests.covering import each

WORDS = ("the", "oven", "cooked", "the", "bread")
N = len(WORDS)
D_MODEL, D_HEAD = 42, 14
CONFIGS = [
    ModelConfig(
        vocab_size=1,
        d_model=D_MODEL,
        n_heads=N_HEADS,
        d_mlp=D_MLP,
        positions=positions,
        mask=mask,
        scale=scale,
    )
    for positions, mask, scale in product(POSITIONS, MASKS, (True, False))
    if scale or positions == "none"  # scores that are not scaled are so under any scheme
]
NAMES = [f"{c.positions}-{c.mask}-{'scaled' if c.scale else 'unscaled'}" for c in CONFIGS]
PLAIN = CONFIGS[0]
every_config = each(
    "config",
    [
        one
        for one in CONFIGS
        if not one.scale or list(MASKS).index(one.mask) == POSITIONS.index(one.positions) % len(MASKS)
    ],
)
"""Every scheme, the masks in turn, and scores that are not scaled under each mask."""


def reading_of(config: ModelConfig, *, seed: int = 1, double: bool = False) -> Reading:
    return read(load("random", config, WORDS, seed), double=double)


def loud(config: ModelConfig, words: Sequence[str], seed: int) -> LoadedModel:
    """A source whose scores are huge: a word matches itself worst of all, and some other far too well."""
    loaded = deepcopy(load("random", config, words, seed))
    for block in loaded.model.blocks:
        block.attention.query.weight.copy_(-60 * block.attention.key.weight)
    return loaded


def by_hand(x: np.ndarray, layer: int, *, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """One causal pre-norm block in NumPy: the weights of every head, and the states that leave."""

    def times(x: np.ndarray, name: str, n_out: int) -> np.ndarray:
        shape = [n_out, x.shape[1]]
        matrix = normal(shape, seed=seed, name=f"blocks.{layer}.{name}.weight").double().numpy()
        return x @ matrix.T / math.sqrt(x.shape[1])

    normed = normalised(x)
    q, k, v = (times(normed, f"attention.{name}", D_MODEL) for name in ("query", "key", "value"))
    patterns, z = np.zeros((N_HEADS, N, N)), np.zeros((N, D_MODEL))
    for h, i in product(range(N_HEADS), range(N)):
        part = slice(h * D_HEAD, (h + 1) * D_HEAD)
        exponentials = np.exp([q[i, part] @ k[j, part] / math.sqrt(D_HEAD) for j in range(i + 1)])
        patterns[h, i, : i + 1] = exponentials / exponentials.sum()
        z[i, part] = patterns[h, i] @ v[:, part]
    x = x + times(z, "attention.output", D_MODEL)
    hidden = np.maximum(times(normalised(x), "mlp.expand", D_MLP), 0)
    return patterns, x + times(hidden, "mlp.contract", D_MODEL)


def normalised(x: np.ndarray) -> np.ndarray:
    return (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)


@every_config
def test_a_reading_too_large_to_be_kept_whole_says_the_same_of_everything(
    config: ModelConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = reading_of(config)
    with monkeypatch.context() as patched:
        patched.setattr(module, "LARGEST_WHOLE", 2 * config.n_layers * N_HEADS * N * N * 4 - 1)
        sparing = reading_of(config)
    with pytest.raises(KeyError, match=r"attention\.input was not recorded"):
        sparing.forward.heads(0)
    np.testing.assert_array_equal(sparing.patterns(), whole.patterns())
    np.testing.assert_array_equal(sparing.allowed(), whole.allowed())
    np.testing.assert_array_equal(sparing.output(), whole.output())
    for layer, head in product(range(config.n_layers), range(N_HEADS)):
        np.testing.assert_array_equal(sparing.pattern(layer, head), whole.pattern(layer, head))
        np.testing.assert_array_equal(sparing.vectors(layer, "v"), whole.vectors(layer, "v"))
        mine, theirs = sparing.head(layer, head), whole.head(layer, head)
        for name in ("q", "k", "v", "bias", "scores", "allowed", "pattern", "z"):
            np.testing.assert_array_equal(getattr(mine, name), getattr(theirs, name))


def test_a_reading_is_the_forward_pass_written_out_in_numpy() -> None:
    seed = 5
    config = CONFIGS[NAMES.index("sinusoidal-causal-scaled")]
    reading = reading_of(config, seed=seed)
    x = word_vectors(WORDS, D_MODEL, seed=seed).double().numpy()
    for p, i in product(range(N), range(D_MODEL)):
        x[p, i] += [math.sin, math.cos][i % 2](p / 10000 ** (2 * (i // 2) / D_MODEL))
    patterns = []
    for layer in range(2):
        pattern, x = by_hand(x, layer, seed=seed)
        patterns.append(pattern)
    np.testing.assert_allclose(reading.patterns(), patterns, atol=1e-6)
    np.testing.assert_allclose(reading.output(), x, atol=2e-5)
    double = reading_of(config, seed=seed, double=True)
    np.testing.assert_allclose(double.patterns(), reading.patterns(), atol=1e-6)


@every_config
def test_every_stage_follows_from_the_one_before(config: ModelConfig) -> None:
    reading = reading_of(config)
    expected_allowed = MASKS[config.mask].allowed(N)[0, 0].numpy()
    np.testing.assert_array_equal(reading.allowed(), expected_allowed)
    for layer, head in product(range(2), range(N_HEADS)):
        stages = reading.head(layer, head)
        assert stages.scale == (1 / math.sqrt(D_HEAD) if config.scale else 1)
        assert (np.abs(stages.bias).max() > 0) == (SCHEMES[config.positions].injection_point() == "bias")
        np.testing.assert_allclose(stages.dots * stages.scale + stages.bias, stages.scores, atol=2e-5)
        np.testing.assert_array_equal(stages.allowed, expected_allowed)
        exponentials = np.where(stages.allowed, np.exp(stages.scores.astype(np.float64)), 0)
        weights = exponentials / exponentials.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(stages.pattern, weights, atol=1e-6)
        np.testing.assert_array_equal(stages.pattern, reading.patterns()[layer, head])
        assert stages.scores.shape == stages.dots.shape == stages.bias.shape == (N, N)


@each(
    "config",
    [CONFIGS[NAMES.index("alibi-causal-scaled")], CONFIGS[NAMES.index("none-bidirectional-unscaled")]],
)
def test_the_cells_of_a_row_share_their_query_and_add_up_to_the_heads_output(config: ModelConfig) -> None:
    reading, loaded, trace = reading_of(config), load("random", config, WORDS, 1), Trace()
    loaded.model(loaded.tokens, trace=trace)
    q, k, v, z = (trace[f"blocks.1.attention.{name}"][0, 2].cpu().numpy() for name in "qkvz")
    for i in range(N):
        row = [reading.calculation(1, 2, i, j) for j in range(N)]
        assert len({cell.row_sum for cell in row}) == len({cell.shift for cell in row}) == 1
        assert sum(cell.exponential for cell in row) == pytest.approx(row[0].row_sum)
        assert sum(cell.weight for cell in row) == pytest.approx(1, abs=1e-6)
        np.testing.assert_allclose(sum(cell.weighted_value for cell in row), z[i], atol=1e-5)
        for j, cell in enumerate(row):
            for shown, recorded in ((cell.q, q[i]), (cell.k, k[j]), (cell.v, v[j])):
                np.testing.assert_allclose(shown, recorded, atol=1e-6)


@pytest.mark.parametrize("mask", ["causal", "bidirectional"])
def test_scores_too_large_or_too_small_for_exp_are_shifted_and_the_rest_is_not(
    monkeypatch: pytest.MonkeyPatch, mask: str
) -> None:
    monkeypatch.setitem(SOURCES, "loud", replace(SOURCES["random"], load=loud))
    config = CONFIGS[NAMES.index(f"none-{mask}-unscaled")]
    reading, quiet = read(load("loud", config, WORDS, 1)), reading_of(config)
    shifts = []
    for head, i, j in product(range(N_HEADS), range(N), range(N)):
        cell, scores = reading.calculation(0, head, i, j), reading.head(0, head).scores[i]
        largest = scores[reading.allowed()[i]].max()
        assert cell.shift == (largest if abs(largest) > LARGEST_PLAIN_EXPONENT else 0)
        assert 0 < cell.row_sum < math.exp(LARGEST_PLAIN_EXPONENT) * N
        assert cell.exponential / cell.row_sum == pytest.approx(cell.weight, abs=1e-5)
        assert quiet.calculation(0, head, i, j).shift == 0
        shifts.append(cell.shift)
    assert min(shifts) < -LARGEST_PLAIN_EXPONENT if mask == "causal" else max(shifts) > LARGEST_PLAIN_EXPONENT


@each("positions", ["none", "alibi"])
def test_visitors_share_a_reading_and_cannot_write_into_it(positions: str) -> None:
    reading = reading_of(CONFIGS[NAMES.index(f"{positions}-causal-scaled")])
    stages = reading.head(0, 0)
    for shared in (*vars(stages).values(), reading.output(), reading.patterns()):
        if isinstance(shared, np.ndarray):
            with pytest.raises(ValueError, match="read-only"):
                shared[0, 0] = 1


@each(("double", "dtype"), [(False, np.float32), (True, np.float64)])
def test_double_precision_is_on_request_and_leaves_the_shared_model(double: bool, dtype: type) -> None:
    shared = load("random", PLAIN, WORDS, 1)
    reading = read(shared, double=double)
    assert reading.output().dtype == reading.patterns().dtype == dtype
    assert {parameter.dtype for parameter in shared.model.parameters()} == {torch.float32}


def test_nothing_to_read_is_refused() -> None:
    with pytest.raises(ValueError, match="there must be at least one word to read"):
        read(replace(load("random", PLAIN, WORDS, 0), words=()))


def test_a_reading_keeps_no_logits() -> None:
    """A prediction computes them; of a real model they would take a fifth of the time of a reading."""
    with pytest.raises(KeyError, match="logits was not recorded"):
        _ = reading_of(PLAIN).forward.logits
