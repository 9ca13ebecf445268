"""Lines across a panel are named where their names hide least of the curves."""

import numpy as np
import pytest

from viz.parts.levels import CLEAR, LINE, Box, clearest, write_levels
from viz.parts.sketch import Sketch, blank
from viz.theme import LIGHT

TOTAL, TOP, PIXELS = 100.0, 2.0, 200.0
AXES = {"xaxis": "x", "yaxis": "y"}


def curve(*heights: float) -> tuple[np.ndarray, np.ndarray]:
    """A curve through points evenly along the panel."""
    return np.linspace(0, TOTAL, len(heights)), np.array(heights)


def written(levels: dict[str, float], *courses: tuple[np.ndarray, np.ndarray]) -> Sketch:
    figure = blank(LIGHT, height=300)
    figure.layout["yaxis"] |= {"range": (0, TOP)}
    write_levels(figure, levels, courses, total=TOTAL, pixels=PIXELS, theme=LIGHT, axes=AXES)
    return figure


def test_a_box_is_crossed_by_what_runs_through_it_between_its_points_too() -> None:
    box, free = Box(40, 60, 0.9, 1.1), Box(70, 90, 0.4, 0.6)
    steep = (np.array([0.0, 49.0, 51.0, 100.0]), np.array([0.0, 0.0, 2.0, 2.0]))
    for course in (curve(1, 1), curve(0, 2), steep):
        assert clearest([box, free], [course]) == free
    beside = (np.array([0.0, 39.0, 40.0, 60.0, 61.0, 100.0]), np.array([1.0, 1.0, 0.1, 0.1, 1.0, 1.0]))
    assert clearest([box, free], [beside]) == box, "the first of those that nothing crosses"


def test_a_level_is_a_line_across_named_above_its_right_end_if_that_is_free() -> None:
    figure = written({"chance": 1.0})
    (line,) = figure.layout["shapes"]
    assert (line["x0"], line["x1"], line["y0"], line["y1"]) == (0, TOTAL, 1, 1)
    (name,) = figure.layout["annotations"]
    assert (name["x"], name["xanchor"], name["y"], name["yanchor"]) == (TOTAL, "right", 1, "bottom")
    assert name["yshift"] == CLEAR
    assert not name["showarrow"]


@pytest.mark.parametrize(
    ("course", "anchors"),
    [
        (curve(0, 0, 0, 1.05), ("left", "bottom")),
        (curve(1.1, 1.1, 1.1, 1.1), ("right", "top")),
        (curve(1.05, 1.05, 0.95, 0.95), ("right", "bottom")),
        (curve(0.95, 0.95, 1.05, 1.05), ("right", "top")),
    ],
)
def test_the_name_makes_way_for_a_curve(
    course: tuple[np.ndarray, np.ndarray], anchors: tuple[str, str]
) -> None:
    (name,) = written({"chance": 1.0}, course).layout["annotations"]
    assert (name["xanchor"], name["yanchor"]) == anchors
    assert name["x"] == (0 if anchors[0] == "left" else TOTAL)
    assert name["yshift"] == (CLEAR if anchors[1] == "bottom" else -CLEAR)


def test_a_name_stays_in_its_panel_and_off_the_next_one() -> None:
    high = TOP * (LINE + CLEAR) / PIXELS
    for level, anchor in ((0.0, "bottom"), (high / 2, "bottom"), (TOP, "top"), (TOP - high / 2, "top")):
        (name,) = written({"chance": level}).layout["annotations"]
        assert name["yanchor"] == anchor, level
    one, other = written({"one": 1.0, "other": 1.0 + high / 2}).layout["annotations"]
    assert (one["xanchor"], one["yanchor"]) != (other["xanchor"], other["yanchor"])
    one, other = written({"one": 1.0, "other": 1.0}).layout["annotations"]
    assert (one["yanchor"], other["yanchor"]) == ("bottom", "top"), "two names never lie on each other"
