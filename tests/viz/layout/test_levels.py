"""Lines across a plot are named where no curve runs."""

import numpy as np
import pytest

from tests.covering import each
from viz.layout.canvas import Rect, canvas
from viz.layout.levels import crossed, draw_mark, place_of_name
from viz.layout.plot import Course, Plot
from viz.layout.ruler import across, upright
from viz.theme import LIGHT
from words import magnitude


def plot() -> Plot:
    paper = canvas(600, 300, LIGHT)
    return Plot(
        paper=paper, left=50, top=30, across=across([0, 100], 500), up=upright([0, 2], magnitude, 220)
    )


def curve(*heights: float) -> Course:
    """Return a curve through points evenly along the plot."""
    return plot().course(np.linspace(0, 100, len(heights)), heights)


def test_a_line_crosses_a_box_between_its_points_too() -> None:
    box = Rect(40, 90, 20, 20)
    assert crossed(box, (np.array([0.0, 200]), np.array([100.0, 100]))) == pytest.approx(20)
    assert crossed(box, (np.array([49.0, 51]), np.array([0.0, 200]))) > 0
    assert crossed(box, (np.array([0.0, 39, 41, 60, 61, 100]), np.array([100.0, 100, 10, 10, 100, 100]))) < 2
    assert crossed(box, (np.array([0.0, 200]), np.array([10.0, 10]))) == 0
    assert crossed(box, (np.array([]), np.array([]))) == 0


@each("level", [0.0, 1.0, 2.0])
@each(
    "course",
    [curve(), curve(1.05, 1.05), curve(2, 1.05, 1.02, 1), curve(0, 0.95, 0.95), curve(0, 2), curve(2, 0)],
)
def test_the_name_of_a_line_makes_way_for_a_curve_and_stays_in_the_plot(level: float, course: Course) -> None:
    here = plot()
    box, is_free = place_of_name(here, level, "chance", [course])
    assert is_free
    assert crossed(box, course) == 0
    assert here.left <= box.left
    assert box.right <= here.right
    assert here.top <= box.top
    assert box.bottom <= here.bottom
    line = here.y(level)
    assert min(abs(line - box.top), abs(line - box.bottom)) <= 4, "it stands at its line"
    assert not box.top < line < box.bottom


def test_two_names_have_two_places_and_there_may_be_none() -> None:
    here = plot()
    one, _ = place_of_name(here, 1.0, "one", [])
    for level in (1.0, 1.02, 0.9):
        other, is_free = place_of_name(here, level, "other", [], [one])
        assert is_free
        assert one.right <= other.left or one.bottom <= other.top or other.bottom <= one.top
    close = [curve(1.1, 1.1), curve(0.9, 0.9)]
    assert not place_of_name(here, 1.0, "chance", close)[1]


@each("at", [0, 50, 97])
def test_the_name_of_a_mark_stands_in_the_figure_and_above_the_axes(at: float) -> None:
    here = plot()
    draw_mark(here, at, "the longest sentence of training", LIGHT.selection)
    (note,) = here.paper.layout["annotations"]
    (line,) = here.paper.layout["shapes"]
    assert (line["x0"], line["x1"], line["y0"], line["y1"]) == (at, at, 0, 1)
    wide, left = 0.5 * len(note["text"]) * note["font"]["size"], note["x"] * 600
    left -= wide if note["xanchor"] == "right" else 0
    assert left >= 0
    assert left + wide <= 600
    assert 1 - note["y"] <= 30 / 300
