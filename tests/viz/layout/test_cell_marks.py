"""A frame on cells is seen on those of every colour: by its hue, or on a light edge."""

import numpy as np
import plotly.graph_objects as go

from tests.covering import each
from viz.layout.cell_marks import HALO, framing
from viz.matrices import HeadMatrix
from viz.number_map import NumberMap
from viz.room import Room
from viz.theme import DARK, GREY, LIGHT, Theme

WORDS = ["it", "was", "so"]


def mapped(theme: Theme) -> go.Figure:
    picture = NumberMap(
        values=np.eye(5), title="M", of="number", x_title="dimension", y_title="position", borders={"ends": 3}
    )
    return picture.figure(Room(theme=theme))


def test_in_grey_a_wider_line_of_the_paper_lies_below_a_frame() -> None:
    line = {"color": GREY.selection, "width": 3}
    assert framing(line, GREY) == [{"color": GREY.paper, "width": 3 + HALO}, line]


@each("theme", [LIGHT, DARK])
def test_where_there_are_hues_a_frame_is_one_line(theme: Theme) -> None:
    assert framing({"color": theme.selection, "width": 3}, theme) == [{"color": theme.selection, "width": 3}]
    assert len(mapped(theme).layout.shapes) == 1


def test_the_border_of_a_map_and_a_chosen_cell_have_an_edge_in_grey() -> None:
    lines = [shape.line.color for shape in mapped(GREY).layout.shapes]
    assert lines == [GREY.paper, GREY.selection]
    chosen = HeadMatrix(pattern=np.eye(3), words=WORDS, title="a head", selected=(1, 0)).figure(
        Room(theme=GREY)
    )
    assert [shape.line.color for shape in chosen.layout.shapes] == [GREY.paper, GREY.selection]
    corners = {(shape.x0, shape.x1, shape.y0, shape.y1) for shape in chosen.layout.shapes}
    assert corners == {(-0.5, 0.5, 0.5, 1.5)}
