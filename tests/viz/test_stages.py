"""From scores to weights: each stage is a matrix of its own that can be told apart and clicked."""

import numpy as np
import plotly.graph_objects as go
import pytest

from viz.stages import Panel, staged, stages
from viz.text import em_width
from viz.theme import LIGHT

WORDS = ["The", "chef", "who", "ran", "out"]
RNG = np.random.default_rng(3)
SCORES = RNG.normal(scale=2, size=(5, 5))
BIAS = -np.abs(np.subtract.outer(np.arange(5), np.arange(5))) / 2
ALLOWED = np.tril(np.ones((5, 5), dtype=bool))
MASKED = np.where(ALLOWED, SCORES + BIAS, -np.inf)
WEIGHTS = np.exp(MASKED) / np.exp(MASKED).sum(axis=1, keepdims=True)
PANELS = [
    Panel("scores", SCORES, "scores"),
    Panel("bias", BIAS, "scores", sign="+"),
    Panel("mask", ALLOWED, "mask", sign="then"),
    Panel("softmax", WEIGHTS, "weights", sign="="),
]


def drawn(size: int = 1080, n: int = 5, selected: tuple[int, int] | None = None) -> go.Figure:
    panels = [Panel(panel.title, np.resize(panel.matrix, (n, n)), panel.kind, panel.sign) for panel in PANELS]
    return stages(panels, (WORDS * n)[:n], theme=LIGHT, size=size, selected=selected)


def note_at(figure: go.Figure, text: str) -> tuple[float, float]:
    (note,) = [
        note
        for note in figure.layout.annotations
        if text in (note.text, note.text.removeprefix("<b>").removesuffix("</b>"))
    ]
    return note.x * figure.layout.width, note.y * figure.layout.height


def left_edges(figure: go.Figure) -> list[float]:
    return [axis.domain[0] * figure.layout.width for axis in figure.select_xaxes()]


def test_every_panel_is_one_trace_on_axes_of_its_own() -> None:
    figure = drawn()
    assert [(trace.xaxis, trace.yaxis) for trace in figure.data] == [
        ("x", "y"),
        ("x2", "y2"),
        ("x3", "y3"),
        ("x4", "y4"),
    ]
    for trace, expected in zip(figure.data, [SCORES, BIAS], strict=False):
        np.testing.assert_allclose(trace.z, expected, rtol=1e-6)


def test_a_click_tells_which_panel_it_hit() -> None:
    for at, trace in enumerate(drawn().data):
        assert trace.customdata.dtype == np.uint8
        np.testing.assert_array_equal(trace.customdata, np.full((5, 5), at))


def test_every_panel_has_a_scale_of_its_own_and_weights_theirs() -> None:
    limits = [(trace.zmin, trace.zmax) for trace in drawn().data]
    largest = np.abs(SCORES).max()
    assert limits[0] == pytest.approx((-largest, largest))
    assert limits[1] == pytest.approx((-2, 2))
    assert limits[3] == (0, 1)


def test_what_the_mask_forbids_is_a_gap_in_the_mask_and_in_the_weights_only() -> None:
    masked = [np.isnan(trace.z) for trace in drawn().data]
    assert not masked[0].any()
    assert not masked[1].any()
    np.testing.assert_array_equal(masked[2], ~ALLOWED)
    np.testing.assert_array_equal(masked[3], ~ALLOWED)


def test_scores_that_are_masked_already_are_gaps() -> None:
    figure = stages([Panel("masked scores", MASKED, "scores")], WORDS, theme=LIGHT)
    np.testing.assert_array_equal(np.isnan(figure.data[0].z), ~ALLOWED)
    assert figure.data[0].zmax == pytest.approx(np.abs(MASKED[ALLOWED]).max())


def test_a_mask_says_what_it_adds() -> None:
    figure = stages([Panel("mask", np.array([[True, False]] * 2), "mask")], ["a", "b"], theme=LIGHT)
    assert [[">0<" in cell, ">−∞<" in cell] for cell in figure.data[0].text[0]] == [
        [True, False],
        [False, True],
    ]


