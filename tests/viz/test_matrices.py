"""A matrix figure shows the numbers it was given, in their places, and says which place is whose."""

import re
from html import unescape
from typing import Any
from urllib.parse import unquote

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.typing import NDArray

from tests.covering import each
from viz.matrices import HeadMatrix, SentencePairMatrix
from viz.room import Room
from viz.theme import GREY, LIGHT, Theme

ORDER = ["the", "oven", "cooked", "the", "bread", "so"]
CAUSAL = np.tril(np.ones((6, 6), dtype=bool))


def weights(n_queries: int, n_keys: int, seed: int = 0) -> NDArray[np.float32]:
    return np.random.default_rng(seed).dirichlet(np.ones(n_keys), size=n_queries).astype(np.float32)


def shown(
    pattern: NDArray[np.floating],
    words: list[str] = ORDER,
    theme: Theme = LIGHT,
    width: float = 560,
    **look: Any,
) -> go.Figure:
    picture = HeadMatrix(pattern=pattern, words=words, **{"title": "a head", **look})
    return picture.figure(Room(theme=theme, width=width))


def characters(markup: str) -> str:
    """Return a label as a reader sees it."""
    return unescape(re.sub("<[^<>]*>", "", markup))


def notes(figure: go.Figure) -> list[str]:
    return [characters(note.text) for note in figure.layout.annotations]


def test_weights_with_digits_have_fixed_limits() -> None:
    figure = shown(weights(6, 6) / 100)
    assert (figure.data[0].zmin, figure.data[0].zmax) == (0, 1)
    assert not any("colours" in note for note in notes(figure))


@each(
    ("largest", "end"),
    [(0.51, 1), (0.5, 0.5), (0.02, 0.02), (0.0011, 0.002), (0, 1)],
)
def test_colours_without_digits_end_soon_after_the_largest_weight_and_the_legend_says_where(
    largest: float, end: float
) -> None:
    pattern = np.full((40, 40), largest / 3)
    pattern[3, 4], pattern[7, 9] = largest, np.nan
    figure = shown(pattern, [f"w{at}" for at in range(40)])
    (trace,) = figure.data
    assert (trace.zmin, trace.zmax) == (0, end)
    assert trace.hovertext[3][4] == f"{largest:.{4 if end == 0.002 else 3 if end == 0.02 else 2}f}"
    said = [note for note in notes(figure) if "colours" in note]
    assert said == ([] if end == 1 else [f"colours end at {end}"])


def test_masked_cells_are_gaps_and_zeros_are_not() -> None:
    pattern = np.where(CAUSAL, weights(6, 6), 0).astype(np.float32)
    pattern[5, 2] = 0
    figure = shown(pattern, allowed=CAUSAL)
    np.testing.assert_array_equal(np.isnan(figure.data[0].z), ~CAUSAL)
    assert figure.data[0].z[5, 2] == 0


def test_a_selected_cell_is_framed_and_its_words_wear_their_colours() -> None:
    figure = shown(weights(6, 6), selected=(4, 1))
    (frame,) = figure.layout.shapes
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (0.5, 1.5, 3.5, 4.5)
    assert (frame.line.color, frame.xref, frame.yref) == (LIGHT.selection, "x", "y")
    assert [at for at, word in enumerate(figure.layout.xaxis.ticktext) if LIGHT.key in word] == [1]
    assert [at for at, word in enumerate(figure.layout.yaxis.ticktext) if LIGHT.query in word] == [4]
    assert [characters(word) for word in figure.layout.yaxis.ticktext] == ORDER


@each("selected", [(6, 0), (0, 6), (-1, 2)])
def test_a_selection_outside_the_matrix_is_an_error(selected: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=re.escape("below (6, 6)")):
        shown(weights(6, 6), selected=selected)


def test_masked_scores_are_minus_infinity_and_do_not_move_the_limits() -> None:
    matrix = np.array([[1.5, -np.inf], [-3.25, 1e9]])
    allowed = np.array([[True, True], [True, False]])
    look: dict[str, Any] = {"queries": ["x", "y"], "keys": ["x", "y"], "title": "scores", "signed": True}
    figure = SentencePairMatrix(values=matrix, allowed=allowed, **look).figure(Room(width=560))
    (trace,) = figure.data
    assert (trace.zmin, trace.zmax) == (-3.25, 3.25)
    assert [[characters(cell) for cell in row] for row in trace.text] == [["1.5", "−∞"], ["−3.2", "−∞"]]
    assert "−∞ masked: not allowed" in notes(figure)
    assert not figure.layout.images


