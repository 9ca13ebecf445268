"""A mask to paint on: its cells, the weights under it, the rows that may attend to nothing, exact zeros."""

import numpy as np
import plotly.graph_objects as go
import pytest

from viz.masking import painted, reached
from viz.theme import DARK, LIGHT, Theme

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
    return painted(
        allowed, pattern, words, kept=kept, title="weights", theme=theme, flipped=flipped, size=size
    ).figure


def notes(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


def test_the_weights_stay_beside_the_mask_in_half_a_window() -> None:
    figure = drawn(size=540)
    assert figure.layout.width <= 540
    assert figure.layout.xaxis2.domain[0] > figure.layout.xaxis.domain[1]


@pytest.mark.parametrize(("width", "stand"), [(980, "beside"), (540, "below")])
def test_the_weights_stand_below_the_mask_where_cells_would_be_too_small_to_hit(
    width: int, stand: str
) -> None:
    n, smallest = 17, 16
    allowed = np.tril(np.ones((n, n), dtype=bool))
    look = {"theme": LIGHT, "size": width, "smallest_cell": smallest}
    words = (WORDS * n)[:n]
    figure = painted(allowed, allowed / n, words, kept=np.ones(n), title="weights", **look)
    gradient = reached(allowed, allowed / n, allowed, words, title="gradient", **look)
    for one in (figure.figure, gradient.figure):
        mask, weights = one.layout.yaxis.domain, one.layout.yaxis2.domain
        assert (weights[1] < mask[0]) == (stand == "below")
        left, right = one.layout.xaxis.domain
        assert (right - left) * one.layout.width >= n * smallest
        assert one.layout.width <= width


def test_the_mask_has_a_gap_where_a_query_may_not_look() -> None:
    mask = drawn().data[0]
    np.testing.assert_array_equal(np.isnan(mask.z), ~ALLOWED)
    assert mask.hoverongaps, "a gap must be clicked too"


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
    assert (np.mean(x[:4]), np.mean(y[:4])) == pytest.approx((3, 1))
    assert frames.xaxis in (None, "x")
    assert frames.hoverinfo == "skip", "a frame must not take the click from its cell"
    assert len(drawn(flipped=[]).data) == 2
    assert not any("by hand" in text for text in notes(drawn(flipped=[])))


def test_what_a_row_sums_to_stands_beside_it() -> None:
    sums = [text for text in notes(drawn()) if "→ <b>" in text]
    assert sums == [f"{share:.2f} → <b>{int(at != 2)}</b>" for at, share in enumerate(KEPT)]


def test_sums_stand_right_of_the_weights_at_the_height_of_their_rows() -> None:
    figure = drawn()
    sums = [note for note in figure.layout.annotations if "→ <b>" in note.text]
    assert all(figure.layout.xaxis2.domain[1] < note.x < 1 for note in sums)
    heights = [note.y for note in sums]
    assert heights == sorted(heights, reverse=True)
    low, high = figure.layout.yaxis2.domain
    assert low < heights[-1] < heights[0] < high


def test_many_words_have_no_room_for_sums_and_stay_within_the_width() -> None:
    figure = drawn(n=97, flipped=[])
    assert not [text for text in notes(figure) if "→ <b>" in text]
    assert figure.layout.width <= 980


def test_sums_stand_in_the_room_that_the_title_of_the_keys_leaves() -> None:
    """Five words on a telephone: no room is kept free beside what is free already."""
    figure = drawn(n=5, flipped=[], size=320)
    across = figure.layout.xaxis2.domain
    cells = figure.layout.width * (across[1] - across[0]) / 5
    assert figure.layout.width <= 320
    assert cells >= 20


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_the_square_that_stands_for_may_attend_is_outlined(theme: Theme) -> None:
    """Its own colour is close to that of the paper."""
    (legend,) = [note for note in notes(drawn(theme=theme)) if "may attend" in note and "□" in note]
    assert f"color:{theme.muted}" in legend


def test_where_all_cells_are_gaps_they_can_still_be_clicked_and_say_so() -> None:
    nothing = np.zeros((3, 3), dtype=bool)
    figure = painted(nothing, nothing, ["a", "b", "c"], kept=np.zeros(3), title="weights", theme=LIGHT)
    mask = figure.figure.data[0]
    np.testing.assert_array_equal(mask.z, np.zeros((3, 3)))
    assert {colour for _, colour in mask.colorscale} == {"rgba(0, 0, 0, 0)"}
    assert all("−∞" in text for row in mask.text for text in row)


def test_a_painted_mask_is_told_with_its_blind_rows_and_flipped_cells() -> None:
    look = {"title": "weights", "theme": LIGHT}
    picture = painted(ALLOWED, PATTERN, WORDS, kept=KEPT, flipped=FLIPPED, **look)
    assert picture.alt == (
        "Mask over 5 words, 3 cells flipped by hand. 13 of 25 cells masked. 1 query may attend to nothing. "
        "weights. Largest weight: one → one 1.00."
    )
    nothing = painted(np.zeros((2, 2), bool), np.zeros((2, 2)), ["a", "b"], kept=np.zeros(2), **look)
    assert "2 queries may attend to nothing" in nothing.alt


def test_the_table_has_the_weights_under_the_mask_and_both_sums() -> None:
    picture = painted(ALLOWED, PATTERN, WORDS, kept=KEPT, title="weights", theme=LIGHT)
    assert picture.table is not None
    table = picture.table()
    np.testing.assert_allclose(table.iloc[:, -2], KEPT)
    np.testing.assert_allclose(table.iloc[:, -1], [1, 1, 0, 1, 1])
    weights = table.iloc[:, -7:-2].to_numpy(float)
    np.testing.assert_allclose(weights, np.where(ALLOWED, PATTERN, np.nan))


def test_a_dependence_of_exactly_zero_is_marked_and_a_small_one_is_not() -> None:
    shares = np.array([[1, 0], [1e-9, 1 - 1e-9]])
    norms = np.array([[2, 0], [0.25, 1]])
    picture = reached(np.ones((2, 2), bool), shares, norms, ["a", "b"], title="gradient", theme=LIGHT)
    figure = picture.figure
    np.testing.assert_array_equal(np.isnan(figure.data[1].z), [[False, True], [False, False]])
    assert figure.data[1].text[0][1] != figure.data[1].text[1][0]
    assert any("exactly 0" in text for text in notes(figure))
    assert picture.alt == "Gradient over 2 words: 1 of 4 exactly 0. Largest share: a → a 1.00."
    assert picture.table is not None
    np.testing.assert_array_equal(picture.table().iloc[:, -2:], norms)
