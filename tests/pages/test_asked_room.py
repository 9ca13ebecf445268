"""The room of a view is asked by the server, with its own questions, whatever the browser says."""

import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pages.browser.questions import asked_room
from pages.browser.questions.asked_room import SAID, ask_room
from pages.state.link import State
from rooms.browsers import COOKIE as BROWSER
from rooms.browsers import Shares, new_cookie
from rooms.lecturer import COOKIE as LECTURER
from rooms.lecturer import cookie_of
from rooms.sqlite_store import SqliteStore
from rooms.store import Store, StoreError
from tests.rooms.questions import CHOOSE, SKETCH

QUESTIONS = [CHOOSE, SKETCH]
LINK = {
    "residual": ["false"],
    "mask": ["prefix"],
    "text": ["hot <b>", "tea"],
    "view": ["paint"],
    "predict": ["true"],
    "unknown": ["1"],
}


KEY = "a-key-of-sixteen-signs"


class Tab:
    """A session, and what its browser was told last."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store, self.state, self.cookies = store, {}, {}  # type: Store, dict[str, Any], dict[str, str]
        context = SimpleNamespace(ip_address="10.0.0.1", cookies=self.cookies)
        monkeypatch.setattr(asked_room, "st", SimpleNamespace(session_state=self.state, context=context))
        monkeypatch.setattr(asked_room, "shared", lambda: store)
        monkeypatch.setattr(asked_room, "here", lambda: State(chosen=LINK, came=set(LINK)))
        monkeypatch.setattr(asked_room, "OPENED", Shares(browser=(2, 0), address=(5, 0)))

    def ask(self, said: Any) -> dict[str, str]:
        ask_room(said, "covered_masking_paint", QUESTIONS)
        told: dict[str, str] = self.state.get(SAID, {})
        return told

    def of_another_browser(self) -> None:
        """Go on as a browser that has a cookie of its own."""
        self.cookies[BROWSER] = new_cookie(self.store.secret(), time.time())


@pytest.fixture
def tab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tab:
    return Tab(SqliteStore(tmp_path / "rooms.sqlite"), monkeypatch)


def test_a_room_is_opened_with_the_question_of_the_server(tab: Tab) -> None:
    told = tab.ask({"at": 1, "question": "mine", "id": 1})
    room = tab.store.room(told["code"])
    assert room is not None
    assert room.is_led_by(told["token"])
    (asked,) = room.rounds
    assert asked.question == SKETCH
    assert asked.about == "covered_masking_paint 1"
    expected = {"Residual": "off", "Mask": "prefix", "Sentence": "hot <b>, tea"}
    assert asked.settings == expected, "what sets the model, and no more"


def test_the_next_question_is_asked_in_the_same_room_by_its_token_alone(tab: Tab) -> None:
    first = tab.ask({"at": 0})
    again = tab.ask({"at": 1, "code": first["code"], "token": first["token"]})
    assert (again["code"], again["token"]) == (first["code"], first["token"])
    assert again["made"] != first["made"], "heard as something new"
    assert tab.ask({"at": 1, "code": first["code"], "token": "forged"})["code"] != first["code"]
    room = tab.store.room(first["code"])
    assert room is not None
    assert [one.number for one in room.rounds] == [1, 2]


@pytest.mark.parametrize(
    "said", [None, "ask", [], {}, {"at": 2}, {"at": -1}, {"at": True}, {"at": "0"}, {"at": 0.5}, {"at": None}]
)
def test_what_no_page_of_ours_would_say_does_nothing(tab: Tab, said: Any) -> None:
    assert tab.ask(said) == {}
    assert tab.store.n_open() == 0


@pytest.mark.parametrize("code", [5, None, "x" * 10_000, {"a": 1}, "../.."])
def test_letters_that_are_none_open_a_room(tab: Tab, code: Any) -> None:
    assert tab.store.room(tab.ask({"at": 0, "code": code, "token": code})["code"]) is not None


def test_one_browser_opens_a_few_rooms_and_keeps_its_neighbours_from_none(tab: Tab) -> None:
    told = [tab.ask({"at": 0}) for _ in range(20)]
    assert ["refused" in one for one in told] == [False] * 2 + [True] * 18
    assert told[-1]["refused"].endswith("try again in some minutes.")
    again = tab.ask({"at": 0, "code": told[0]["code"], "token": told[0]["token"]})
    assert again["code"] == told[0]["code"], "its own go on"
    tab.of_another_browser()
    assert "refused" not in tab.ask({"at": 0})


def test_one_address_cannot_have_all_rooms_but_lecturers_with_the_key(
    tab: Tab, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(9):
        tab.of_another_browser()
        told = tab.ask({"at": 0})
    assert (tab.store.n_open(), "/room/lecturer" in told["refused"]) == (5, False)
    monkeypatch.setenv("ATTENTION_LAB_LECTURER_KEY", KEY)
    assert "/room/lecturer" in tab.ask({"at": 0})["refused"]
    tab.cookies[LECTURER] = cookie_of("another-key-of-sixteen", tab.store.secret())
    assert "refused" in tab.ask({"at": 0})
    tab.cookies[LECTURER] = cookie_of(KEY, tab.store.secret())
    assert all("refused" not in tab.ask({"at": 0}) for _ in range(20))
    assert KEY not in str(tab.state)


def test_a_key_that_cannot_be_one_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATTENTION_LAB_LECTURER_KEY", "short")
    with pytest.raises(SystemExit, match="ATTENTION_LAB_LECTURER_KEY must have 16 to 200"):
        asked_room.phones()


def test_where_rooms_cannot_be_kept_a_sentence_says_so(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> Store:
        raise StoreError("/a/path")

    monkeypatch.setattr(asked_room, "shared", fails)
    assert tab.ask({"at": 0})["refused"] == "Rooms cannot be kept."


def test_a_phone_has_the_fields_of_the_page_and_little_else() -> None:
    app = asked_room.phones()
    files = app.kwargs["rooms"].routes  # one app for all of them
    assert {route.path for route in files} >= {"/room", "/room/{code}", "/room/{code}/answer"}
    scripts = [(asked_room.HERE / f"{name}.js").read_text("utf-8") for name in asked_room.FIELDS]
    assert all(f"{kind} = {{" in "".join(scripts) for kind in ("choose", "estimate", "arrange", "sketch"))
    assert len("".join(scripts).encode()) < 16_000
