"""All heads in one trace: every weight is in the tile of its head, and a click finds that head again."""

from urllib.parse import unquote

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from tests.covering import each
from viz.heads import Heads, HeadsByCount, head_hit
from viz.room import Room
from viz.theme import LIGHT
from viz.tiles import Head, tile_at

SHAPES = [
    (2, 3, 5, 7),
    (3, 8, 30, 30),
    (1, 2, 257, 257),
]
EACH = each("shape", SHAPES)

NARROW = Room(width=560, height=640)
HALF = Room(width=450, height=420, fills=True, medium="print")
PAPER = Room(width=160 / 25.4 * 96, medium="print")


def drawn(patterns: NDArray[np.float64], room: Room = NARROW, **fields: object) -> go.Figure:
    words = [f"word{at}" for at in range(patterns.shape[-1])]
    return Heads(patterns=patterns, words=words, title="H", **fields).figure(room)  # type: ignore[arg-type]


def per_head(shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Patterns with one weight per head, all different, so that a cell tells whose it is."""
    n_layers, n_heads, *rest = shape
    weights = (1 + np.arange(n_layers * n_heads)).reshape(n_layers, n_heads, 1, 1) / (1 + n_layers * n_heads)
    return np.broadcast_to(weights, (n_layers, n_heads, *rest))


def code(weight: float) -> int:
    return 1 + round(254 * weight)


def positions(figure: go.Figure) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the data coordinates of the columns and rows of the trace, as Plotly reports them in a click."""
    (trace,) = figure.data
    rows, columns = trace.z.shape
    return trace.x0 + trace.dx * np.arange(columns), trace.y0 + trace.dy * np.arange(rows)


def notes(figure: go.Figure) -> str:
    return " ".join(note.text for note in figure.layout.annotations)


@EACH
def test_a_click_on_any_cell_gives_its_head(shape: tuple[int, ...]) -> None:
    patterns = per_head(shape)
    figure = drawn(patterns)
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
    figure = drawn(np.zeros((1, 2, 5, 5)), allowed=np.tri(5, dtype=bool))
    (trace,) = figure.data
    assert set(np.unique(trace.z)) == {0, 1}
    assert (trace.zmin, trace.zmax) == (0, 255)
    stops = dict(trace.colorscale)
    assert stops[0] == "rgba(0,0,0,0)"
    assert stops[1 / 255] == LIGHT.paper
    assert stops[1] == LIGHT.sequential[-1][1]
    assert "masked" in notes(figure)


def test_the_frame_goes_round_the_selected_tile_and_no_other() -> None:
    figure = drawn(per_head((2, 3, 5, 7)), selected=(1, 0))
    (frame,) = figure.layout.shapes
    xs, ys = positions(figure)
    z = figure.data[0].z
    inside = z[np.ix_((ys > frame.y0) & (ys < frame.y1), (xs > frame.x0) & (xs < frame.x1))]
    assert set(np.unique(inside)) - {0} == {code(per_head((2, 3, 5, 7))[1, 0, 0, 0])}
    assert np.count_nonzero(inside) == np.count_nonzero(z) / 6
    assert frame.line.color == LIGHT.selection
    assert list(figure.layout.yaxis.ticktext) == ["layer 1", "<b>layer 2</b>"]


@each("room", [HALF, PAPER])
def test_print_shows_no_selection(room: Room) -> None:
    figure = drawn(per_head((2, 3, 5, 7)), room, selected=(1, 0))
    assert not figure.layout.shapes
    assert list(figure.layout.yaxis.ticktext) == ["layer 1", "layer 2"]


@each("place", [(43, 23), (63, 63)])
def test_a_single_large_weight_survives_in_a_tile_with_fewer_pixels_than_cells(
    place: tuple[int, int],
) -> None:
    patterns = np.zeros((12, 12, 64, 64))
    patterns[7, 3, *place] = 0.9
    figure = drawn(patterns)
    z = figure.data[0].z
    assert z.shape[1] < 12 * 64
    ((row, column),) = np.argwhere(z == code(0.9))
    xs, ys = positions(figure)
    assert tile_at(xs[column], ys[row], n_layers=12, n_heads=12) == (7, 3)
    assert "largest of 4 × 4 weights" in notes(figure)


@each(("shape", "room"), [((6, 12, 64, 64), PAPER), ((6, 12, 64, 64), HALF)])
def test_in_print_every_weight_has_a_cell(shape: tuple[int, ...], room: Room) -> None:
    """All 72 maps of MiniLM at 64 tokens, in the width of a page of a paper and on half a slide."""
    weights = np.random.default_rng(1).integers(1, 255, size=shape)
    z = drawn((weights - 1) / 254, room).data[0].z
    at = np.arange(64) + (z.shape[1] + (z.shape[1] - 64 * shape[1]) // (shape[1] - 1)) // shape[1]
    np.testing.assert_array_equal(z[:64, :64], weights[0, 0])
    np.testing.assert_array_equal(z[:64, at], weights[0, 1])
    np.testing.assert_array_equal(z[-64:, -64:], weights[-1, -1])


COUNTS = (1, 3)
PATTERNS = np.full((2, 3, 2, 2), 0.5, dtype=np.float32)
PATTERNS[0, 1:] = np.nan
PATTERNS[1, 2] = np.eye(2)


def test_of_models_with_more_and_fewer_heads_each_has_a_tile_a_row_and_a_place_in_the_text() -> None:
    picture = HeadsByCount(
        patterns=PATTERNS,
        counts=COUNTS,
        words=["tea", "please"],
        title="M",
        selected=(1, 2),
        allowed=np.ones((2, 2), dtype=bool),
    )
    layout = picture.figure().layout
    assert list(layout.yaxis.ticktext) == ["1 head", "<b>3 heads</b>"]
    assert unquote(layout.images[0].source).count("<use ") == sum(COUNTS)
    assert "masked" not in notes(picture.figure()), "a head that a model lacks is not masked"
    assert picture.alt().startswith(
        "attention of 2 models, 2 query words by 2 key words. Most focused: model "
    )
    assert "Most focused: model with 3 heads, head 3, entropy 0.0 bits." in picture.alt()
    table = picture.table()
    np.testing.assert_array_equal(table[["heads", "head"]], [[1, 1], [3, 1], [3, 2], [3, 3]])
    np.testing.assert_allclose(table["largest weight"], [0.5, 0.5, 0.5, 1])
    weights = picture.data()
    assert weights.index.names == ["heads", "head", "query"]
    assert list(weights.index.unique("heads")) == [1, 3]
    assert list(weights.columns) == ["tea", "please"]
    np.testing.assert_array_equal(weights.loc[(3, 3)], np.eye(2))
    assert len(weights) == 2 * sum(COUNTS), "a head that a model lacks has no rows"


@each(("x", "y", "hit"), [(1, 1, (1, 0)), (2, 1, None), (3, 2, (3, 2)), (4, 2, None), (1, 3, None)])
def test_a_click_means_a_head_of_its_model_or_nothing(x: float, y: float, hit: Head | None) -> None:
    assert head_hit(x, y, COUNTS) == hit
