"""A network shows its path, its counts and its arrows in their places, and every box can be clicked."""

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
from viz.networks import AttentionNetwork, Counts, RecurrentNetwork, meaning_of_counts
from viz.room import PAGE, Room
from viz.text import em_width
from viz.theme import LIGHT

TEA = ["Zuko", "made", "his", "uncle", "tea"]
BREAD = ["the", "oven", "cooked", "the", "bread", "so"]

FROM_HIS = np.array([[-1, -1, 0, -1, -1], [3, 2, 1, 2, 3], [4, 3, 2, 3, 4]])
ONWARDS = np.array([[0, 0, 0, 0, 0], [1, 2, 3, 4, 5]])
CAUSAL = np.array([[-1, -1, 0, -1, -1], [-1, -1, 1, 2, 3]])

TO_MADE = [(0, 2), (1, 2), (1, 1), (2, 1)]

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


def middles(figure: go.Figure) -> dict[Node, tuple[float, float]]:
    """Return the middles of the boxes, by the row and the column that a click on them reports."""
    answers = figure.data[-1]
    found: dict[Node, list[tuple[float, float]]] = {}
    for x, y, node in zip(answers.x.tolist(), answers.y.tolist(), answers.customdata, strict=True):
        found.setdefault(tuple(node), []).append((x, y))
    return {node: (np.mean([x for x, _ in points]), points[0][1]) for node, points in found.items()}


def nearest(figure: go.Figure, points: NDArray[np.float64]) -> list[Node]:
    """Return the box that is nearest to each point (point, x or y)."""
    places = middles(figure)
    columns = np.array([x for (row, _), (x, _) in sorted(places.items()) if row == 0])
    rows = np.array([y for (_, column), (_, y) in sorted(places.items()) if column == 0])
    x, y = points.T[:, :, None]
    return [*zip(np.abs(y - rows).argmin(1).tolist(), np.abs(x - columns).argmin(1).tolist(), strict=True)]


def edges(figure: go.Figure, colour: str) -> list[Edge]:
    """Return the boxes that the arrows of a colour connect: each end is nearest to its own box."""
    found = []
    for trace in figure.data:
        if "lines" in trace.mode and trace.line.color == colour:
            ways = np.stack([trace.x, trace.y], axis=-1).astype(float).reshape(-1, 3, 2)
            found += zip(nearest(figure, ways[:, 0]), nearest(figure, ways[:, 1]), strict=True)
    return found


def frames(figure: go.Figure, colour: str = "") -> dict[Node, tuple[float, float, float, float]]:
    """Return the left, right, upper and lower edge of the boxes of a colour, or of all."""
    found = []
    for shape in figure.layout.shapes:
        if colour in ("", shape.line.color):
            for path in shape.path.split("Z")[:-1]:
                points = np.array(re.findall(r"[\d.]+", path), dtype=float).reshape(-1, 2)
                found.append((*np.sort(points[:, 0])[[0, -1]], *np.sort(points[:, 1])[[0, -1]]))
    edges = np.array(found).reshape(-1, 4)
    points = np.stack([edges[:, :2].mean(1), edges[:, 2:].mean(1)], axis=1)
    return dict(zip(nearest(figure, points), edges.tolist(), strict=True))


def texts(figure: go.Figure) -> dict[Node, str]:
    """Return the texts in the boxes; empty if the boxes are too narrow for numbers."""
    for trace in figure.data:
        if trace.mode == "text":
            points = np.stack([trace.x, trace.y], axis=1).astype(float)
            return dict(zip(nearest(figure, points), trace.text, strict=True))
    return {}


def words_of(figure: go.Figure) -> list[Any]:
    """Return the words below the boxes, from left to right."""
    return sorted(
        (note for note in figure.layout.annotations if note.yanchor == "top"), key=lambda one: one.x
    )


def test_the_boxes_and_arrows_of_the_path_are_lit_and_no_others() -> None:
    figure = recurrent(FROM_HIS, TO_MADE, (2, 1))
    assert set(frames(figure, LIGHT.recurrence)) == set(TO_MADE)
    assert edges(figure, LIGHT.recurrence) == list(pairwise(TO_MADE))
    others = {(row, column) for row in range(3) for column in range(5)} - set(TO_MADE)
    assert set(frames(figure, LIGHT.muted)) == others
    assert not set(edges(figure, LIGHT.muted)) & set(pairwise(TO_MADE))


@pytest.mark.parametrize("draw", [recurrent, attention])
def test_without_a_path_no_box_is_lit_but_both_words_are(draw: Callable[..., go.Figure]) -> None:
    figure = draw(CAUSAL, [], (2, 0))
    assert len(frames(figure, LIGHT.muted)) == len(frames(figure)) == 10
    assert edges(figure, LIGHT.recurrence) == edges(figure, LIGHT.attention) == []
    assert "<b>" not in "".join(texts(figure).values())
    marked = [at for at, word in enumerate(words_of(figure)) if "<b>" in word.text]
    assert marked == [0, 2]


