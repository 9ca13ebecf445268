"""Questions for a room are sealed by the server, with the settings of the page that they are about."""

from pathlib import Path

import pytest

from pages.browser.questions import OF_ROOM, room_questions, room_script
from pages.browser.questions.room_questions import sealed, settings_of
from pages.contract.items import Control
from pages.contract.parameters import in_view
from pages.state.link import State
from rooms.sealing import unsealed
from rooms.sqlite_store import SqliteStore
from rooms.store import Store, StoreError
from tests.rooms.questions import CHOOSE, SKETCH

LINK = {
    "residual": ["false"],
    "mask": ["prefix"],
    "text": ["hot <b>", "tea"],
    "view": ["paint"],
    "predict": ["true"],
    "unknown": ["1"],
}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    made = SqliteStore(tmp_path / "rooms.sqlite")
    monkeypatch.setattr(room_questions, "shared", lambda: made)
    return made


def test_each_question_is_sealed_by_this_server(store: Store) -> None:
    found = [unsealed(store.secret(), **renamed(one)) for one in sealed([CHOOSE, SKETCH])]
    assert found == [CHOOSE, SKETCH]
    assert sealed([]) == []


def renamed(one: room_questions.Sealed) -> dict[str, str]:
    return {"sealed": one["sealed"], "proof": one["seal"]}


def test_nothing_is_sealed_if_rooms_cannot_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> Store:
        raise StoreError("/a/path")

    monkeypatch.setattr(room_questions, "shared", fails)
    assert sealed([CHOOSE]) == [{}]


def test_settings_come_from_the_link_and_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_questions, "current_state", lambda: State(chosen=LINK, came=set(LINK)))
    head = Control(in_view("head", options=range(1, 5), default=2), "menu", 2)
    found = settings_of(frozenset({"view", "mask", "norm", "large"}), [head])
    assert found == {
        "Residual": "off",
        "Mask": "prefix",
        "Sentence": "hot <b>, tea",
        "Head": "2",
        "Layer norm": "pre",
    }, "only the settings of the model"


def test_a_word_that_the_view_has_chosen_is_the_same_setting_once_it_stands_in_the_link(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = []
    for link in ({}, {"head": ["3"]}):
        monkeypatch.setattr(
            room_questions, "current_state", lambda link=link: State(chosen=link, came=set(link))
        )
        found.append(settings_of(frozenset(), [], {"head": "3"}))
    assert found == [{"Head": "3"}] * 2


def test_an_invalid_key_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATTENTION_LAB_LECTURER_KEY", "short")
    with pytest.raises(SystemExit, match="ATTENTION_LAB_LECTURER_KEY must have 16 to 200"):
        room_questions.phones()


def test_a_phone_has_the_fields_of_the_page_and_little_else() -> None:
    app = room_questions.phones()
    files = app.kwargs["rooms"].routes  # one app for all of them
    assert {route.path for route in files} >= {"/room", "/room/{code}", "/room/{code}/answer"}
    scripts = [(room_questions.HERE / f"{name}.js").read_text("utf-8") for name in room_questions.FIELDS]
    kinds = ("choose", "estimate", "arrange", "sketch", "words")
    assert all(f"{kind} = {{" in "".join(scripts) for kind in kinds)
    assert len("".join(scripts).encode()) < 18_000


def test_the_player_has_the_scripts_of_a_room_as_one_object() -> None:
    script = room_script()
    assert script.startswith("const ROOM = (() => {")
    for name in OF_ROOM:
        assert f"function {name}(" in script or f"class {name} " in script or f"const {name} =" in script
