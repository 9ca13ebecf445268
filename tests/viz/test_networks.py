"""A network shows its path, its counts and its arrows where they belong, and every box can be clicked."""

import json
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.typing import NDArray

from tests.covering import each
from viz.networks import Counts, attention_network, recurrent_network
from viz.parts.boxes import boxes
from viz.theme import DARK, LIGHT, Theme

TEA = ["Zuko", "made", "his", "uncle", "tea"]
BREAD = ["the", "oven", "cooked", "the", "bread", "so"]

FROM_HIS = np.array([[-1, -1, 0, -1, -1], [3, 2, 1, 2, 3], [4, 3, 2, 3, 4]])
ONWARDS = np.array([[0, 0, 0, 0, 0], [1, 2, 3, 4, 5]])
ONE_LAYER = np.array([[-1, 0, -1, -1, -1], [1, 1, 1, 1, 1]])
CAUSAL = np.array([[-1, -1, 0, -1, -1], [-1, -1, 1, 2, 3]])

TO_MADE = [(0, 2), (1, 2), (1, 1), (2, 1)]
TO_TEA = [(0, 1), (1, 4)]

GREY_ARROWS, GREY_BOXES, LIT_ARROWS, LIT_BOXES, NUMBERS = range(5)
BOTH_THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])

Node = tuple[int, int]
Edge = tuple[Node, Node]
Ends = tuple[int, int]


def recurrent(
    counts: Counts, path: list[Node], ends: Ends = (0, 4), words: list[str] = TEA, theme: Theme = LIGHT
) -> go.Figure:
    return recurrent_network(words, counts, ends=ends, path=path, theme=theme).figure


def attention(
    counts: Counts, path: list[Node], ends: Ends = (1, 4), words: list[str] = TEA, **look: bool
) -> go.Figure:
    return attention_network(words, counts, ends=ends, path=path, theme=LIGHT, **look).figure


def straight(n: int, n_layers: int = 1, ends: Ends = (0, -1), **look: bool) -> go.Figure:
    """Self-attention over n words, one path lit straight from one word to another."""
    source, target = (end % n for end in ends)
    counts = np.repeat(np.arange(n_layers + 1)[:, None], n, axis=1)
    path = [(0, source), *((row, target) for row in range(1, n_layers + 1))]
    return attention(counts, path, (source, target), (BREAD * n)[:n], **look)


def chain(n: int) -> go.Figure:
    """A recurrent network over n words, lit from the first to the last."""
    counts = np.stack([np.zeros(n, dtype=int), np.arange(1, n + 1)])
    return recurrent(counts, [(0, 0), *((1, at) for at in range(n))], (0, n - 1), (BREAD * n)[:n])


def points(trace: go.Scatter) -> NDArray[np.float64]:
    """(edge, end, x or y) of an arrow trace."""
    return np.stack([trace.x, trace.y], axis=-1).astype(float).reshape(-1, 3, 2)[:, :2]


def edges(trace: go.Scatter) -> list[Edge]:
    """The boxes that arrows connect: each end is nearest to its own box."""
    return [tuple((round(y), round(x)) for x, y in ends) for ends in points(trace).tolist()]  # type: ignore[misc]


def drawn_boxes(trace: go.Scatter) -> list[Node]:
    corners = np.stack([trace.y, trace.x], axis=-1).astype(float).reshape(-1, 6, 2)[:, :4]
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


def test_the_path_of_attention_goes_straight_to_its_target() -> None:
    figure = attention(ONE_LAYER, TO_TEA)
    assert edges(figure.data[LIT_ARROWS]) == [((0, 1), (1, 4))]
    assert set(drawn_boxes(figure.data[LIT_BOXES])) == set(TO_TEA)


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


def test_row_0_is_at_the_bottom() -> None:
    low, high = recurrent(ONWARDS, []).layout.yaxis.range
    assert low < 0 < 1 < high


def test_states_lead_away_from_a_source_on_both_its_sides() -> None:
    arrows = edges(recurrent(FROM_HIS, [], (2, 1)).data[GREY_ARROWS])
    for row in (1, 2):
        level = {edge for edge in arrows if edge[0][0] == edge[1][0] == row}
        away = {(2, 1), (1, 0), (2, 3), (3, 4)}
        assert level == {((row, start), (row, end)) for start, end in away}


