"""A painted mask: its presets and flipped cells, its spelling, and what a model makes of it."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from core.measures.masking.painting import (
    MOST_DIGITS,
    MOST_PAINTED,
    PRESETS,
    PaintedMask,
    Preset,
    most_masked,
    read_painted,
    share_kept,
    spell,
    unspell,
)
from core.measures.reading import read
from core.model.config import ModelConfig
from core.sources import load
from tests.covering import each

WORDS = ("one", "two", "three", "four", "five")
CONFIG = ModelConfig(vocab_size=1, n_layers=2)
EVERYTHING = [(query, key) for query in range(MOST_PAINTED) for key in range(MOST_PAINTED)]


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


def test_a_flipped_cell_changes_itself_alone_and_comes_back() -> None:
    mask = PaintedMask().flip((1, 3)).flip((2, 0))
    assert drawn(mask) == ["#....", "##.#.", ".##..", "####.", "#####"]
    assert mask.flip((1, 3)).flip((2, 0)) == PaintedMask()


def test_cells_beyond_the_sentence_change_nothing() -> None:
    mask = PaintedMask(cells=frozenset({(1, 5), (6, 0), (3, 1)}))
    assert mask.within(5) == [(3, 1)]
    assert drawn(mask) == ["#....", "##...", "###..", "#.##.", "#####"]


def test_every_cell_has_a_spelling_of_its_own_and_is_found_again() -> None:
    spelt = [spell([cell]) for cell in EVERYTHING]
    assert len(set(spelt)) == MOST_PAINTED**2
    assert [unspell(text) for text in spelt] == [frozenset({cell}) for cell in EVERYTHING]
    assert unspell(spell(EVERYTHING)) == frozenset(EVERYTHING)
    assert len(spell(EVERYTHING)) == MOST_DIGITS


def test_a_short_sentence_has_a_short_spelling() -> None:
    assert spell([]) == ""
    assert (spell([(0, 0)]), spell([(0, 1)]), spell([(1, 0)]), spell([(1, 1)])) == ("1", "2", "4", "8")
    assert len(spell([(query, key) for query in range(5) for key in range(5)])) == 7


@each("text", ["", "0", "01", "g", "1F", "-1", "0x1", "1 ", "1_0", "١", "1" * 145])
def test_what_is_never_spelt_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f"up to {MOST_DIGITS} digits"):
        unspell(text)


@pytest.mark.parametrize(
    ("source", "preset", "mask"),
    [("random", "causal", "causal"), ("random", "none", "bidirectional"), ("trained", "causal", "causal")],
)
def test_under_a_mask_of_the_app_a_model_reads_as_it_always_does(
    source: str, preset: Preset, mask: str
) -> None:
    painted = read_painted(load(source, CONFIG, WORDS, 3), PaintedMask(preset=preset))
    usual = read(load(source, replace(CONFIG, mask=mask), WORDS, 3))
    np.testing.assert_array_equal(painted.patterns(), usual.patterns())
    np.testing.assert_array_equal(painted.output(), usual.output())


def test_masked_keys_have_exactly_no_weight_and_a_row_without_keys_is_zero_in_every_layer_and_head() -> None:
    mask = PaintedMask(preset="none", cells=frozenset((2, key) for key in range(5))).flip((4, 1))
    patterns = read_painted(load("trained", CONFIG, WORDS, 0), mask).patterns()
    allowed = mask.allowed(5).numpy()
    assert (patterns[..., ~allowed] == 0).all()
    assert (patterns[:, :, 2] == 0).all()
    np.testing.assert_allclose(patterns.sum(axis=-1)[:, :, [0, 1, 3, 4]], 1, atol=1e-6)


def test_reading_under_a_mask_leaves_the_shared_model_as_it_was() -> None:
    before = read(load("trained", CONFIG, WORDS, 0)).patterns()
    read_painted(load("trained", CONFIG, WORDS, 0), PaintedMask(preset="none"))
    np.testing.assert_array_equal(read(load("trained", CONFIG, WORDS, 0)).patterns(), before)


def test_what_a_row_keeps_is_its_unmasked_weight_on_allowed_keys() -> None:
    scores = np.log(np.array([[1.0, 3.0, 4.0], [2.0, 2.0, 4.0], [5.0, 1.0, 2.0]], np.float32)) + 100
    allowed = np.array([[True, False, False], [True, True, False], [False] * 3])
    np.testing.assert_allclose(share_kept(scores, allowed), [1 / 8, 4 / 8, 0], rtol=1e-5)


def test_the_row_that_loses_most_to_its_mask_is_one_that_sees_something() -> None:
    allowed = np.array([[1, 1, 1], [0, 0, 0], [0, 1, 1], [1, 0, 0]], dtype=bool)
    assert most_masked(np.array([0.1, 0.0, 0.7, 0.4]), allowed) == 3
    assert most_masked(np.array([0.1, 0.0, 0.3, 0.4]), allowed) == 2
    assert most_masked(np.array([0.1, 0.0]), allowed[:2]) is None
