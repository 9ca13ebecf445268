"""The legend of a colour bar stands beside it where it fits, and below it else."""

import pytest

from viz.parts.canvas import BAR_LINE, BESIDE_BAR, bar_room, canvas, legend_width
from viz.theme import LIGHT

LINE, OTHER = "· masked: not allowed", "colours end at 0.5"
ENOUGH = BESIDE_BAR + legend_width([LINE])


@pytest.mark.parametrize(
    ("lines", "room", "right", "down"),
    [
        ([LINE], ENOUGH, BESIDE_BAR, 0),
        ([LINE], ENOUGH - 1, 0, BAR_LINE),
        ([LINE, OTHER], 2 * ENOUGH, 0, BAR_LINE),
    ],
)
def test_a_line_that_fits_stands_beside_the_bar(
    lines: list[str], room: float, right: float, down: float
) -> None:
    drawn = canvas(600, 400, LIGHT)
    drawn.legend_of_bar(lines, 100, 300, room)
    notes = drawn.finished().layout.annotations
    assert [note.text for note in notes] == lines
    assert notes[0].x * 600 + (notes[0].xshift or 0) == 100 + right
    assert (1 - notes[0].y) * 400 == pytest.approx(300 + down, abs=5), "letters are higher than the bar"
    assert bar_room(lines, room) == BAR_LINE + (0 if right else 24 * len(lines))


def test_a_bar_without_a_legend_takes_its_own_line() -> None:
    assert bar_room([], 1000) == BAR_LINE
