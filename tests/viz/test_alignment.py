"""An alignment shows weights of a translation to its source, and outlines what the rules link."""

import re
from html import unescape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz.matrices import Alignment
from viz.room import Room
from viz.theme import LIGHT

TARGETS = ["este", "lo", "klavo"]
SOURCES = ["the", "key", "is", "the", "<b>"]
WEIGHTS = np.random.default_rng(3).dirichlet(np.ones(5), size=3).astype(np.float32)
SIGNED = np.array([[0.1, -0.7, 0.2, 0, 0], [0.3, 0.1, 0, 0, 0], [0, 0, 0, -0.1, 0.05]], dtype=np.float32)
LINKS = frozenset({(0, 2), (1, 0), (2, 1)})


def characters(markup: str) -> str:
    """Return a label as a reader sees it."""
    return unescape(re.sub("<[^<>]*>", "", markup))


def notes(figure: go.Figure) -> list[str]:
    return [characters(note.text) for note in figure.layout.annotations]


def rectangles(trace: go.Scatter) -> set[tuple[float, float]]:
    """Return the middles, (target, source), of the rectangles that a line with gaps draws."""
    corners = np.stack([trace.y, trace.x]).reshape(2, -1, 7)
    assert np.isnan(corners[..., 6]).all()
    middles = (corners[..., :6].min(axis=2) + corners[..., :6].max(axis=2)) / 2
    return {(float(y), float(x)) for y, x in middles.T.round(4)}


def aligned(values: np.ndarray, **shown: Any) -> Alignment:
    return Alignment(values=values, queries=TARGETS, keys=SOURCES, title="attention", **shown)


def test_exact_links_are_outlined_each_around_its_own_cell() -> None:
    figure = aligned(WEIGHTS, gold=LINKS).figure(Room())
    _, around, outlines = figure.data
    assert rectangles(around) == rectangles(outlines) == LINKS
    assert (around.line.color, outlines.line.color) == (LIGHT.paper, LIGHT.output)
    assert around.line.width > outlines.line.width
    widest = np.nanmax(outlines.x) - np.floor(np.nanmax(outlines.x))
    assert widest < 0.5
    assert any("right alignment" in note for note in notes(figure))


def test_the_text_has_the_largest_weight_of_each_word_and_the_number_of_right_ones() -> None:
    told = aligned(SIGNED, signed=True, gold=LINKS).alt()
    assert "este to is, lo to the (1), klavo to <b>." in told
    assert "2 of 3 linked words as in the right alignment" in told
    assert "of 3 words to 5 words" in told
    assert "right alignment" not in aligned(SIGNED, signed=True).alt()


def test_invalid_weights_and_scores_are_named() -> None:
    effects = np.tile(SIGNED, (5, 1))
    look = {"queries": TARGETS * 5, "keys": SOURCES, "title": "T", "signed": True}
    shown = Alignment(values=effects, measure="probability lost", **look)
    lines = notes(shown.figure(Room(width=300, height=300, medium="print")))
    assert "probability lost" in lines
    assert "score" not in lines
    assert "attention" not in shown.alt()
    assert "score" in notes(
        Alignment(values=effects, **look).figure(Room(width=300, height=300, medium="print"))
    )


def test_other_cells_are_outlined_in_place_of_the_links() -> None:
    picture = aligned(WEIGHTS, gold=LINKS, outlined=[(0, 1)], outlined_as="lost")
    figure = picture.figure(Room())
    assert rectangles(figure.data[-1]) == {(0, 1)}
    assert any("lost" in note for note in notes(figure))
    assert not any("right alignment" in note for note in notes(figure))
