"""An alignment shows weights of a translation to its source, and outlines what the rules link."""

import re
from html import unescape

import numpy as np
import plotly.graph_objects as go
import pytest

from viz.alignment import alignment
from viz.alignments import BY_PLACE, LINE, OWN_SCALE, Aligned, alignments
from viz.theme import DARK, LIGHT, Theme

TARGETS = ["este", "lo", "klavo"]
SOURCES = ["the", "key", "is", "the", "<b>"]
WEIGHTS = np.random.default_rng(3).dirichlet(np.ones(5), size=3).astype(np.float32)
SIGNED = np.array([[0.1, -0.7, 0.2, 0, 0], [0.3, 0.1, 0, 0, 0], [0, 0, 0, -0.1, 0.05]], dtype=np.float32)
LINKS = frozenset({(0, 2), (1, 0), (2, 1)})
BOTH = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


def characters(markup: str) -> str:
    """What a reader sees of a label."""
    return unescape(re.sub("<[^<>]*>", "", markup))


def notes(figure: go.Figure) -> list[str]:
    return [characters(note.text) for note in figure.layout.annotations]


def rectangles(trace: go.Scatter) -> set[tuple[float, float]]:
    """The middles, (target, source), of the rectangles that a line with gaps draws."""
    corners = np.stack([trace.y, trace.x]).reshape(2, -1, 6)
    assert np.isnan(corners[..., 5]).all()
    middles = (corners[..., :5].min(axis=2) + corners[..., :5].max(axis=2)) / 2
    return {(float(y), float(x)) for y, x in middles.T.round(4)}


def test_rows_are_words_of_the_translation_and_columns_those_of_the_source() -> None:
    figure = alignment(WEIGHTS, TARGETS, SOURCES, title="dot", theme=LIGHT).figure
    (cells,) = figure.data
    np.testing.assert_array_equal(cells.z, WEIGHTS)
    assert (cells.zmin, cells.zmax) == (0, 1)
    assert list(map(characters, figure.layout.yaxis.ticktext)) == TARGETS
    assert list(map(characters, figure.layout.xaxis.ticktext)) == SOURCES
    assert "dot" in figure.layout.title.text


@BOTH
def test_exact_links_are_outlined_each_around_its_own_cell(theme: Theme) -> None:
    figure = alignment(WEIGHTS, TARGETS, SOURCES, title="dot", theme=theme, exact=LINKS).figure
    _, around, outlines = figure.data
    assert rectangles(around) == rectangles(outlines) == LINKS
    assert (around.line.color, outlines.line.color) == (theme.paper, theme.output)
    assert around.line.width > outlines.line.width
    widest = np.nanmax(outlines.x) - np.floor(np.nanmax(outlines.x))
    assert widest < 0.5
    assert any("linked by the rules" in note for note in notes(figure))


def test_without_links_nothing_is_outlined_and_the_legend_says_nothing_of_them() -> None:
    figure = alignment(WEIGHTS, TARGETS, SOURCES, title="dot", theme=LIGHT).figure
    assert len(figure.data) == 1
    assert not any("linked" in note for note in notes(figure))


def test_signed_weights_have_colours_symmetric_about_zero() -> None:
    (cells,) = alignment(SIGNED, TARGETS, SOURCES, title="linear", theme=LIGHT, signed=True).figure.data
    assert (cells.zmin, cells.zmax) == pytest.approx((-0.7, 0.7))
    assert cells.colorscale[2] == (0.5, LIGHT.paper)


def test_the_text_says_what_each_word_attends_to_most_by_size_and_how_many_are_right() -> None:
    told = alignment(SIGNED, TARGETS, SOURCES, title="linear", theme=LIGHT, exact=LINKS).alt
    assert "este to key, lo to the, klavo to the" in told
    assert "1 of 3 linked words as in the rules" in told
    assert "of 3 words to 5 words" in told
    assert "rules" not in alignment(SIGNED, TARGETS, SOURCES, title="linear", theme=LIGHT).alt


