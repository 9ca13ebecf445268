"""From scores to weights: each stage is a matrix of its own that can be told apart and clicked."""

import numpy as np
import plotly.graph_objects as go
import pytest

from viz.stages import Panel, stages
from viz.theme import LIGHT

WORDS = ["The", "chef", "who", "ran", "out"]
RNG = np.random.default_rng(3)
SCORES = RNG.normal(scale=2, size=(5, 5))
BIAS = -np.abs(np.subtract.outer(np.arange(5), np.arange(5))) / 2
ALLOWED = np.tril(np.ones((5, 5), dtype=bool))
MASKED = np.where(ALLOWED, SCORES + BIAS, -np.inf)
WEIGHTS = np.exp(MASKED) / np.exp(MASKED).sum(axis=1, keepdims=True)
PANELS = [
    Panel("scores", SCORES, "scores"),
    Panel("bias", BIAS, "scores", sign="+"),
    Panel("mask", ALLOWED, "mask", sign="then"),
    Panel("softmax", WEIGHTS, "weights", sign="="),
]


def drawn(size: int = 1080, n: int = 5) -> go.Figure:
    panels = [Panel(panel.title, np.resize(panel.matrix, (n, n)), panel.kind, panel.sign) for panel in PANELS]
    return stages(panels, (WORDS * n)[:n], theme=LIGHT, size=size)


def left_edges(figure: go.Figure) -> list[float]:
    return [axis.domain[0] * figure.layout.width for axis in figure.select_xaxes()]


def test_scores_that_are_masked_already_are_gaps() -> None:
    figure = stages([Panel("masked scores", MASKED, "scores")], WORDS, theme=LIGHT)
    np.testing.assert_array_equal(np.isnan(figure.data[0].z), ~ALLOWED)
    assert figure.data[0].zmax == pytest.approx(np.abs(MASKED[ALLOWED]).max())


def test_a_mask_says_what_it_adds() -> None:
    figure = stages([Panel("mask", np.array([[True, False]] * 2), "mask")], ["a", "b"], theme=LIGHT)
    assert [[">0<" in cell, ">−∞<" in cell] for cell in figure.data[0].text[0]] == [
        [True, False],
        [False, True],
    ]


@pytest.mark.parametrize(("n", "size", "n_rows"), [(13, 1080, 1), (13, 640, 2), (2, 640, 1), (5, 1080, 1)])
def test_panels_take_a_second_row_only_where_one_would_make_them_too_small(
    n: int, size: int, n_rows: int
) -> None:
    figure = drawn(size, n)
    assert figure.layout.width <= size
    assert len({round(axis.domain[1], 6) for axis in figure.select_yaxes()}) == n_rows
    assert len(set(left_edges(figure))) == 4 // n_rows