@pytest.mark.parametrize("counts", [ONWARDS, CAUSAL], ids=["serial operations", "causal distances"])
def test_states_lead_onwards_where_the_network_reads_onwards(counts: Counts) -> None:
    level = {edge for edge in edges(recurrent(counts, []).data[GREY_ARROWS]) if edge[0][0] == 1}
    assert level == {((1, at), (1, at + 1)) for at in range(4)}


def test_every_recurrent_state_is_fed_from_below() -> None:
    upwards = {edge for edge in edges(recurrent(FROM_HIS, []).data[GREY_ARROWS]) if edge[0][0] != edge[1][0]}
    assert upwards == {((row - 1, at), (row, at)) for row in (1, 2) for at in range(5)}


def test_no_grey_arrow_runs_against_a_lit_one() -> None:
    backwards = [(0, 4), *((1, at) for at in range(4, -1, -1))]
    figure = recurrent(ONWARDS, backwards, (4, 0))
    assert all(edge[0][0] != edge[1][0] for edge in edges(figure.data[GREY_ARROWS]))
    assert len(edges(figure.data[LIT_ARROWS])) == 5


def test_arrows_end_at_the_near_side_of_their_box() -> None:
    form = boxes(TEA, 3)
    figure = recurrent(FROM_HIS, TO_MADE, (2, 1))
    for trace in (figure.data[GREY_ARROWS], figure.data[LIT_ARROWS]):
        for (start, end), ((x0, y0), (x1, y1)) in zip(edges(trace), points(trace), strict=True):
            if start[0] == end[0]:
                ahead = end[1] - start[1]
                assert (x0 - start[1]) * ahead == pytest.approx(form.half_width, abs=1e-6)
                assert (end[1] - x1) * ahead == pytest.approx(form.half_width, abs=1e-6)
                assert (y0, y1) == (start[0], end[0])
            else:
                assert y0 - start[0] == pytest.approx(form.half_height, abs=1e-6)
                assert (end[0] - form.half_height - y1) * form.row == pytest.approx(6, abs=1e-3)
                assert (x0, x1) == (start[1], end[1])


def test_an_arrow_from_the_left_arrives_left_of_the_middle_but_under_its_box() -> None:
    figure = attention(ONE_LAYER, TO_TEA)
    half = boxes(TEA, 2).half_width
    for trace in (figure.data[GREY_ARROWS], figure.data[LIT_ARROWS]):
        for ((_, key), (_, query)), ((x0, _), (x1, _)) in zip(edges(trace), points(trace), strict=True):
            assert x0 == key
            assert np.sign(query - x1) == np.sign(query - key)
            assert abs(query - x1) < half


def test_every_word_looks_at_every_word_in_every_layer() -> None:
    counts = np.repeat(np.arange(4)[:, None], 5, axis=1)
    arrows = edges(attention(counts, []).data[GREY_ARROWS])
    assert len(arrows) == 3 * 25
    assert set(arrows) == {
        ((row, key), (row + 1, query)) for row in range(3) for key in range(5) for query in range(5)
    }


def test_a_causal_network_lets_no_word_look_at_a_later_one() -> None:
    arrows = edges(attention(CAUSAL, [], allowed=np.tri(5, dtype=bool)).data[GREY_ARROWS])
    assert set(arrows) == {((0, key), (1, query)) for query in range(5) for key in range(query + 1)}


@pytest.mark.parametrize("causal", [False, True])
def test_of_many_words_only_the_two_chosen_are_followed(causal: bool) -> None:
    n, source, target = 23, 7, 15
    figure = straight(n, ends=(source, target), allowed=np.tri(n, dtype=bool) if causal else None)
    drawn = {*edges(figure.data[GREY_ARROWS]), *edges(figure.data[LIT_ARROWS])}
    out = {(source, query) for query in range(n) if not causal or query >= source}
    into = {(key, target) for key in range(n) if not causal or key <= target}
    assert drawn == {((0, key), (1, query)) for key, query in out | into}


