"""The legend of a figure takes one line if it has the room."""

from viz.layout.canvas import MARGIN, joined, legend_width


def test_the_lines_of_a_legend_are_joined_if_the_figure_has_the_room_and_markup_takes_none() -> None:
    lines = ["<b>one</b> thing", "another"]
    width = legend_width(["one thing   another"]) + MARGIN
    assert joined(lines, width) == ["<b>one</b> thing   another"]
    assert joined(lines, width - 1) == lines