def test_counts_stand_in_their_boxes_in_the_order_of_the_words() -> None:
    found = texts(recurrent(FROM_HIS, TO_MADE, (2, 1)))
    assert [[found[row, column] for column in range(5)] for row in range(3)] == [
        ["", "", "<b>0</b>", "", ""],
        ["3", "<b>2</b>", "<b>1</b>", "2", "3"],
        ["4", "<b>3</b>", "2", "3", "4"],
    ]


def test_states_lead_away_from_a_source_on_both_its_sides() -> None:
    arrows = edges(recurrent(FROM_HIS, [], (2, 1)), LIGHT.muted)
    for row in (1, 2):
        level = {edge for edge in arrows if edge[0][0] == edge[1][0] == row}
        away = {(2, 1), (1, 0), (2, 3), (3, 4)}
        assert level == {((row, start), (row, end)) for start, end in away}


def test_every_word_looks_at_every_word_in_every_layer() -> None:
    counts = np.repeat(np.arange(4)[:, None], 5, axis=1)
    arrows = edges(attention(counts, []), LIGHT.muted)
    assert len(arrows) == 3 * 25
    assert set(arrows) == {
        ((row, key), (row + 1, query)) for row in range(3) for key in range(5) for query in range(5)
    }


@pytest.mark.parametrize("causal", [False, True])
def test_of_many_words_only_the_two_chosen_are_followed(causal: bool) -> None:
    n, source, target = 23, 7, 15
    figure = straight(n, ends=(source, target), allowed=np.tri(n, dtype=bool) if causal else None)
    drawn = {*edges(figure, LIGHT.muted), *edges(figure, LIGHT.attention)}
    out = {(source, query) for query in range(n) if not causal or query >= source}
    into = {(key, target) for key in range(n) if not causal or key <= target}
    assert drawn == {((0, key), (1, query)) for key, query in out | into}


@each(("n", "n_layers"), [(1, 1), (13, 3), (256, 1)])
def test_every_box_answers_a_click_with_its_row_and_column(n: int, n_layers: int) -> None:
    figure = straight(n, n_layers)
    nodes = [(row, column) for row in range(n_layers + 1) for column in range(n)]
    answers = json.loads(figure.to_json())["data"][-1]
    assert list(dict.fromkeys(map(tuple, answers["customdata"]))) == nodes
    assert answers.get("hoverinfo") != "skip"
    assert answers["marker"]["size"] > 0
    boxes = frames(figure)
    for node, (x, y) in middles(figure).items():
        left, right, top, bottom = boxes[node]
        assert left < x < right
        assert top < y < bottom


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
        (ONWARDS, "A state of layer 1 takes 1 to 5 serial operations."),
        (FROM_HIS.clip(min=1), "A state of layer 2 takes 2 to 4 serial operations."),
        (np.ones((2, 5), dtype=int), "A state of layer 1 takes 1 serial operation."),
    ],
)
def test_without_ends_a_description_says_how_long_states_take(counts: Counts, said: str) -> None:
    picture = RecurrentNetwork(title="R", words=TEA, counts=counts, ends=None, path=[])
    assert picture.alt().endswith(said)


def test_a_title_names_the_counted_things() -> None:
    assert meaning_of_counts(TEA, None) == "Serial operations before each state"
    assert meaning_of_counts(BREAD, (0, 3)) == "Operations between “the” (1) and the state of “the” (4)"


@each("n", [2, 27, 64])
@each("room", [Room(width=440, height=390), Room(width=402, medium="print")])
def test_slanted_words_have_a_line_each_and_begin_in_the_figure(n: int, room: Room) -> None:
    figure = straight(n, 2, room=room)
    words, times = words_of(figure), figure.layout.width / figure.layout.xaxis.range[1]
    slant, size = np.radians(-(words[0].textangle or 0)), words[0].font.size / times
    assert size * times >= room.smallest_type
    apart = np.diff([word.x for word in words])
    lengths = [em_width(re.sub("<[^<>]*>", "", word.text)) * size for word in words]
    if slant:
        assert apart.min(initial=99) * np.sin(slant) >= size - 0.01
        assert min(word.x - one * np.cos(slant) for word, one in zip(words, lengths, strict=True)) >= 0
    else:
        assert (apart >= np.add(lengths[1:], lengths[:-1]) / 2).all()
    if n <= 27 and room.width > 400:
        assert len(words) == n, "no word is left out"
