"""Biases of schemes by distance: each has a separate chart, its numbers, and its places for clicks."""

import numpy as np
import plotly.graph_objects as go

from tests.covering import each
from viz.room import PAGE, Room
from viz.schemes import SchemeCurve, Schemes

FALLING = SchemeCurve(title="falls", brief="scores − d", values=np.array([[0.0, -1, -2], [0, -4, -8]]))
FLAT = SchemeCurve(title="<b>none", brief="adds nothing", values=np.zeros((2, 3)))


def drawn(*panels: SchemeCurve, chosen: int = 0, room: Room = PAGE) -> go.Figure:
    return Schemes(panels=panels, chosen=chosen, title="Added", x_title="words back").figure(room)


def test_the_chosen_head_is_drawn_above_the_others_in_each_chart() -> None:
    quiet, chosen, _, flat = drawn(FALLING, FLAT, chosen=1).data
    np.testing.assert_array_equal(quiet.y[:3], [0, -1, -2])
    np.testing.assert_array_equal(chosen.y, [0, -4, -8])
    np.testing.assert_array_equal(flat.y, 0)
    assert list(chosen.customdata) == [0] * 3
    assert list(flat.customdata) == [1] * 3
    assert (chosen.xaxis, flat.xaxis) == ("x", "x2")
    assert chosen.line.color != quiet.line.color


def test_every_chart_has_its_own_scale_and_one_that_changes_nothing_is_flat() -> None:
    layout = drawn(FALLING, FLAT).layout
    assert list(layout.yaxis.ticktext) == ["−8", "−4", "0"]
    assert list(layout.yaxis2.ticktext) == ["−1", "0", "1"]


@each(("width", "columns"), [(980, 3), (415, 2), (300, 1)])
def test_charts_go_below_each_other_where_they_have_no_room(width: int, columns: int) -> None:
    layout = drawn(*[FALLING] * 6, room=Room(width=width)).layout
    lefts = {round(layout[f"xaxis{at or ''}"].domain[0], 6) for at in ("", 2, 3, 4, 5, 6)}
    assert len(lefts) == columns
    tops = [layout[f"yaxis{at or ''}"].domain[1] for at in ("", 2, 3, 4, 5, 6)]
    assert tops == sorted(tops, reverse=True)
