"""The programs about masks print what core computes for the same model, sentence and mask."""

import numpy as np
import pytest

from core.measures.masking.dependence import dependence
from core.measures.masking.future import BLINDFOLD_OFF, TRAINED, sentence_losses
from core.measures.masking.mask_values import mask_values
from core.measures.masking.painting import PaintedMask, read_painted, share_kept
from core.model.config import ModelConfig
from core.programs import Subject
from core.programs.masking import future_program, gradient_program, pattern_program, values_program
from core.sources import load
from core.text.tokenizer import words_of
from tests.programs import printed, printed_matrix

WORDS = words_of("the oven cooked the bread so")
PADDED = PaintedMask(preset="padding", amount=1, no_future=True).flip((0, 0)).flip((3, 5))


@pytest.mark.parametrize(
    ("mask", "subject"),
    [
        (PADDED, {"source": "trained", "layer": 1, "head": 3}),
        (PaintedMask(preset="prefix", amount=3), {"source": "random", "seed": 2, "head": 1}),
    ],
)
def test_the_weights_under_a_mask_and_what_rows_keep_are_printed(
    mask: PaintedMask, subject: dict[str, object]
) -> None:
    config = ModelConfig(vocab_size=1)
    one = Subject(words=WORDS, config=config, **subject)  # type: ignore[arg-type]
    reading = read_painted(load(one.source, config, WORDS, one.seed), mask)
    stages = reading.head(one.layer, one.head)

    rows = printed_matrix(pattern_program(one, mask), len(WORDS))

    expected = np.vstack([stages.pattern, share_kept(stages.scores, stages.allowed)])
    np.testing.assert_allclose(rows, expected, atol=6e-4)


def test_every_way_to_mask_is_printed_with_its_sums() -> None:
    config = ModelConfig(vocab_size=1, positions="alibi")
    one = Subject(words=WORDS, config=config, source="trained", layer=1, head=2)
    window = PaintedMask(preset="window", amount=1)
    stages = read_painted(load("trained", config, WORDS, 0), window).head(1, 2)
    table = mask_values(stages.scores[2], stages.allowed[2]).table()

    lines = printed(values_program(one, window, 2)).splitlines()[1:]

    shown = np.array([line.split(" | ")[-2:] for line in lines], dtype=float)
    np.testing.assert_allclose(shown, table[["on masked keys", "row sum"]], atol=2e-3)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_shares_of_gradients_are_printed_with_their_exact_zeros(norm: str) -> None:
    config = ModelConfig(vocab_size=1, norm=norm, positions="learned" if norm == "pre" else "rotary")  # type: ignore[arg-type]
    one = Subject(words=WORDS, config=config, source="random", seed=4)
    window = PaintedMask(preset="window", amount=1)
    norms = dependence(load("random", config, WORDS, 4), window).norms

    first, *lines = printed(gradient_program(one, window)).splitlines()

    assert first == f"{int((norms == 0).sum())} of 36 are exactly 0"
    shown = np.array([line.split()[-6:] for line in lines], dtype=float)
    np.testing.assert_allclose(shown, norms / norms.sum(axis=1, keepdims=True), atol=6e-4)


def test_the_losses_with_the_mask_and_without_are_printed() -> None:
    config = ModelConfig(vocab_size=1)
    words = words_of("Zuko made his uncle tea")
    one = Subject(words=words, config=config, source="trained")
    model = one.loaded.model
    expected = sentence_losses(words, {TRAINED: model, BLINDFOLD_OFF: model})[:, 1:]

    lines = printed(future_program(one)).splitlines()

    losses = [float(line.split()[-1]) for line in lines if not line.startswith("mask")]
    np.testing.assert_allclose(np.reshape(losses, (2, 4)), expected, atol=6e-4)
