"""An alignment shows weights of a translation to its source, and outlines what the rules link."""

import re
from html import unescape

import numpy as np
import plotly.graph_objects as go
import pytest

from viz.alignment import alignment
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
    assert any("gold alignment" in note for note in notes(figure))


def test_without_links_nothing_is_outlined_and_the_legend_says_nothing_of_them() -> None:
    figure = alignment(WEIGHTS, TARGETS, SOURCES, title="dot", theme=LIGHT).figure
    assert len(figure.data) == 1
    assert not any("gold" in note for note in notes(figure))


def test_signed_weights_have_colours_symmetric_about_zero() -> None:
    (cells,) = alignment(SIGNED, TARGETS, SOURCES, title="linear", theme=LIGHT, signed=True).figure.data
    assert (cells.zmin, cells.zmax) == pytest.approx((-0.7, 0.7))
    assert cells.colorscale[2] == (0.5, LIGHT.paper)


def test_the_text_says_what_each_word_attends_to_most_by_size_and_how_many_are_right() -> None:
    told = alignment(SIGNED, TARGETS, SOURCES, title="linear", theme=LIGHT, exact=LINKS).alt
    assert "este to key, lo to the, klavo to the" in told
    assert "1 of 3 linked words as in the gold alignment" in told
    assert "of 3 words to 5 words" in told
    assert "gold" not in alignment(SIGNED, TARGETS, SOURCES, title="linear", theme=LIGHT).alt


def test_the_table_has_the_weights_by_the_words_of_both() -> None:
    table = alignment(WEIGHTS, TARGETS, SOURCES, title="dot", theme=LIGHT).table
    assert table is not None
    np.testing.assert_array_equal(table().to_numpy(), WEIGHTS)
    assert (table().index[1], table().columns[1]) == ("lo", "key")
