"""The matrices of heads are drawn to one scale, side by side, and numbered."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from tests.covering import each
from viz.head_blocks import HeadBlocks, Kind
from viz.layout.scale import channels_of, luminance
from viz.room import PAGE, Room
from viz.theme import THEMES, Theme


def kinds(d: int, n_heads: int) -> list[Kind]:
    part = d // n_heads
    shapes = {"standard": (d, part), "narrow": (part, part), "wide": (d, d)}
    return [Kind(name=name, shape=shape, n_heads=n_heads) for name, shape in shapes.items()]


def drawn(n_heads: int, room: Room = PAGE) -> go.Figure:
    picture = HeadBlocks(kinds=kinds(64, n_heads), d_model=64, title="Q", make_table=pd.DataFrame)
    return picture.figure(room)


def rectangles(figure: go.Figure) -> list[tuple[float, float, float, float]]:
    """Left, upper edge, width and height in pixels of every filled matrix, kind by kind."""
    width, height = figure.layout.width, figure.layout.height
    return [
        (s.x0 * width, (1 - s.y1) * height, (s.x1 - s.x0) * width, (s.y1 - s.y0) * height)
        for s in figure.layout.shapes
        if s.fillcolor
    ]


ROOMS = [
    PAGE,
    Room(width=350, height=410),
    Room(width=731, height=358, fills=True, smallest_type=10.5),
    Room(width=450, height=420, fills=True, medium="print"),
]


@each("n_heads", [1, 4])
def test_areas_are_as_the_numbers_of_weights(n_heads: int) -> None:
    found = rectangles(drawn(n_heads))
    assert len(found) == 3 * n_heads
    areas = [sum(w * h for *_, w, h in found[at * n_heads : (at + 1) * n_heads]) for at in range(3)]
    assert areas[1] / areas[0] == pytest.approx(1 / n_heads, rel=0.02)
    assert areas[2] / areas[0] == pytest.approx(n_heads, rel=0.02)


@each("room", ROOMS)
@each("n_heads", [2, 8])
def test_no_two_matrices_overlap_and_all_are_in_the_figure(n_heads: int, room: Room) -> None:
    figure = drawn(n_heads, room)
    assert figure.layout.width <= room.width
    assert figure.layout.height <= (room.height or 1.5 * room.width)
    found = rectangles(figure)
    for left, top, width, height in found:
        assert left >= 0
        assert left + width <= figure.layout.width
        assert 0 <= top < top + height <= figure.layout.height
    for a in found:
        for b in found:
            apart = a[0] + a[2] <= b[0] + 0.1 or b[0] + b[2] <= a[0] + 0.1
            above = a[1] + a[3] <= b[1] + 0.1 or b[1] + b[3] <= a[1] + 0.1
            assert a is b or apart or above


@each("theme", THEMES.values())
def test_numbers_can_be_read_on_every_matrix(theme: Theme) -> None:
    layout = drawn(2, Room(theme=theme)).layout
    inks = [note.font.color for note in layout.annotations if note.text in ("1", "2")]
    boxes = [shape for shape in layout.shapes if shape.fillcolor]
    assert len(inks) == len(boxes)
    for ink, box in zip(inks, boxes, strict=True):
        light = [float(luminance(np.array(channels_of(one)))) for one in (ink, box.fillcolor)]
        assert (max(light) + 0.05) / (min(light) + 0.05) >= 4.5
