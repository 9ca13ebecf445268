"""Everything that is a picture has a place for the button that saves it."""

from importlib import import_module
from pathlib import Path

import pytest

from pages.contract.sheet import Counts, Drawing, Listed, Shown, Strip, TextTable
from pages.controls.saving import LABELS, NOT_SAVED, OF_THEIR_OWN, WITHOUT_NUMBERS
from pages.sheet import answered
from tests.pages.contract.test_every_sheet import VIEWS, link, parts
from viz.theme import THEMES

FRAME = (Path(import_module("pages").__file__ or "").with_name("frame.css")).read_text("utf-8")
TO_SEE = (Shown, Drawing, Strip, Listed, Counts, TextTable)


def key_of(part: object) -> str:
    """The name by which its element is known on the page."""
    return {Strip: "strip", Counts: "counts"}.get(type(part)) or part.key  # type: ignore[attr-defined]


@pytest.mark.parametrize(("address", "view"), VIEWS)
def test_the_button_of_every_picture_has_a_place(address: str, view: str) -> None:
    seen = [part for part in parts(answered(link(address, view)).sheet) if isinstance(part, TO_SEE)]
    for part in seen:
        key = key_of(part)
        if key in NOT_SAVED:
            continue
        if isinstance(part, Drawing | Strip):
            assert key in OF_THEIR_OWN, f"{key} stands in no container of its own: name it"
        has_row = isinstance(part, Drawing | Strip) or (
            isinstance(part, Shown) and part.picture.table is not None
        )
        assert has_row or key in WITHOUT_NUMBERS, f"{key} has no row of numbers: leave room below it"


def test_room_is_left_where_there_is_no_row() -> None:
    (rule,) = [line for line in FRAME.splitlines() if "padding-bottom: 1.9rem" in line]
    assert [key for key in WITHOUT_NUMBERS if f".st-key-{key}" not in rule] == []


def test_every_theme_has_a_name_on_the_panel() -> None:
    assert set(THEMES) <= set(LABELS)
