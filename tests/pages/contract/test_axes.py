"""The axes of every chart of curves reach their data, fit them, and say their unit once."""

import re

import numpy as np
import pytest

from tests.covering import each
from tests.pages.contract.test_every_sheet import VIEWS, opened, pictures
from viz.curves import Curves
from viz.room import Room

pytestmark = pytest.mark.usefixtures("without_real_models")

ROOMS = {
    "page": Room(width=860, height=390),
    "telephone": Room(width=350, height=410),
    "half a large page": Room(width=352, height=358, fills=True, smallest_type=10.5),
    "column": Room(width=509, medium="print"),
}
UNIT = re.compile(r"\b(seconds|ms|bytes|nats|bits|per cent|degrees)\b|%|°")
NEAR = 0.025
"""The share of an axis by which a value may lie beyond its last tick."""


def curves(address: str, view: str) -> list[Curves]:
    shown = pictures(opened(address, view)).values()
    return [one.picture for one in shown if isinstance(one.picture, Curves)]


def assert_reaches(axis: dict[str, object], values: np.ndarray) -> None:
    """Fail if a value lies outside of an axis, or far beyond its ticks.

    A logarithmic axis may end at a decade between two of its ticks.
    """
    ticks = np.array(axis["tickvals"], dtype=float)
    if axis["type"] == "log":
        values, ticks = np.log10(values[values > 0]), np.log10(ticks)
    low, high = axis["range"]
    assert low < values.min()
    assert values.max() < high
    near = NEAR * (high - low)
    if axis["type"] == "log":
        near = max(near, np.diff(ticks).max() - 1)
        assert max(values.min() - low, high - values.max()) < 2, "empty decades"
    assert ticks[0] <= values.min() + near
    assert ticks[-1] >= values.max() - near


@pytest.mark.long("the ticks of all views")
@each("room", ROOMS)
@pytest.mark.parametrize(("address", "view"), VIEWS)
def test_ticks_reach_the_ends_of_the_curves_and_say_their_unit_once(
    address: str, view: str, room: str
) -> None:
    for one in curves(address, view):
        layout = one.figure(ROOMS[room]).to_dict()["layout"]
        columns = [one.y, *(one.bars[:2] if one.bars else ())]
        assert_reaches(layout["xaxis"], one.rows[one.x].to_numpy(float))
        assert_reaches(layout["yaxis"], one.rows[columns].to_numpy(float).ravel())
        assert not (UNIT.search(one.y_title) and any(map(UNIT.search, layout["yaxis"]["ticktext"])))
        if one.places is not None:
            assert layout["xaxis"]["ticktext"] == list(one.places.values())
