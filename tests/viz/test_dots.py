"""Dots over an axis: their places, the band of the middle half, and the marked number."""

import numpy as np

from viz.dots import Dots, stacked
from viz.room import PAGE

NUMBERS = [0.51, 0.49, 0.9, -0.2, 0.5]


def dots(marked: float | None = 0.7) -> Dots:
    names = [f"<i>{at}</i>" for at in range(5)]
    return Dots(
        title="D", numbers=NUMBERS, names=names, quantity="rho", unit="text", marked=marked, mark="this"
    )


def test_near_numbers_are_stacked_in_their_order() -> None:
    assert stacked(NUMBERS).tolist() == [1, 2, 1, 1, 3]


def test_a_band_spans_the_middle_half_and_lines_stand_at_the_median_and_the_mark() -> None:
    figure = dots().figure(PAGE)
    places = sorted((shape.x0, shape.x1) for shape in figure.layout.shapes)
    np.testing.assert_allclose(places, [(0.49, 0.51), (0.5, 0.5), (0.7, 0.7)])
    np.testing.assert_allclose(figure.data[0].x, [0.5, 0.5, 0.9, -0.2, 0.5])
    assert figure.data[0].hovertext[3] == "&lt;i&gt;3&lt;/i&gt;: −0.20"


def test_without_a_mark_there_is_no_line_and_no_word_of_it() -> None:
    figure = dots(None).figure(PAGE)
    assert len(figure.layout.shapes) == 2
    assert "this" not in dots(None).alt()
    assert dots().alt().endswith("Median 0.50, quartiles 0.49 and 0.51. this: 0.70.")
