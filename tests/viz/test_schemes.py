"""Biases of schemes by distance: each has a separate chart, its numbers, and its places for clicks."""

from itertools import combinations

import numpy as np
import plotly.graph_objects as go

from tests.covering import each
from viz.room import PAGE, Room
from viz.schemes import SchemeCurve, Schemes
from viz.text import em_width

FALLING = SchemeCurve(title="falls", brief="scores − d", values=np.array([[0.0, -1, -2], [0, -4, -8]]))
FLAT = SchemeCurve(title="<b>none", brief="adds nothing", values=np.zeros((2, 3)))
LONG = SchemeCurve(
    title="rotary", brief="queries and keys: turns pairs", values=np.cumsum(np.full((2, 48), -0.123), axis=1)
)


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


@each("n", [3, 5])
@each("size", [(731, 358), (352, 358)])
def test_charts_fill_a_large_page_and_their_words_touch_no_other_chart(size: tuple[int, int], n: int) -> None:
    room = Room(width=size[0], height=size[1], fills=True, smallest_type=10.5)
    layout = drawn(*[LONG, FALLING, FLAT, LONG, LONG, FALLING][:n], room=room).layout
    assert (layout.width, layout.height) == size
    boxes = []
    for note in layout.annotations:
        lines = note.text.replace("<b>", "").replace("</b>", "").split("<br>")
        wide = 0.8 * max(map(em_width, lines)) * note.font.size
        left = note.x * layout.width - wide * {"left": 0, "center": 0.5}[note.xanchor]
        top = (1 - note.y) * layout.height
        boxes.append((left, top, left + wide, top + 1.1 * note.font.size * len(lines)))
    for at in range(1, n + 1):
        x, y = (layout[f"{axis}axis{at if at > 1 else ''}"].domain for axis in "xy")
        assert (y[1] - y[0]) * layout.height > 35
        boxes.append(
            (x[0] * size[0], (1 - y[1]) * size[1], x[1] * size[0], (1 - y[0]) * size[1]),
        )
    numbered = [bool(layout[f"xaxis{at if at > 1 else ''}"].ticktext) for at in range(1, n + 1)]
    n_columns = len({layout[f"xaxis{at if at > 1 else ''}"].domain[1] for at in range(1, n + 1)})
    assert numbered == [at + n_columns >= n for at in range(n)], "no numbers between two rows"
    for one, other in combinations(boxes, 2):
        apart = one[2] <= other[0] + 1 or other[2] <= one[0] + 1
        assert apart or one[3] <= other[1] + 1 or other[3] <= one[1] + 1
