"""A network shows its path, its counts and its arrows where they belong, and every box can be clicked."""

import json
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.typing import NDArray

from tests.covering import each
from viz.networks import AttentionNetwork, Counts, RecurrentNetwork, what_is_counted
from viz.room import PAGE, Room
from viz.text import em_width

TEA = ["Zuko", "made", "his", "uncle", "tea"]
BREAD = ["the", "oven", "cooked", "the", "bread", "so"]

FROM_HIS = np.array([[-1, -1, 0, -1, -1], [3, 2, 1, 2, 3], [4, 3, 2, 3, 4]])
ONWARDS = np.array([[0, 0, 0, 0, 0], [1, 2, 3, 4, 5]])
CAUSAL = np.array([[-1, -1, 0, -1, -1], [-1, -1, 1, 2, 3]])

TO_MADE = [(0, 2), (1, 2), (1, 1), (2, 1)]

GREY_ARROWS, GREY_BOXES, LIT_ARROWS, LIT_BOXES, NUMBERS = range(5)

Node = tuple[int, int]
Edge = tuple[Node, Node]
Ends = tuple[int, int]


def recurrent(
    counts: Counts, path: list[Node], ends: Ends = (0, 4), words: list[str] = TEA, room: Room = PAGE
) -> go.Figure:
    return RecurrentNetwork(title="R", words=words, counts=counts, ends=ends, path=path).figure(room)


def attention(
    counts: Counts,
    path: list[Node],
    ends: Ends = (1, 4),
    words: list[str] = TEA,
    room: Room = PAGE,
    **look: Any,
) -> go.Figure:
    return AttentionNetwork(title="A", words=words, counts=counts, ends=ends, path=path, **look).figure(room)


def straight(n: int, n_layers: int = 1, ends: Ends = (0, -1), **look: Any) -> go.Figure:
    """Self-attention over n words, one path lit straight from one word to another."""
    source, target = (end % n for end in ends)
    counts = np.repeat(np.arange(n_layers + 1)[:, None], n, axis=1)
    path = [(0, source), *((row, target) for row in range(1, n_layers + 1))]
    return attention(counts, path, (source, target), (BREAD * n)[:n], **look)


def points(trace: go.Scatter) -> NDArray[np.float64]:
    """(edge, end, x or y) of an arrow trace."""
    return np.stack([trace.x, trace.y], axis=-1).astype(float).reshape(-1, 3, 2)[:, :2]


def edges(trace: go.Scatter) -> list[Edge]:
    """The boxes that arrows connect: each end is nearest to its own box."""
    return [tuple((round(y), round(x)) for x, y in ends) for ends in points(trace).tolist()]  # type: ignore[misc]


def drawn_boxes(trace: go.Scatter) -> list[Node]:
    corners = np.stack([trace.y, trace.x], axis=-1).astype(float).reshape(-1, 7, 2)[:, 1:5]
    return [tuple(node) for node in corners.mean(axis=1).round().astype(int).tolist()]


def numbers(figure: go.Figure) -> list[list[str]]:
    """What stands in the boxes, (row, word)."""
    trace = figure.data[NUMBERS]
    written = dict(zip(zip(trace.y.tolist(), trace.x.tolist(), strict=True), trace.text, strict=True))
    n_rows, n = trace.y.max() + 1, trace.x.max() + 1
    return [[written[row, column] for column in range(n)] for row in range(n_rows)]


def test_the_boxes_and_arrows_of_the_path_are_lit_and_no_others() -> None:
    figure = recurrent(FROM_HIS, TO_MADE, (2, 1))
    assert sorted(drawn_boxes(figure.data[LIT_BOXES])) == sorted(TO_MADE)
    assert edges(figure.data[LIT_ARROWS]) == list(pairwise(TO_MADE))
    others = {(row, column) for row in range(3) for column in range(5)} - set(TO_MADE)
    assert set(drawn_boxes(figure.data[GREY_BOXES])) == others
    assert not set(edges(figure.data[GREY_ARROWS])) & set(pairwise(TO_MADE))


@pytest.mark.parametrize("draw", [recurrent, attention])
def test_without_a_path_no_box_is_lit_but_both_words_are(draw: Callable[..., go.Figure]) -> None:
    figure = draw(CAUSAL, [], (2, 0))
    assert edges(figure.data[LIT_ARROWS]) == drawn_boxes(figure.data[LIT_BOXES]) == []
    assert len(drawn_boxes(figure.data[GREY_BOXES])) == 10
    assert "<b>" not in "".join(figure.data[NUMBERS].text)
    marked = [at for at, word in enumerate(figure.layout.xaxis.ticktext) if "<b>" in word]
    assert marked == [0, 2]


def test_counts_stand_in_their_boxes_in_the_order_of_the_words() -> None:
    assert numbers(recurrent(FROM_HIS, TO_MADE, (2, 1))) == [
        ["", "", "<b>0</b>", "", ""],
        ["3", "<b>2</b>", "<b>1</b>", "2", "3"],
        ["4", "<b>3</b>", "2", "3", "4"],
    ]


def test_states_lead_away_from_a_source_on_both_its_sides() -> None:
    arrows = edges(recurrent(FROM_HIS, [], (2, 1)).data[GREY_ARROWS])
    for row in (1, 2):
        level = {edge for edge in arrows if edge[0][0] == edge[1][0] == row}
        away = {(2, 1), (1, 0), (2, 3), (3, 4)}
        assert level == {((row, start), (row, end)) for start, end in away}


