"""One row of attention as arcs: as thick as the weights, with the numbers at the words, and told."""

import re
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.covering import each
from viz.arcs import FAINTEST, THICKEST, Arcs
from viz.room import Room
from viz.text import em_width

WORDS = ["ben", "saw", "<b>", "ben", "so"]
WEIGHTS = np.array([0.75, 0.0, 0.12, 0.004, 0.126])


def drawn(words: list[str] = WORDS, weights: np.ndarray = WEIGHTS, **room: Any) -> go.Figure:
    return Arcs(title="A", weights=weights, words=words, query=4).figure(Room(**{"width": 600, **room}))


def ends(figure: go.Figure) -> list[tuple[float, float]]:
    """Return the beginning and the end of each arc, from left to right."""
    paths = [shape.path.replace(",", " ").split() for shape in figure.layout.shapes]
    return [(float(path[1]), float(path[-2])) for path in paths]


def notes(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


def test_every_weight_that_shows_has_an_arc_from_the_word_that_asks_and_the_largest_lies_on_top() -> None:
    figure = drawn()
    middles = [note.x for note in figure.layout.annotations if "%" not in note.text]
    assert ends(figure) == [
        (pytest.approx(middles[4], abs=0.1), pytest.approx(middles[at], abs=0.1)) for at in (2, 4, 0)
    ]
    assert [shape.line.width for shape in figure.layout.shapes] == pytest.approx(
        [1 + (THICKEST - 1) * weight for weight in (0.12, 0.126, 0.75)]
    )
    assert [shape.opacity for shape in figure.layout.shapes] == pytest.approx(
        [FAINTEST + (1 - FAINTEST) * weight for weight in (0.12, 0.126, 0.75)]
    )


def test_the_numbers_stand_below_their_words_and_typed_markup_is_text() -> None:
    figure = drawn()
    assert notes(figure) == [
        *("<b>ben</b>", "<b>75\u00a0%</b>", "saw", "&lt;b&gt;", "<b>12\u00a0%</b>"),
        *("ben", "<b>so</b>", "<b>13\u00a0%</b>"),
    ]
    at = {note.text: (note.x, note.y) for note in figure.layout.annotations}
    assert at["<b>12\u00a0%</b>"][0] == at["&lt;b&gt;"][0]
    assert at["<b>12\u00a0%</b>"][1] > at["&lt;b&gt;"][1], "further down"
    assert "so → &lt;b&gt;: 12 %" in figure.data[0].hovertext


@each("room", [{}, {"width": 350}, {"height": 358, "width": 731, "fills": True}])
def test_words_side_by_side_do_not_touch_and_turned_ones_have_a_line_each(room: dict[str, Any]) -> None:
    figure = drawn(["Maria", "met", "Zuko", "near", "stores"], **room)
    words = [note for note in figure.layout.annotations if "%" not in note.text]
    times = figure.layout.width / figure.layout.xaxis.range[1]
    for one, other in pairwise(words):
        size = one.font.size / times
        taken = [em_width(re.sub("<[^<>]*>", "", note.text)) * size for note in (one, other)]
        room_for_word = sum(taken) / 2 if not one.textangle else size
        assert other.x - one.x >= room_for_word
    assert max(note.y for note in words) < figure.layout.yaxis.range[0]
