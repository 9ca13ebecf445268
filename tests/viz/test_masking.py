"""A mask to paint on: its cells, the weights under it, the rows that may attend to nothing, exact zeros."""

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.covering import each
from viz.masking import MaskedDependence, MaskedWeights
from viz.room import Room
from viz.theme import LIGHT, Theme

WORDS = ["one", "two", "<b>", "two", "five"]
ALLOWED = np.tril(np.ones((5, 5), dtype=bool))
ALLOWED[2] = False
PATTERN = np.where(ALLOWED, 1.0, 0.0) / np.maximum(ALLOWED.sum(axis=1, keepdims=True), 1)
KEPT = np.array([0.125, 0.5, 0.0, 0.75, 1.0])
FLIPPED = [(2, 0), (2, 1), (2, 2)]


def drawn(
    *, theme: Theme = LIGHT, flipped: list[tuple[int, int]] = FLIPPED, n: int = 5, size: int = 980
) -> go.Figure:
    allowed = ALLOWED if n == 5 else np.tril(np.ones((n, n), dtype=bool))
    pattern = PATTERN if n == 5 else allowed / allowed.sum(axis=1, keepdims=True)
    words = (WORDS * n)[:n]
    kept = np.resize(KEPT, n)
    look = {"title": "P", "beside": "weights", "flipped": flipped}
    picture = MaskedWeights(allowed=allowed, pattern=pattern, words=words, kept=kept, **look)
    return picture.figure(Room(theme=theme, width=size))


def notes(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


@each(("width", "stand"), [(980, "beside"), (540, "below")])
def test_the_weights_stand_below_the_mask_where_cells_would_be_too_small_to_hit(
    width: int, stand: str
) -> None:
    n, smallest = 17, 16
    allowed = np.tril(np.ones((n, n), dtype=bool))
    shown = {"allowed": allowed, "words": (WORDS * n)[:n], "title": "P", "beside": "b"}
    weights = MaskedWeights(pattern=allowed / n, kept=np.ones(n), **shown)
    gradient = MaskedDependence(shares=allowed / n, norms=allowed, **shown)
    for one in (weights.figure(Room(width=width)), gradient.figure(Room(width=width))):
        mask, beside = one.layout.yaxis.domain, one.layout.yaxis2.domain
        assert (beside[1] < mask[0]) == (stand == "below")
        left, right = one.layout.xaxis.domain
        assert (right - left) * one.layout.width >= n * smallest
        assert one.layout.width <= width


def test_weights_are_gaps_where_masked_and_zeros_where_a_query_may_look_nowhere() -> None:
    weights = drawn().data[1].z
    expected = np.where(ALLOWED, PATTERN, np.nan)
    expected[2] = 0
    np.testing.assert_allclose(weights, expected)
    assert not drawn().data[1].showscale


def test_a_row_that_may_look_nowhere_is_framed_and_said() -> None:
    figure = drawn()
    (frame,) = figure.layout.shapes
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (-0.5, 4.5, 1.5, 2.5)
    assert (frame.xref, frame.yref) == ("x2", "y2")
    assert any("may attend to nothing" in text for text in notes(figure))
    assert not any("may attend to nothing" in text for text in notes(drawn(n=4, flipped=[])))


def test_flipped_cells_are_framed_in_the_mask() -> None:
    frames = drawn(flipped=[(1, 3)]).data[2]
    x, y = np.array(frames.x, float), np.array(frames.y, float)
    assert (np.mean(x[1:5]), np.mean(y[1:5])) == pytest.approx((3, 1))
    assert frames.xaxis in (None, "x")
    assert frames.hoverinfo == "skip", "a frame must not take the click from its cell"
    assert len(drawn(flipped=[]).data) == 2
    assert not any("by hand" in text for text in notes(drawn(flipped=[])))


def test_the_text_of_a_painted_mask_has_its_empty_rows_and_flipped_cells() -> None:
    look = {"title": "P", "beside": "weights"}
    picture = MaskedWeights(allowed=ALLOWED, pattern=PATTERN, words=WORDS, kept=KEPT, flipped=FLIPPED, **look)
    assert picture.alt() == (
        "Mask over 5 words, 3 cells flipped by hand. 13 of 25 cells masked. 1 query may attend to nothing. "
        "Weights. Largest weight: one → one 1.00."
    )
    none = np.zeros((2, 2), bool)
    nothing = MaskedWeights(
        allowed=none, pattern=np.zeros((2, 2)), words=["a", "b"], kept=np.zeros(2), **look
    )
    assert "2 queries may attend to nothing" in nothing.alt()


def test_a_dependence_of_exactly_zero_is_marked_and_a_small_one_is_not() -> None:
    shares = np.array([[1, 0], [1e-9, 1 - 1e-9]])
    norms = np.array([[2, 0], [0.25, 1]])
    picture = MaskedDependence(
        allowed=np.ones((2, 2), bool),
        shares=shares,
        norms=norms,
        words=["a", "b"],
        title="G",
        beside="gradient",
    )
    figure = picture.figure()
    np.testing.assert_array_equal(np.isnan(figure.data[1].z), [[False, True], [False, False]])
    assert figure.data[1].text[0][1] != figure.data[1].text[1][0]
    assert any("exactly 0" in text for text in notes(figure))
    assert picture.alt() == "Gradient over 2 words: 1 of 4 exactly 0. Largest share: a → a 1.00."
    assert picture.has_table
    np.testing.assert_array_equal(picture.table().iloc[:, -2:], norms)


@each(("chosen", "medium", "framed"), [(1, "screen", [0.5, 1.5]), (1, "print", []), (None, "screen", [])])
def test_the_row_of_the_chosen_query_is_framed_on_a_screen(
    chosen: int | None, medium: str, framed: list[float]
) -> None:
    allowed = np.tril(np.ones((5, 5), dtype=bool))
    look = {"title": "P", "beside": "weights", "kept": KEPT, "chosen": chosen}
    picture = MaskedWeights(allowed=allowed, pattern=allowed / 5, words=WORDS, **look)
    figure = picture.figure(Room(width=980, height=600, medium=medium))
    rows = [
        end
        for one in figure.layout.shapes
        if one.line.color == LIGHT.selection and one.yref == "y2"
        for end in (one.y0, one.y1)
    ]
    assert rows == framed
    assert (
        len([one for one in figure.layout.annotations if one.font.color == LIGHT.selection])
        == len(framed) / 2
    )
