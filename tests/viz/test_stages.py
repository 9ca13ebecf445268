"""From scores to weights: each stage is a separate matrix with distinct cells that can be clicked."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.covering import each
from viz.matrices import StagePanel, Stages
from viz.room import Room
from viz.theme import LIGHT

WORDS = ["The", "chef", "who", "ran", "out"]
RNG = np.random.default_rng(3)
SCORES = RNG.normal(scale=2, size=(5, 5))
BIAS = -np.abs(np.subtract.outer(np.arange(5), np.arange(5))) / 2
ALLOWED = np.tril(np.ones((5, 5), dtype=bool))
MASKED = np.where(ALLOWED, SCORES + BIAS, -np.inf)
WEIGHTS = np.exp(MASKED) / np.exp(MASKED).sum(axis=1, keepdims=True)
PANELS = [
    StagePanel("scores", SCORES, "scores"),
    StagePanel("bias", BIAS, "scores", sign="+"),
    StagePanel("mask", ALLOWED, "mask", sign="then"),
    StagePanel("softmax", WEIGHTS, "weights", sign="="),
]


def drawn(size: int = 1080, n: int = 5) -> go.Figure:
    panels = [replace(panel, matrix=np.resize(panel.matrix, (n, n))) for panel in PANELS]
    return shown(panels, (WORDS * n)[:n], size)


def shown(panels: list[StagePanel], words: list[str], size: int = 1080) -> go.Figure:
    return Stages(stages=panels, words=words, title="stages").figure(Room(width=size))


def left_edges(figure: go.Figure) -> list[float]:
    return [axis.domain[0] * figure.layout.width for axis in figure.select_xaxes()]


def test_scores_that_are_masked_already_are_gaps() -> None:
    figure = shown([StagePanel("masked scores", MASKED, "scores")], WORDS)
    np.testing.assert_array_equal(np.isnan(figure.data[0].z), ~ALLOWED)
    assert figure.data[0].zmax == pytest.approx(np.abs(MASKED[ALLOWED]).max())


def test_a_mask_shows_its_addend() -> None:
    figure = shown([StagePanel("mask", np.array([[True, False]] * 2), "mask")], ["a", "b"])
    assert [[">0<" in cell, ">−∞<" in cell] for cell in figure.data[0].text[0]] == [
        [True, False],
        [False, True],
    ]


@each(("n", "size", "n_rows"), [(13, 1080, 1), (13, 640, 2), (2, 640, 1)])
def test_panels_take_a_second_row_only_where_one_would_make_them_too_small(
    n: int, size: int, n_rows: int
) -> None:
    figure = drawn(size, n)
    assert figure.layout.width <= size
    assert len({round(axis.domain[1], 6) for axis in figure.select_yaxes()}) == n_rows
    assert len(set(left_edges(figure))) == 4 // n_rows


def test_outlined_cells_of_the_last_stage_are_explained() -> None:
    stages = Stages(
        stages=PANELS, words=WORDS, title="stages", outlined=[(4, 1), (1, 4)], outlined_as="one pair"
    )
    figure = stages.figure(Room(width=1080))
    (outlines,) = [one for one in figure.data if one.type == "scatter" and one.line.color == LIGHT.selection]
    assert outlines.xaxis == figure.data[3].xaxis
    assert sum("one pair" in note.text for note in figure.layout.annotations) == 1
