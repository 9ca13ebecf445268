"""Where the schemes enter is read from the code and is what the sources say."""

import pytest

from core.analysis.positions.doors import DOORS, door_of
from core.config import POSITIONS
from core.positions import SCHEMES, PositionScheme


def test_every_scheme_enters_where_the_lecture_says() -> None:
    assert {positions: door_of(positions) for positions in POSITIONS} == {
        "none": None,
        "learned": "embed",
        "sinusoidal": "embed",
        "alibi": "bias",
        "rotary": "rotate",
    }


def test_the_doors_are_those_a_scheme_has_in_the_order_of_the_forward_pass() -> None:
    assert list(DOORS) == ["embed", "rotate", "bias"]
    assert all(callable(getattr(PositionScheme, door)) for door in DOORS)


def test_a_scheme_that_changes_its_door_is_shown_at_the_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    class Elsewhere(PositionScheme):
        def rotate(self, q_or_k):  # type: ignore[no-untyped-def]
            return -q_or_k

    monkeypatch.setitem(SCHEMES, "alibi", Elsewhere)
    assert door_of("alibi") == "rotate"
