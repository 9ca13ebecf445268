"""Arrows in circles: their directions, lengths and labels."""

import re

import numpy as np
import plotly.graph_objects as go

from viz.room import PAGE, Room
from viz.rotary_pairs import RotaryPairs
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


def test_in_grey_the_key_is_dashed_and_its_name_says_so() -> None:
    figure = drawn(Room(theme=GREY))
    dashes = [trace.line.dash for trace in figure.data]
    assert len(set(dashes)) == 4
    assert {trace.line.dash for trace in drawn().data} == {"solid", "dot"}
    (names,) = [note.text for note in figure.layout.annotations if note.text.startswith("<b>")]
    assert re.findall("solid|dashed", names) == ["solid", "dashed"]