def test_every_word_looks_at_every_word_in_every_layer() -> None:
    counts = np.repeat(np.arange(4)[:, None], 5, axis=1)
    arrows = edges(attention(counts, []).data[GREY_ARROWS])
    assert len(arrows) == 3 * 25
    assert set(arrows) == {
        ((row, key), (row + 1, query)) for row in range(3) for key in range(5) for query in range(5)
    }


@pytest.mark.parametrize("causal", [False, True])
def test_of_many_words_only_the_two_chosen_are_followed(causal: bool) -> None:
    n, source, target = 23, 7, 15
    figure = straight(n, ends=(source, target), allowed=np.tri(n, dtype=bool) if causal else None)
    drawn = {*edges(figure.data[GREY_ARROWS]), *edges(figure.data[LIT_ARROWS])}
    out = {(source, query) for query in range(n) if not causal or query >= source}
    into = {(key, target) for key in range(n) if not causal or key <= target}
    assert drawn == {((0, key), (1, query)) for key, query in out | into}


@pytest.mark.parametrize("n", [1, 5, 13, 23, 64, 256])
@pytest.mark.parametrize("n_layers", [1, 3])
def test_every_box_answers_a_click_with_its_row_and_column(n: int, n_layers: int) -> None:
    trace = json.loads(straight(n, n_layers).to_json())["data"][NUMBERS]
    nodes = [[row, column] for row in range(n_layers + 1) for column in range(n)]
    assert trace["customdata"] == nodes
    assert trace.get("hoverinfo") != "skip"
    assert trace["marker"]["size"] > 0
    figure = straight(n, n_layers)
    placed = np.stack([figure.data[NUMBERS].y, figure.data[NUMBERS].x], axis=1)
    np.testing.assert_array_equal(placed, nodes)


@pytest.mark.parametrize(
    ("words", "ends", "n_boxes", "said"),
    [
        (TEA, (0, 4), 2, "over 5 words. From Zuko to tea it takes 1 operation."),
        (BREAD, (0, 3), 5, "over 6 words. From the (1) to the (4) it takes 4 operations."),
        (["so"], (0, 0), 2, "over 1 word. From so to so it takes 1 operation."),
        (TEA, (4, 0), 0, "over 5 words. No path leads from tea to Zuko."),
    ],
)
def test_a_description_says_how_long_the_path_is(
    words: list[str], ends: Ends, n_boxes: int, said: str
) -> None:
    counts, path = np.zeros((2, len(words)), dtype=int), [(0, 0)] * n_boxes
    known = {"title": "N", "words": words, "counts": counts, "ends": ends, "path": path}
    assert RecurrentNetwork(**known).alt() == f"Recurrent network {said}"
    assert AttentionNetwork(**known).alt() == f"Self-attention {said}"


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (ONWARDS, "A state of layer 1 takes 1 to 5 operations one after the other."),
        (FROM_HIS.clip(min=1), "A state of layer 2 takes 2 to 4 operations one after the other."),
        (np.ones((2, 5), dtype=int), "A state of layer 1 takes 1 operation one after the other."),
    ],
)
def test_without_ends_a_description_says_how_long_states_take(counts: Counts, said: str) -> None:
    picture = RecurrentNetwork(title="R", words=TEA, counts=counts, ends=None, path=[])
    assert picture.alt().endswith(said)


def test_no_box_has_a_notch_at_a_corner() -> None:
    """Where a line begins and ends it has no corner."""
    boxes = recurrent(FROM_HIS, TO_MADE, (2, 1)).data[LIT_BOXES]
    corners = np.stack([boxes.x, boxes.y], axis=-1).reshape(-1, 7, 2)[:, :6]
    ends, next_one, before = corners[:, 0], corners[:, 1], corners[:, 4]
    np.testing.assert_array_equal(ends, corners[:, 5])
    assert (ends[:, 0] > before[:, 0]).all()
    assert (ends[:, 0] < next_one[:, 0]).all()
    assert (ends[:, 1] == next_one[:, 1]).all()


def test_a_title_says_what_is_counted() -> None:
    assert what_is_counted(TEA, None) == "Serial operations before each state"
    assert what_is_counted(BREAD, (0, 3)) == "Operations between “the” (1) and the state of “the” (4)"


@each("n", [1, 2, 9, 27, 64])
@each(
    "room",
    [
        Room(width=440, height=390),
        Room(width=352, height=358, fills=True, smallest_type=10.5),
        Room(width=912, height=420, fills=True, medium="print"),
        Room(width=402, medium="print"),
    ],
)
def test_slanted_words_have_a_line_each_and_begin_in_the_figure(n: int, room: Room) -> None:
    figure = straight(n, 2, room=room)
    layout, axis = figure.layout, figure.layout.xaxis
    low, high = axis.range
    column = (layout.width - layout.margin.l - layout.margin.r) / (high - low)
    size, slant = axis.tickfont.size, np.radians(-axis.tickangle)
    assert size >= room.smallest_type
    places = [*axis.tickvals]
    if slant:
        assert np.diff(places).min(initial=99) * column * np.sin(slant) >= size - 0.01
    for at, word in zip(places, axis.ticktext, strict=True):
        length = em_width(re.sub("<[^<>]*>", "", word)) * size * 0.9
        begins = layout.margin.l + (at - low) * column - length * (np.cos(slant) if slant else 0.5)
        assert begins >= 0
    if n <= 27 and room.width > 400:
        assert len(places) == n, "no word is left out"