def test_cells_without_room_for_digits_get_a_colour_bar_with_named_ends() -> None:
    words = [f"w{at}" for at in range(40)]
    weight = shown(weights(40, 40), words).data[0]
    numbers = SentencePairMatrix(
        values=weights(40, 40) - 0.5, queries=words, keys=words, title="", signed=True
    )
    score = numbers.figure(Room(width=560)).data[0]
    assert weight.text is None
    assert weight.showscale
    assert not shown(weights(6, 6)).data[0].showscale
    assert list(weight.colorbar.tickvals) == [0, weight.zmax]
    assert list(weight.colorbar.ticktext) == ["0", f"{weight.zmax:g}"]
    assert list(score.colorbar.tickvals) == [score.zmin, 0, score.zmax]
    assert list(score.colorbar.ticktext) == [f"−{score.zmax:.2f}", "0", f"{score.zmax:.2f}"]


SIGNED = np.random.default_rng(5).normal(size=(20, 20))
NAMES = [f"w{at}" for at in range(20)]


def signed(room: Room, values: NDArray[np.floating] = SIGNED) -> go.Figure:
    n = len(values)
    return SentencePairMatrix(
        values=values, queries=NAMES[:n], keys=NAMES[:n], title="s", signed=True
    ).figure(room)


def test_in_grey_hatches_lie_on_the_cells_below_zero_and_on_no_others() -> None:
    figure = signed(Room(theme=GREY, width=560))
    _, hatches = figure.data
    drawn = ~np.isnan(np.asarray(hatches.x, dtype=float))
    cells = np.rint(np.stack([hatches.y, hatches.x])[:, drawn].reshape(2, -1, 2).mean(axis=2)).astype(int)
    found = np.zeros_like(SIGNED, dtype=bool)
    found[tuple(cells)] = True
    np.testing.assert_array_equal(found, SIGNED < 0)
    assert "▨ below zero" in notes(figure)


def test_digits_and_hues_tell_the_signs_without_hatches() -> None:
    assert len(signed(Room(theme=LIGHT, width=560)).data) == 1
    assert len(signed(Room(theme=GREY), SIGNED[:4, :4]).data) == 1


@each("n", [9, 120])
def test_every_masked_cell_has_a_dot(n: int) -> None:
    """A cell of the pattern is a cell of the matrix."""
    words = [f"w{at}" for at in range(n)]
    figure = shown(weights(n, n), words, allowed=np.tri(n, dtype=bool))
    (image,) = figure.layout.images
    drawing = unquote(image.source)
    pattern = re.search(r"pattern id='dots' width='([\d.]+)' height='([\d.]+)'", drawing)
    whole = re.search(r"svg xmlns='[^']*' width='([\d.]+)' height='([\d.]+)'", drawing)
    assert pattern is not None
    assert whole is not None
    cells = len(figure.data[0].z)
    assert [float(side) * cells for side in pattern.groups()] == pytest.approx([*map(float, whole.groups())])
    middle = re.search(r"<circle cx='([\d.]+)' cy='([\d.]+)'", drawing)
    assert middle is not None
    sides = [float(side) for side in pattern.groups()]
    assert [2 * float(at) for at in middle.groups()] == pytest.approx(sides, rel=1e-3), "in its middle"


@each("width", [560, 300])
def test_both_axes_name_the_same_words_and_a_line_says_which(width: int) -> None:
    figure = shown(weights(40, 40), [f"w{at}" for at in range(40)], width=width)
    rows, columns = figure.layout.yaxis.tickvals, figure.layout.xaxis.tickvals
    assert rows == columns
    assert rows[0] == 0
    step = rows[1] - rows[0]
    assert (step == 1) == (f"1 name in {step} is written" not in notes(figure))


def test_a_printed_matrix_has_neither_a_title_nor_a_selection_and_all_of_27_names() -> None:
    """77 millimetres at 7 points, whose names may have 5: 364 pixels of a room."""
    words = [f"word{at}" for at in range(27)]
    look = {"pattern": weights(27, 27), "words": words, "title": "a head", "selected": (3, 4)}
    figure = HeadMatrix(**look).figure(Room(width=364, medium="print"))
    assert figure.layout.title.text is None
    assert not figure.layout.shapes
    assert len(figure.layout.xaxis.tickvals) == len(figure.layout.yaxis.tickvals) == 27
    assert figure.layout.yaxis.tickfont.size >= 12 * 5 / 7
