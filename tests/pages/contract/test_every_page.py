"""A page shows the sheet of its link, also after its controls were changed by hand.

So tests of what a view says and draws need no page: they ask for the sheet, as `Asked` does.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd
import pytest

from core.live import generation_queue
from pages.contract.look import Look
from pages.contract.sheet import Code, Columns, Drawing, Fold, Part, PicturePart, Strip, Table
from tests.covering import first_of_each
from tests.pages.asked import Asked, folds
from tests.pages.contract.test_every_sheet import VIEWS
from tests.pages.session import Session
from viz.room import Room

pytestmark = pytest.mark.usefixtures("without_real_models")

SWITCHES = ("mask", "positions", "heads", "seed")
"""The first of these that a view has stands for all its switches, and the first control of each widget."""


def another(asked: Asked, name: str) -> Any:
    """Return another value of a control; its own if there is no other."""
    item = asked.controls[name]
    one, value = item.parameter, item.value
    if one.kind == "one of":
        return next((option for option in one.options if option != value), value)
    if one.kind == "switch":
        return not value
    if one.kind == "number":
        return one.smallest + (value == one.smallest)
    return value


def rooms(parts: Iterable[Part], look: Look) -> Iterator[tuple[str, Room]]:
    """Yield the room of each picture of a sheet on a page of this look, by its key."""
    for part in parts:
        match part:
            case PicturePart(key):
                yield key, look.for_picture
            case Columns(columns, weights):
                looks = look.columns(weights or [1.0] * len(columns))
                for column, narrower in zip(columns, looks, strict=True):
                    yield from rooms(column, narrower)
            case Fold(_, inner):
                yield from rooms(inner, look)


def assert_shows(session: Session, asked: Asked, tables: Iterable[str]) -> None:
    """The page has the sentences, formulas and pictures of the sheet, these tables and its program."""
    assert session.pictures == asked.pictures
    room = dict(rooms(asked.sheet.parts, Look()))
    for key in asked.pictures:
        assert session.figure(key) == asked.figure(key, room[key]), key
        assert session.alt(key) == asked.alt(key)
        if key in tables and asked.picture(key).has_table:
            pd.testing.assert_frame_equal(
                pd.DataFrame(session.table(key)), asked.table(key), check_dtype=False, check_index_type=False
            )
    assert [said for said in asked.prose.split("\n") if said not in session.prose] == []
    assert [one.strip() for one in asked.latex] == [one.value.strip("$\n ") for one in session.app.latex]
    if asked.program is not None:
        assert asked.code.rstrip() in [block.value.rstrip() for block in session.app.code]


def assert_has(session: Session, asked: Asked) -> None:
    """The page has the other parts of the sheet, and every control, button and note."""
    for part in asked.parts:
        match part:
            case Drawing(key):
                assert json.loads(session.element(key).proto.json) == asked.drawing(key)
            case Code(str(lines)):
                assert lines in [block.value for block in session.app.code]
            case Strip(key=key):
                assert session.has(key)
            case Code(key=key) | Table(key) if folds(part):
                assert session.has(f"{key}_table")
    shown = [one.value.shape for one in session.app.dataframe]
    assert [one.shape for one in asked.tables if one.shape not in shown] == []
    assert [name for name in asked.controls if not session.has(name) and name != "view"] == []
    labels = [button.label for button in session.app.button]
    assert [label for label in asked.buttons if label not in labels] == []
    noted = (*session.warnings, *session.infos)
    assert [said for said in (*asked.warnings, *asked.infos) if said not in noted] == []


EVERY_DAY = (
    *("", "lecture", "step-by-step", "masking", "heads", "translation", "generation", "explorer", "models"),
    "training",
)
"""Pages whose first views together have every kind of part and of control, and a live view."""


@pytest.mark.parametrize(
    ("address", "view"),
    first_of_each(
        lambda address, _: address if address in EVERY_DAY else None,
        sorted(VIEWS, key=lambda one: one[0] not in EVERY_DAY),
        long="a part of a sheet that only one view has, put on its page",
    ),
)
def test_a_page_shows_the_sheet_of_its_link_and_of_choices_by_hand(
    address: str, view: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        generation_queue, "SOON", 60.0
    )  # a page shows a text that is being written, a sheet the whole
    asked, later = Asked(address, view=view), Asked(address, view=view)
    switch = [name for name in SWITCHES if name in asked.controls][:1]
    first = {one.widget: name for name, one in reversed(asked.own_controls.items())}
    values = {name: another(asked, name) for name in dict.fromkeys((*switch, *first.values()))}
    later.set(**values)
    parts = (*asked.parts, *later.parts)
    folded = [part.key for part in parts if isinstance(part, Fold) and part.key]
    at_first = asked.pictures
    opened = {f"{key}_table": True for key in (*at_first, *folded)}
    opened |= {"code": True} if asked.program is not None else {}
    session = Session(address, view=view, **opened)
    assert_shows(session, asked, at_first)
    assert_has(session, asked)

    session.set(**values)
    assert_shows(session, later, at_first)