def test_titles_stand_over_their_panels_and_signs_before_them() -> None:
    figure = drawn()
    edges = left_edges(figure)
    assert edges == sorted(edges)
    for edge, panel in zip(edges, PANELS, strict=True):
        assert note_at(figure, panel.title)[0] == pytest.approx(edge, abs=6)
    for before, edge, panel in zip(edges, edges[1:], PANELS[1:], strict=False):
        assert before < note_at(figure, panel.sign)[0] < edge
    assert not any(note.text == "→" for note in figure.layout.annotations)


def test_queries_stand_beside_the_first_panel_only_and_keys_above_each() -> None:
    figure = drawn()
    assert [axis.showticklabels for axis in figure.select_yaxes()] == [True, False, False, False]
    for axis in figure.select_xaxes():
        assert list(axis.ticktext) == WORDS
        assert axis.side == "top"


@pytest.mark.parametrize(("n", "size", "n_rows"), [(13, 1080, 1), (13, 640, 2), (2, 640, 1), (5, 1080, 1)])
def test_panels_take_a_second_row_only_where_one_would_make_them_too_small(
    n: int, size: int, n_rows: int
) -> None:
    figure = drawn(size, n)
    assert figure.layout.width <= size
    assert len({round(axis.domain[1], 6) for axis in figure.select_yaxes()}) == n_rows
    assert len(set(left_edges(figure))) == 4 // n_rows


def test_panels_do_not_overlap_and_lie_in_the_figure() -> None:
    for n, size in [(2, 640), (13, 640), (13, 1080), (64, 1080)]:
        boxes = [
            (*x.domain, *y.domain)
            for x, y in zip(drawn(size, n).select_xaxes(), drawn(size, n).select_yaxes(), strict=True)
        ]
        assert all(0 <= edge <= 1 for box in boxes for edge in box)
        for at, (left, right, bottom, top) in enumerate(boxes):
            for x0, x1, y0, y1 in boxes[at + 1 :]:
                assert right <= x0 or x1 <= left or top <= y0 or y1 <= bottom


def test_the_same_cell_is_framed_in_every_panel() -> None:
    frames = drawn(selected=(3, 1)).layout.shapes
    assert [(frame.xref, frame.yref) for frame in frames] == [
        ("x", "y"),
        ("x2", "y2"),
        ("x3", "y3"),
        ("x4", "y4"),
    ]
    assert {(frame.x0, frame.x1, frame.y0, frame.y1) for frame in frames} == {(0.5, 1.5, 2.5, 3.5)}


def test_a_long_title_is_cut_before_it_reaches_the_next_panel() -> None:
    panels = [Panel("a title that goes on and on and on and on and on", SCORES, "scores"), PANELS[1]]
    figure = stages(panels, WORDS, theme=LIGHT, size=640)
    here, there = left_edges(figure)
    (note,) = [note for note in figure.layout.annotations if "a title" in note.text]
    shown = note.text.removeprefix("<b>").removesuffix("</b>")
    assert shown.endswith("…")
    assert here + em_width(shown) * note.font.size <= there + 8


def test_stages_are_told_in_their_order_and_the_last_of_them_is_listed() -> None:
    picture = staged(PANELS, WORDS, title="Layer 1", theme=LIGHT)
    assert picture.alt.startswith("Layer 1: stages over 5 words: scores + bias then mask = softmax.")
    assert picture.alt.endswith("Largest number at the end: The → The 1.00.")
    assert picture.table is not None
    np.testing.assert_allclose(picture.table(), WEIGHTS)
    assert picture.data is not None
    assert list(picture.data().columns) == ["query", "key", *(panel.title for panel in PANELS)]
    np.testing.assert_allclose(picture.data()[PANELS[-1].title], np.ravel(WEIGHTS))