def test_all_arrows_are_drawn_up_to_sixteen_words() -> None:
    assert len(edges(straight(16).data[GREY_ARROWS])) == 16**2 - 1
    assert len(edges(straight(17).data[GREY_ARROWS])) == 2 * 17 - 1 - 1


def test_arrowheads_go_where_they_would_smear_but_never_from_the_path() -> None:
    assert straight(8).data[GREY_ARROWS].mode == "lines+markers"
    assert straight(13).data[GREY_ARROWS].mode == "lines"
    assert chain(13).data[GREY_ARROWS].mode == "lines+markers"
    for figure in (straight(8), straight(13), straight(64), chain(64)):
        lit = figure.data[LIT_ARROWS]
        assert (lit.mode, lit.marker.angleref) == ("lines+markers", "previous")
        assert lit.marker.size[1] >= 15


def test_a_head_stands_at_the_end_of_its_arrow_only() -> None:
    sizes = np.array(recurrent(ONWARDS, []).data[GREY_ARROWS].marker.size).reshape(-1, 3)
    assert (sizes[:, 1] > 0).all()
    assert not sizes[:, (0, 2)].any()


@each("n", [2, 8, 13, 20, 64])
def test_a_head_between_two_boxes_is_not_longer_than_the_space_between_them(n: int) -> None:
    figure, form = chain(n), boxes((BREAD * n)[:n], 2)
    heads = np.array(figure.data[LIT_ARROWS].marker.size).reshape(-1, 3)[1:, 1]
    assert (heads <= (1 - 2 * form.half_width) * form.column + 1e-6).all()


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


def test_what_only_decorates_does_not_answer_the_pointer() -> None:
    assert [trace.hoverinfo for trace in chain(5).data[:NUMBERS]] == ["skip"] * 4


def test_where_boxes_are_too_narrow_only_the_count_at_the_end_of_the_path_is_written() -> None:
    figure = chain(64)
    assert figure.data[NUMBERS].mode == "markers"
    (note,) = figure.layout.annotations
    assert (note.text, note.yanchor) == ("<b>64</b>", "bottom")
    assert note.x == pytest.approx(63, abs=0.5)
    assert note.y > 1
    assert figure.layout.margin.t >= note.font.size
    assert not chain(13).layout.annotations


def test_a_count_above_the_boxes_stays_inside_the_figure() -> None:
    last, first = chain(64).layout.annotations[0], straight(64, ends=(-1, 0)).layout.annotations[0]
    assert (last.xanchor, first.xanchor) == ("right", "left")


def test_no_count_is_written_where_there_is_no_path() -> None:
    n = 64
    counts = np.stack([np.zeros(n, dtype=int), np.arange(n)])
    assert not recurrent(counts, [], (3, 1), ["so"] * n).layout.annotations


def test_repeated_words_stay_apart() -> None:
    figure = chain(6)
    assert list(figure.layout.xaxis.tickvals) == [0, 1, 2, 3, 4, 5]
    shown = [text.removeprefix("<b>").split(">")[-1] or text for text in figure.layout.xaxis.ticktext[1:5]]
    assert shown == BREAD[1:5]
    hovers = figure.data[NUMBERS].hovertext
    assert hovers[6] == "state of the (1) in layer 1: 1 operation"
    assert hovers[9] == "state of the (4) in layer 1: 4 operations"


def test_a_hover_says_what_a_box_is_and_how_far_it_is() -> None:
    hovers = recurrent(FROM_HIS, []).data[NUMBERS].hovertext
    assert hovers[0] == "vector of Zuko: not reached"
    assert hovers[2] == "vector of his: 0 operations"
    assert hovers[5:8] == (
        "state of Zuko in layer 1: 3 operations",
        "state of made in layer 1: 2 operations",
        "state of his in layer 1: 1 operation",
    )
    assert hovers[14] == "state of tea in layer 2: 4 operations"


