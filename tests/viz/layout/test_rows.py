"""Names above columns are complete, and end in the figure."""

from math import cos, radians

import pytest

from tests.covering import each
from viz.layout.rows import SLANT, TYPE, fit_columns
from viz.text import em_width

NAMES = ("none", "learned", "sinusoidal", "a long last name")


@each("width", [150, 300, 450, 900])
def test_names_lie_flat_if_each_has_the_room_and_else_are_slanted_and_end_in_the_width(width: int) -> None:
    columns = fit_columns(NAMES, width)
    longest = max(map(em_width, NAMES)) * TYPE
    assert (columns.angle == 0) == (longest < width / len(NAMES) - 2)
    lean = cos(radians(SLANT)) if columns.angle else 0.5
    middle = (len(NAMES) - 0.5) * columns.pitch
    assert middle + em_width(NAMES[-1]) * TYPE * lean <= width + 1
    assert columns.height > (longest * 0.8 if columns.angle else TYPE)


def test_columns_are_no_wider_than_they_may_be_and_typed_markup_is_text() -> None:
    columns = fit_columns(["<b>", "b"], 900, most=110)
    assert columns.pitch == pytest.approx(110)
    assert columns.axis()["ticktext"] == ["&lt;b&gt;", "b"]
