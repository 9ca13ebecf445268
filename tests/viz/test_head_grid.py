"""All heads in one trace: every weight is in the tile of its head, and a click finds that head again."""

from urllib.parse import unquote

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.typing import NDArray

from viz.head_grid import head_grid
from viz.heads import describe_head_grid
from viz.theme import LIGHT
from viz.tiles import tile_at

SHAPES = [
    (1, 2, 1, 1),
    (2, 3, 5, 7),
    (3, 4, 13, 13),
    (3, 8, 30, 30),
    (12, 12, 64, 64),
    (2, 5, 2, 2),
    (1, 2, 257, 257),
]
EACH = pytest.mark.parametrize("shape", SHAPES, ids=str)


def per_head(shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Patterns with one weight per head, all different, so that a cell tells whose it is."""
    n_layers, n_heads, *rest = shape
    weights = (1 + np.arange(n_layers * n_heads)).reshape(n_layers, n_heads, 1, 1) / (1 + n_layers * n_heads)
    return np.broadcast_to(weights, (n_layers, n_heads, *rest))


def code(weight: float) -> int:
    return 1 + round(254 * weight)


def positions(figure: go.Figure) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The data coordinates of the columns and rows of the trace, as Plotly reports them in a click."""
    (trace,) = figure.data
    rows, columns = trace.z.shape
    return trace.x0 + trace.dx * np.arange(columns), trace.y0 + trace.dy * np.arange(rows)


@EACH
def test_a_click_on_any_cell_gives_the_head_whose_weight_is_drawn_there(shape: tuple[int, ...]) -> None:
    patterns = per_head(shape)
    figure = head_grid(patterns, theme=LIGHT)
    xs, ys = positions(figure)
    found = set()
    for row in range(0, len(ys), 5 if len(ys) > 100 else 1):
        for column in range(0, len(xs), 7 if len(xs) > 100 else 1):
            if figure.data[0].z[row, column]:
                head = tile_at(xs[column], ys[row], n_layers=shape[0], n_heads=shape[1])
                assert head is not None
                assert figure.data[0].z[row, column] == code(patterns[head][0, 0])
                found.add(head)
    assert len(found) == shape[0] * shape[1]


def test_masked_cells_are_clear_and_zeros_have_the_colour_of_the_paper() -> None:
    allowed = np.tril(np.ones((5, 5), dtype=bool))
    figure = head_grid(np.zeros((1, 2, 5, 5)), theme=LIGHT, allowed=allowed)
    (trace,) = figure.data
    assert set(np.unique(trace.z)) == {0, 1}
    assert (trace.zmin, trace.zmax) == (0, 255)
    stops = dict(trace.colorscale)
    assert stops[0] == "rgba(0,0,0,0)"
    assert stops[1 / 255] == LIGHT.paper
    assert stops[1] == LIGHT.sequential[-1][1]
    assert any("masked" in note.text for note in figure.layout.annotations)


def test_the_frame_goes_round_the_selected_tile_and_no_other() -> None:
    figure = head_grid(per_head((2, 3, 5, 7)), theme=LIGHT, selected=(1, 0))
    (frame,) = figure.layout.shapes
    xs, ys = positions(figure)
    z = figure.data[0].z
    inside = z[np.ix_((ys > frame.y0) & (ys < frame.y1), (xs > frame.x0) & (xs < frame.x1))]
    assert set(np.unique(inside)) - {0} == {code(per_head((2, 3, 5, 7))[1, 0, 0, 0])}
    assert np.count_nonzero(inside) == np.count_nonzero(z) / 6
    assert frame.line.color == LIGHT.selection
    assert list(figure.layout.yaxis.ticktext) == ["layer 1", "<b>layer 2</b>"]


@pytest.mark.parametrize("place", [(41, 20), (40, 22), (43, 23), (63, 63), (0, 0)])
def test_a_single_large_weight_survives_in_a_tile_with_fewer_pixels_than_cells(
    place: tuple[int, int],
) -> None:
    patterns = np.zeros((12, 12, 64, 64))
    patterns[7, 3, *place] = 0.9
    figure = head_grid(patterns, theme=LIGHT)
    z = figure.data[0].z
    assert z.shape[1] < 12 * 64
    ((row, column),) = np.argwhere(z == code(0.9))
    xs, ys = positions(figure)
    assert tile_at(xs[column], ys[row], n_layers=12, n_heads=12) == (7, 3)
    assert any("largest of 4 × 4 weights" in note.text for note in figure.layout.annotations)


def test_rows_that_are_not_layers_have_names_and_only_the_heads_they_have() -> None:
    patterns = np.full((2, 3, 4, 4), 0.25)
    patterns[0, 1:] = np.nan
    figure = head_grid(patterns, theme=LIGHT, rows=["1 head", "<b>three"])
    assert list(figure.layout.yaxis.ticktext) == ["1 head", "&lt;b&gt;three"]
    assert unquote(figure.layout.images[0].source).count("<use ") == 4
    told = describe_head_grid(patterns, rows=["1 head", "3 heads"])
    assert "of 2 models" in told
    assert "model with 1 head, head 1, entropy 2.0 bits" in told