def test_the_table_has_the_weights_by_the_words_of_both() -> None:
    table = alignment(WEIGHTS, TARGETS, SOURCES, title="dot", theme=LIGHT).table
    assert table is not None
    np.testing.assert_array_equal(table().to_numpy(), WEIGHTS)
    assert (table().index[1], table().columns[1]) == ("lo", "key")


PANELS = (
    Aligned("dot", "dot product", WEIGHTS),
    Aligned("linear", "linear", SIGNED, signed=True),
    Aligned("x", "x", WEIGHTS**2),
)


@BOTH
def test_alignments_share_colours_and_what_is_signed_has_its_own_and_says_so(theme: Theme) -> None:
    figure = alignments(PANELS, TARGETS, SOURCES, theme=theme).figure
    for cells, panel in zip(figure.data, PANELS, strict=True):
        np.testing.assert_array_equal(cells.z, np.asarray(panel.weights))
    assert [(cells.zmin, cells.zmax) for cells in figure.data] == [
        (0, 1),
        pytest.approx((-0.7, 0.7)),
        (0, 1),
    ]
    assert notes(figure).count(OWN_SCALE) == 1
    assert [name for name in ("dot product", "linear", "x") if name in notes(figure)] == [
        "dot product",
        "linear",
        "x",
    ]


def test_every_panel_has_the_links_on_its_own_axes() -> None:
    figure = alignments(PANELS, TARGETS, SOURCES, theme=LIGHT, exact=LINKS).figure
    assert [trace.xaxis for trace in figure.data[::3]] == ["x", "x2", "x3"]
    for lines in (figure.data[1::3], figure.data[2::3]):
        assert [(trace.xaxis, trace.yaxis) for trace in lines] == [("x", "y"), ("x2", "y2"), ("x3", "y3")]
        assert all(rectangles(trace) == LINKS for trace in lines)


def test_a_line_leads_through_the_words_at_the_same_relative_place_of_every_panel() -> None:
    figure = alignments(PANELS, TARGETS, SOURCES, theme=LIGHT).figure
    ends = (0, 0, len(SOURCES) - 1, len(TARGETS) - 1)
    assert [(one.xref, one.yref) for one in figure.layout.shapes] == [("x", "y"), ("x2", "y2"), ("x3", "y3")]
    assert [(one.x0, one.y0, one.x1, one.y1) for one in figure.layout.shapes] == [ends] * 3
    assert sum(BY_PLACE in note for note in notes(figure)) == 3
    assert alignments(PANELS, TARGETS, SOURCES, theme=LIGHT).alt.endswith(LINE)


def test_rows_of_panels_are_steps_that_write_and_a_hover_still_names_query_and_key() -> None:
    figure = alignments(PANELS, TARGETS, SOURCES, theme=LIGHT).figure
    assert "query: writes ↓" in notes(figure)
    assert "query: attends ↓" not in notes(figure)
    assert figure.data[0].hovertemplate.startswith("query <b>%{y}</b> → key <b>%{x}</b>")


def test_panels_stand_in_one_row_while_there_is_room_and_below_each_other_else() -> None:
    tops = {
        size: {
            axis.domain[1]
            for axis in _axes(alignments(PANELS, TARGETS, SOURCES, theme=LIGHT, size=size).figure)
        }
        for size in (980, 320)
    }
    assert (len(tops[980]), len(tops[320])) == (1, 3)
    assert alignments(PANELS, TARGETS, SOURCES, theme=LIGHT, size=320).figure.layout.width <= 320


def _axes(figure: go.Figure) -> list[go.layout.YAxis]:
    return [figure.layout[f"yaxis{number}"] for number in ("", 2, 3)]


def test_the_text_of_several_is_that_of_each() -> None:
    told = alignments(PANELS, TARGETS, SOURCES, theme=LIGHT, exact=LINKS).alt
    assert told.count("Most weight") == 3
    assert alignment(SIGNED, TARGETS, SOURCES, title="linear", theme=LIGHT, exact=LINKS).alt in told
