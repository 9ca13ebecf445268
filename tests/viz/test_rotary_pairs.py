"""Arrows in circles: their directions, lengths and labels."""

import re
from html import unescape

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.covering import each
from viz.room import PAGE, Room
from viz.rotary_pairs import RotaryPairs
from viz.text import em_width
from viz.theme import GREY

Q = np.array([[3.0, 4.0], [0.0, 1.0], [-2.0, 0.0]])
K = np.array([[1.0, 0.0], [0.0, -2.0], [1.0, 1.0]])
PARTS = [3, -2, -2.004]
TITLES = ["57° per word", "2° <b>", "0.1°"]


def drawn(room: Room = PAGE, **options) -> go.Figure:  # type: ignore[no-untyped-def]
    given = {
        "q": Q,
        "k": K,
        "before": (Q, K),
        "parts": PARTS,
        "title": "Pairs",
        "titles": TITLES,
        "names": ("query of <i>", "key of b"),
    } | options
    return RotaryPairs(**given).figure(room)


def arrows(figure: go.Figure, name: str) -> np.ndarray:
    """From its middle to its end, each arrow in pixels, up counted upwards."""
    trace = next(one for one in figure.data if one.hovertemplate and one.hovertext[1].startswith(name))
    x, y = (np.array(each).reshape(-1, 3) for each in (trace.x, trace.y))
    return np.stack([x[:, 1] - x[:, 0], y[:, 0] - y[:, 1]], axis=1)


def radius(figure: go.Figure) -> float:
    circle = figure.layout.shapes[0]
    return (circle.x1 - circle.x0) / 2


def test_arrows_point_as_their_pairs_do_and_the_longest_reaches_its_circle() -> None:
    figure = drawn()
    for name, pairs in (("query", Q), ("key", K)):
        np.testing.assert_allclose(arrows(figure, name), pairs * radius(figure) / 5, rtol=1e-6)


ROOMS = [
    Room(width=470, height=390),
    Room(width=350, height=410),
    Room(width=352, height=358, fills=True, smallest_type=10.5),
    Room(width=912, height=420, fills=True, medium="print"),
    Room(width=509, medium="print"),
]


@pytest.mark.long("all sizes of the drawing")
@each("room", ROOMS)
@each("n", [3, 4, 6, 8, 12, 16, 24, 32])
def test_circles_and_labels_lie_within_the_figure_and_apart(n: int, room: Room) -> None:
    pairs, titles = np.ones((n, 2)), [f"{at}° per word" if n <= 8 else f"{at}°" for at in range(n)]
    figure = drawn(room, q=pairs, k=pairs, before=(pairs, pairs), parts=[-1.25] * n, titles=titles)
    layout = figure.layout
    circles = layout.shapes
    assert len(circles) == n
    assert layout.width <= room.width
    if room.fills:
        assert room.height is not None
        assert layout.height <= room.height
    boxes = [(one.x0, one.x1, one.y0, one.y1) for one in circles]
    for note in layout.annotations:
        x, y, size = note.x * layout.width, (1 - note.y) * layout.height, note.font.size
        assert size >= room.smallest_type
        half = em_width(unescape(re.sub("<[^<>]*>", "", note.text))) * size / 2
        x, y = (x + half, y + size / 2) if note.xanchor == "left" else (x, y)
        boxes.append((x - half, x + half, y - size / 2, y + size / 2))
    for at, (left, right, top, bottom) in enumerate(boxes):
        assert -1 <= left < right <= layout.width + 1
        assert -1 <= top < bottom <= layout.height + 1
        for other in boxes[:at]:
            apart = left >= other[1] - 1 or other[0] >= right - 1
            assert apart or top >= other[3] - 1 or other[2] >= bottom - 1


def test_a_title_wider_than_its_circle_is_written_in_full_while_the_figure_has_the_room() -> None:
    pairs, title = np.ones((8, 2)), "0.1357° per word"
    figure = drawn(ROOMS[1], q=pairs, k=pairs, before=(pairs, pairs), parts=[0] * 8, titles=[title] * 8)
    circle = figure.layout.shapes[0]
    assert em_width(title) * 12 > circle.x1 - circle.x0 + 20
    assert [note.text for note in figure.layout.annotations].count(title) == 8


def test_in_grey_the_key_is_dashed_and_its_name_says_so() -> None:
    figure = drawn(Room(theme=GREY))
    dashes = [trace.line.dash for trace in figure.data]
    assert len(set(dashes)) == 4
    assert {trace.line.dash for trace in drawn().data} == {"solid", "dot"}
    (names,) = [note.text for note in figure.layout.annotations if note.text.startswith("<b>")]
    assert re.findall("solid|dashed", names) == ["solid", "dashed"]
