"""Painted masks: presets, flipped cells, readings under them, and dependence as a Jacobian."""

from dataclasses import replace

import numpy as np
import torch

from core.measures.masking.painting import (
    PRESETS,
    Dependence,
    PaintedMask,
    Preset,
    dependence,
    most_masked,
    read_painted,
    share_kept,
)
from core.measures.reading import read
from core.model.config import ModelConfig
from core.sources import load
from tests.covering import each

WORDS = ("one", "two", "three", "four", "five")
CONFIG = ModelConfig(vocab_size=1, n_layers=2)


def drawn(mask: PaintedMask, n: int = 5) -> list[str]:
    return ["".join("#" if cell else "." for cell in row) for row in mask.allowed(n).tolist()]


@each(
    ("preset", "amount", "expected"),
    [
        ("causal", 3, ["#....", "##...", "###..", "####.", "#####"]),
        ("window", 1, ["##...", "###..", ".###.", "..###", "...##"]),
        ("prefix", 2, ["##...", "##...", "###..", "####.", "#####"]),
        ("padding", 2, ["###.."] * 5),
        ("padding", 7, ["....."] * 5),
        ("none", 3, ["#####"] * 5),
    ],
)
def test_presets_are_these(preset: Preset, amount: int, expected: list[str]) -> None:
    assert drawn(PaintedMask(preset=preset, amount=amount)) == expected


@each("preset", PRESETS)
def test_without_a_future_nothing_above_the_diagonal_is_left(preset: Preset) -> None:
    mask = PaintedMask(preset=preset, amount=1)
    assert torch.equal(replace(mask, no_future=True).allowed(7), mask.allowed(7).tril())


def test_a_flipped_cell_changes_itself_alone() -> None:
    mask = PaintedMask(cells=frozenset({(1, 3), (2, 0)}))
    assert drawn(mask) == ["#....", "##.#.", ".##..", "####.", "#####"]


def test_cells_beyond_the_sentence_change_nothing() -> None:
    mask = PaintedMask(cells=frozenset({(1, 5), (6, 0), (3, 1)}))
    assert mask.within(5) == [(3, 1)]
    assert drawn(mask) == ["#....", "##...", "###..", "#.##.", "#####"]


@each(("source", "preset", "mask"), [("random", "none", "bidirectional"), ("trained", "causal", "causal")])
def test_under_a_mask_of_the_app_a_model_reads_as_it_always_does(
    source: str, preset: Preset, mask: str
) -> None:
    painted = read_painted(load(source, CONFIG, WORDS, 3), PaintedMask(preset=preset))
    usual = read(load(source, replace(CONFIG, mask=mask), WORDS, 3))
    np.testing.assert_array_equal(painted.patterns(), usual.patterns())
    np.testing.assert_array_equal(painted.output(), usual.output())


def test_masked_keys_have_exactly_no_weight_and_a_row_without_keys_is_zero_in_every_layer_and_head() -> None:
    mask = PaintedMask(preset="none", cells=frozenset({*((2, key) for key in range(5)), (4, 1)}))
    patterns = read_painted(load("trained", CONFIG, WORDS, 0), mask).patterns()
    allowed = mask.allowed(5).numpy()
    assert (patterns[..., ~allowed] == 0).all()
    assert (patterns[:, :, 2] == 0).all()
    np.testing.assert_allclose(patterns.sum(axis=-1)[:, :, [0, 1, 3, 4]], 1, atol=1e-6)


def test_a_row_keeps_its_unmasked_weight_on_allowed_keys() -> None:
    scores = np.log(np.array([[1.0, 3.0, 4.0], [2.0, 2.0, 4.0], [5.0, 1.0, 2.0]], np.float32)) + 100
    allowed = np.array([[True, False, False], [True, True, False], [False] * 3])
    np.testing.assert_allclose(share_kept(scores, allowed), [1 / 8, 4 / 8, 0], rtol=1e-5)


def test_the_row_that_loses_most_to_its_mask_is_one_that_sees_something() -> None:
    allowed = np.array([[1, 1, 1], [0, 0, 0], [0, 1, 1], [1, 0, 0]], dtype=bool)
    assert most_masked(np.array([0.1, 0.0, 0.7, 0.4]), allowed) == 3
    assert most_masked(np.array([0.1, 0.0, 0.3, 0.4]), allowed) == 2
    assert most_masked(np.array([0.1, 0.0]), allowed[:2]) is None


OVEN = ("the", "oven", "cooked", "the", "bread")
PLAIN = ModelConfig(vocab_size=1)


def test_under_the_causal_mask_no_output_depends_on_a_later_input_at_all() -> None:
    config = replace(PLAIN, positions="rotary")
    norms = dependence(load("trained", config, OVEN, 0), PaintedMask()).norms
    assert (np.triu(norms, 1) == 0).all()
    assert (norms[np.tril_indices(5)] > 0).all()


def test_dependence_is_the_norm_of_the_whole_jacobian() -> None:
    mask = PaintedMask(preset="window", amount=1, cells=frozenset({(0, 4), (3, 3)}))
    config = replace(PLAIN, positions="none", n_heads=2, d_model=14)
    loaded = load("random", config, OVEN, 5)
    allowed = mask.allowed(5)[None, None]

    def states(x: torch.Tensor) -> torch.Tensor:
        for block in loaded.model.blocks:
            x = block(x, allowed=allowed, positions=loaded.model.positions)
        return loaded.model.norm(x)

    jacobian = torch.autograd.functional.jacobian(states, loaded.model.embed(loaded.tokens))[0, :, :, 0]
    expected = jacobian.square().sum((1, 3)).sqrt().numpy()
    found = dependence(load("random", config, OVEN, 5), mask).norms
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_array_equal(found == 0, expected == 0)


def test_later_keys_and_paths_around_the_mask_are_counted() -> None:
    norms = np.array([[1.0, 0.0, 3.0], [5.0, 2.0, 0.0], [2.0, 0.0, 0.0]])
    found = Dependence(norms, np.eye(3, k=2, dtype=bool))
    assert found.zero_of_the_future.tolist() == [True, False, True]
    assert np.argwhere(found.roundabout).tolist() == [[1, 0], [2, 0]]
    assert found.zero.sum() == 4


def test_under_a_window_two_layers_go_round_the_mask_and_one_does_not() -> None:
    mask = PaintedMask(preset="window", amount=1)
    one, two = (
        dependence(load("random", replace(PLAIN, n_layers=n, d_model=16), OVEN, 0), mask) for n in (1, 2)
    )
    assert not one.roundabout.any()
    distance = np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
    np.testing.assert_array_equal(two.roundabout, distance == 2)