@BOTH_THEMES
def test_recurrence_and_attention_wear_their_own_colours(theme: Theme) -> None:
    for draw, colour in ((recurrent_network, theme.recurrence), (attention_network, theme.attention)):
        figure = draw(TEA, ONE_LAYER, ends=(1, 4), path=TO_TEA, theme=theme).figure
        assert figure.data[LIT_ARROWS].line.color == figure.data[LIT_ARROWS].marker.color == colour
        assert figure.data[LIT_BOXES].line.color == colour
        assert figure.data[GREY_ARROWS].line.color == figure.data[GREY_BOXES].line.color == theme.muted
        inks = [figure.data[NUMBERS].textfont.color[at] for at in (0, 1, 8, 9)]
        assert inks == [theme.muted, colour, theme.muted, colour]
        assert colour in figure.layout.xaxis.ticktext[4]
        assert colour not in figure.layout.xaxis.ticktext[2]
        assert figure.layout.paper_bgcolor == theme.paper


def test_crowded_boxes_are_strips_of_the_colour_of_their_role() -> None:
    figure = chain(64)
    lit, grey = figure.data[LIT_BOXES], figure.data[GREY_BOXES]
    assert (lit.fill, lit.fillcolor, lit.opacity) == ("toself", LIGHT.recurrence, 1)
    assert (grey.fill, grey.fillcolor) == ("toself", LIGHT.muted)
    assert grey.opacity < 1
    assert chain(13).data[LIT_BOXES].fill is None


@pytest.mark.parametrize(
    ("n", "n_layers"), [(1, 6), (2, 1), (5, 6), (13, 1), (20, 6), (64, 1), (64, 6), (256, 1)]
)
def test_both_networks_have_the_same_geometry(n: int, n_layers: int) -> None:
    words = (["antidisestablishmentarianism", "so", "tea"] * n)[:n]
    rows = np.arange(n_layers + 1)[:, None]
    path = [(0, 0), *((row, n - 1) for row in range(1, n_layers + 1))]
    look = {"ends": (0, n - 1), "path": path, "theme": LIGHT}
    one = recurrent_network(words, rows + np.arange(n), **look).figure
    other = attention_network(words, rows + np.zeros(n, int), **look).figure
    for part in ("height", "margin", "yaxis.range", "xaxis.range", "xaxis.tickfont", "xaxis.tickangle"):
        assert one.layout[part] == other.layout[part], part
    np.testing.assert_array_equal(one.layout.xaxis.tickvals, other.layout.xaxis.tickvals)
    assert one.data[NUMBERS].textfont.size == other.data[NUMBERS].textfont.size
    for at in (GREY_BOXES, LIT_BOXES, NUMBERS):
        np.testing.assert_array_equal(one.data[at].x, other.data[at].x)
        np.testing.assert_array_equal(one.data[at].y, other.data[at].y)


def test_a_sentence_of_any_length_is_five_traces_of_light_numbers() -> None:
    for figure in (straight(256, 6), chain(256)):
        assert len(figure.data) == 5
    assert len(straight(64, 6).to_json()) < 100_000
    assert len(straight(256, 6).to_json()) < 400_000


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
    look = {"ends": ends, "path": path, "theme": LIGHT}
    assert recurrent_network(words, counts, **look).alt == f"Recurrent network {said}"
    assert attention_network(words, counts, **look).alt == f"Self-attention {said}"


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (ONWARDS, "A state of layer 1 takes 1 to 5 operations one after the other."),
        (FROM_HIS.clip(min=1), "A state of layer 2 takes 2 to 4 operations one after the other."),
        (np.ones((2, 5), dtype=int), "A state of layer 1 takes 1 operation one after the other."),
    ],
)
def test_without_ends_a_description_says_how_long_states_take(counts: Counts, said: str) -> None:
    assert recurrent_network(TEA, counts, ends=None, path=[], theme=LIGHT).alt.endswith(said)


def test_the_table_has_a_row_for_each_layer_and_blanks_where_nothing_is_reached() -> None:
    make = attention_network(TEA, CAUSAL, ends=(2, 4), path=[], theme=LIGHT).table
    assert make is not None
    table = make()
    assert (list(table.index), list(table.columns)) == (["word vector", "layer 1"], TEA)
    np.testing.assert_array_equal(table, np.where(CAUSAL < 0, np.nan, CAUSAL))
