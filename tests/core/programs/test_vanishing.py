"""Programs about gradients print what the page shows, by ways of their own."""

import numpy as np
import pytest

from core.learning.collection import take
from core.measures.distance.long_range import rivals
from core.measures.gradients.clipping import STEPS, training
from core.measures.gradients.gates import gates
from core.measures.gradients.jacobians import RECURRENCES, Recurrence, Weights, product
from core.measures.gradients.reach import norms_of, reach
from core.model.config import ModelConfig
from core.programs.vanishing import clipping_program, gates_program, jacobians_program, reach_program
from core.sources.rivals import load_rival
from tests.programs import printed, printed_matrix

WORDS = ("the", "key", "that", "the", "gardeners", "sold", "is", "xyzzy")


def test_how_far_words_reach_is_printed_to_six_digits() -> None:
    config = ModelConfig(vocab_size=1, positions="alibi", n_heads=2)
    rows = printed_matrix(reach_program(WORDS, config, seed=5, furthest=12), 13, alone=False)
    models = {network: take(name) for network, name in rivals("agreement", config).items()}
    found = reach(WORDS, models, seed=5, furthest=12, measure=norms_of).norms
    expected = [
        found[name, stage] for name in ("Transformer", "LSTM", "RNN") for stage in ("initial", "trained")
    ]
    np.testing.assert_allclose(rows, expected, rtol=2e-5)


@pytest.mark.parametrize("recurrence", RECURRENCES)
def test_the_product_of_jacobians_is_printed_factor_by_factor(recurrence: Recurrence) -> None:
    weights = Weights(recurrence=recurrence, scale=1.2, seed=5)
    rows = printed_matrix(jacobians_program(WORDS, weights, layer=1, furthest=12), 3)
    found = product(load_rival("next-word-rnn"), WORDS, weights, layer=1, furthest=12)
    np.testing.assert_allclose(rows.T, [found.norms[1:], found.largest, found.mean], rtol=2e-5)


@pytest.mark.parametrize("seed", [None, 5])
def test_gates_and_what_they_leave_are_printed(seed: int | None) -> None:
    lines = printed(gates_program(WORDS, layer=1, gate="input", seed=seed)).splitlines()
    found, n = gates(load_rival("next-word-lstm"), WORDS, layer=1, seed=seed), len(WORDS)
    rows = [[float(number) for number in line.split()[1:]] for line in lines]
    assert [line.split()[0] for line in lines] == [*WORDS, *map(str, range(n))]
    np.testing.assert_allclose(rows[:n], found.gates["input"][:, found.order], atol=6e-5)
    expected = [found.whole, found.direct.max(axis=1), found.direct.mean(axis=1)]
    np.testing.assert_allclose(np.transpose(rows[n:]), expected, rtol=2e-5)


@pytest.mark.parametrize(
    "scale",
    [pytest.param(1.5, marks=pytest.mark.long("a second scale, at which hardly a step is clipped")), 3.0],
)
def test_a_training_with_clipping_and_one_without_are_printed(scale: float) -> None:
    """To the last step even where gradients explode: operations and their order are the same."""
    lines = [line.split() for line in printed(clipping_program(scale, seed=3), alone=False).splitlines()]
    steps = np.array([line for line in lines if line[0] != "parts"], dtype=float).reshape(2, STEPS, 4)
    parts = np.array([line[1:] for line in lines if line[0] == "parts"], dtype=float)
    found = [training(scale, clips=clips, seed=3) for clips in (True, False)]
    expected = [[(one.loss, one.recurrent, one.recurrent * one.factor) for one in run] for run in found]
    np.testing.assert_array_equal(steps[:, :, 0], [range(1, STEPS + 1)] * 2)
    np.testing.assert_allclose(steps[:, :, 1:], expected, rtol=1e-4)
    np.testing.assert_allclose(parts, [run[0].clipped for run in found], rtol=1e-4)
