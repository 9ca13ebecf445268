"""A browser asks a question that the server has sealed: in its room or a new one, within limits."""

import time
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from access.buckets import AddressRateLimiter
from access.limits import QUESTION, Shared
from rooms.browsers import COOKIE as BROWSER
from rooms.browsers import new_cookie
from rooms.documents import Documents
from rooms.hosting import UNPREPARED
from rooms.http import Endpoints
from rooms.lecturer import COOKIE as LECTURER
from rooms.lecturer import cookie_of
from rooms.limits import Limits
from rooms.room import Round
from rooms.sealing import SealError, seal, unsealed
from rooms.sqlite_store import SqliteStore
from rooms.store import Store
from tests.covering import each
from tests.rooms.clock import Clock
from tests.rooms.questions import ALL, CHOOSE, SKETCH, WORDS

HERE = "http://lab.example"
KEY = "a-key-of-sixteen-signs"


class Wall:
    """A browser that leads rooms."""

    def __init__(self, store: Store, key: str = "") -> None:
        self.store = store
        limits = Limits(opened=AddressRateLimiter(Shared("", (2, 0), (5, 0))))
        app = Endpoints(lambda: store, Documents("", ""), limits, key=key).app()
        self.browser = TestClient(app, base_url=HERE, headers={"Origin": HERE})

    def ask(self, question: dict[str, Any] = CHOOSE, **more: Any) -> Any:
        said = {"about": "masking 0", **seal(self.store.secret(), question), **more}
        return self.browser.post("/room/ask", json=said)

    def of_another_browser(self) -> None:
        self.browser.cookies.set(BROWSER, new_cookie(self.store.secret(), time.time()), domain="lab.example")


def situation(wall: Wall, *sentences: str, settings: dict[str, Any] | None = None) -> dict[str, str]:
    """Return a view as its page has sealed it."""
    return seal(wall.store.secret(), {"sentences": sentences, "settings": settings or {}})


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Store:
    """Rooms in a file; `test_stores.py` tests that both stores behave alike."""
    return SqliteStore(tmp_path / "rooms.sqlite", clock)


@pytest.fixture
def wall(store: Store) -> Wall:
    return Wall(store)


def test_a_room_is_opened_with_the_question_of_the_server(wall: Wall) -> None:
    told = wall.ask(SKETCH, situation=situation(wall, settings={"Mask": "causal"})).json()
    room = wall.store.room(told["code"])
    assert room is not None
    assert room.is_led_by(told["token"])
    (asked,) = room.rounds
    assert (asked.question, asked.about, asked.settings) == (SKETCH, "masking 0", {"Mask": "causal"})


def test_the_next_question_is_asked_in_the_same_room_by_its_token_alone(wall: Wall) -> None:
    first = wall.ask().json()
    assert wall.ask(SKETCH, **first).json() == first
    assert wall.ask(code=first["code"], token="forged").json()["code"] != first["code"]
    room = wall.store.room(first["code"])
    assert room is not None
    assert [one.number for one in room.rounds] == [1, 2]


@each(
    "said",
    [
        *({"sealed": "{}"}, {"sealed": None}, {"seal": ""}, {"seal": None}, {"seal": "é"}, {"seal": ["a"]}),
        {"sealed": '{"kind": "choose", "text": "mine"}'},
    ],
)
def test_a_question_that_the_server_has_not_made_is_not_asked(wall: Wall, said: dict[str, Any]) -> None:
    assert wall.ask(**said).status_code == 403
    assert wall.store.n_open() == 0


def test_another_page_and_another_server_cannot_ask(wall: Wall) -> None:
    said = seal(wall.store.secret(), CHOOSE)
    assert wall.browser.post("/room/ask", json=said, headers={"Origin": "https://evil"}).status_code == 403
    assert wall.ask(**seal("the secret of another server", CHOOSE)).status_code == 403
    assert wall.ask(sealed="x" * QUESTION.n_bytes).status_code == 413
    assert wall.store.n_open() == 0


@pytest.mark.parametrize("code", [5, None, "x" * 10_000, {"a": 1}, "../..", ["BCDF"]])
def test_wrong_letters_open_a_new_room(wall: Wall, code: Any) -> None:
    assert wall.store.room(wall.ask(code=code, token=code).json()["code"]) is not None


@each("settings", [{"a" * 900: ["b"] * 900}, {str(at): "x" for at in range(999)}])
def test_settings_are_kept_as_short_texts(wall: Wall, settings: Any) -> None:
    asked = asked_now(wall, wall.ask(situation=situation(wall, *["x" * 9999] * 9, settings=settings)))
    assert len(asked.settings) <= 40
    assert all(len(text) <= 200 for pair in asked.settings.items() for text in pair)
    assert [len(one) for one in asked.question["sentences"]] == [600] * 4
    wall.of_another_browser()


def asked_now(wall: Wall, answer: Any) -> Round:
    room = wall.store.room(answer.json()["code"])
    assert room is not None
    assert room.now is not None
    return room.now


def test_phones_show_only_views_that_the_server_has_sealed(wall: Wall) -> None:
    forged = {"sealed": '{"sentences": ["mine"], "settings": {}}', "seal": "guess"}
    of_another_kind = seal(wall.store.secret(), CHOOSE)
    for given in (forged, {}, of_another_kind, ["x"], "x", {"sealed": None}):
        assert (given, wall.ask(situation=given).status_code) == (given, 200 if given == {} else 403)
    assert wall.store.n_open() == 1


def state(wall: Wall, code: str) -> dict[str, Any]:
    """Return the state that a phone gets."""
    wall.browser.get(f"/room/{code}")
    said: dict[str, Any] = wall.browser.get(f"/room/{code}/state").json()
    return said


def reveal(wall: Wall, led: dict[str, str]) -> None:
    proof = {"Authorization": f"Bearer {led['token']}"}
    assert wall.browser.post(f"/room/{led['code']}/reveal", headers=proof).status_code == 200


def test_phones_show_that_a_question_is_repeated_and_its_changed_switch(wall: Wall) -> None:
    first = {"Mask": "causal", "Layers": "2"}
    led = wall.ask(situation=situation(wall, "“Sara met Tom”", settings=first)).json()
    said = state(wall, led["code"])
    assert (said["once_more"], said["question"]["sentences"]) == (None, ["“Sara met Tom”"])
    wall.ask(situation=situation(wall, settings=first | {"Mask": "none", "Seed": "3"}), **led)
    assert state(wall, led["code"])["once_more"] == "Mask: none", "the seed comes with another switch"
    wall.ask(situation=situation(wall, settings=first | {"Mask": "none", "Seed": "3"}), **led)
    assert state(wall, led["code"])["once_more"] == ""
    wall.ask(situation=situation(wall, settings=first | {"Mask": "none"}), **led)
    assert state(wall, led["code"])["once_more"] == "Seed: none"
    assert state(wall, led["code"])["is_same"]
    wall.ask({**CHOOSE, "text": "Another?"}, **led)
    assert not state(wall, led["code"])["is_same"], "the view has another question at this place"
    wall.ask(about="masking 1", **led)
    assert state(wall, led["code"])["once_more"] is None, "another question"


def test_no_answer_counts_as_right_if_the_view_is_not_as_prepared(wall: Wall) -> None:
    led = wall.ask().json()
    for question, prepared in product([*ALL.values(), WORDS], [True, False]):
        wall.ask(question, prepared=prepared, **led)
        reveal(wall, led)
        asked, has_right = state(wall, led["code"])["question"], question is not WORDS
        assert (asked["right"] is not None) == (has_right and prepared), question
        assert (asked["because"] == UNPREPARED) == (has_right and not prepared), question
        if not prepared:
            assert not asked["solution"] + str(asked.get("mistaken") or ""), question


def test_one_browser_opens_a_few_rooms_and_does_not_affect_its_neighbours(wall: Wall) -> None:
    told = [wall.ask() for _ in range(20)]
    assert [one.status_code for one in told] == [200] * 2 + [429] * 18
    assert told[-1].json()["refused"].endswith("try again in 20 minutes.")
    assert wall.ask(**told[0].json()).json() == told[0].json(), "its own rooms continue"
    wall.of_another_browser()
    assert wall.ask().status_code == 200


def test_one_address_cannot_take_all_rooms_but_lecturers_with_the_key_can(store: Store) -> None:
    wall = Wall(store, KEY)
    for _ in range(9):
        wall.of_another_browser()
        told = wall.ask()
    assert (store.n_open(), "/room/lecturer" in told.json()["refused"]) == (5, True)
    for key, opened in (("another-key-of-sixteen", False), (KEY, True)):
        wall.browser.cookies.set(LECTURER, cookie_of(key, store.secret()), domain="lab.example")
        assert [wall.ask().status_code == 200 for _ in range(8)] == [opened] * 8


def test_a_lecturer_with_the_key_is_not_told_to_enter_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rooms.hosting.MOST_WITH_KEY", 0)
    wall = Wall(store, KEY)
    wall.browser.cookies.set(LECTURER, cookie_of(KEY, store.secret()), domain="lab.example")
    told = wall.ask()
    assert (told.status_code, "/room/lecturer" in told.json()["refused"]) == (429, False)


def test_a_seal_holds_for_one_text_and_one_secret() -> None:
    made = seal("one", CHOOSE)
    assert unsealed("one", made["sealed"], made["seal"]) == CHOOSE
    for secret, text in (("other", made["sealed"]), ("one", made["sealed"] + " "), ("one", "\ud83d")):
        with pytest.raises(SealError):
            unsealed(secret, text, made["seal"])


class Words(Wall):
    """A room that is asked for free words."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        led = self.ask(WORDS).json()
        self.at, self.proof = f"/room/{led['code']}", {"Authorization": f"Bearer {led['token']}"}

    def write(self, *words: str) -> list[int]:
        found = []
        for word in words:
            self.browser.cookies.clear()
            self.browser.get(self.at)
            said = {"round": 1, "answer": word}
            found.append(self.browser.post(f"{self.at}/answer", json=said).status_code)
        return found

    def approve(self, words: Any, number: Any = 1, **headers: str) -> int:
        said = {"round": number, "words": words}
        headers = self.proof | headers
        status: int = self.browser.post(f"{self.at}/approve", json=said, headers=headers).status_code
        return status

    def round(self) -> dict[str, Any]:
        (found,) = self.browser.get(f"{self.at}/owner", headers=self.proof).json()["rounds"]
        return dict(found)


def test_the_hall_sees_only_approved_free_words(store: Store) -> None:
    words = Words(store)
    assert words.write("tea", "Tea", "rude", "!!", "x" * 500) == [200, 200, 200, 400, 400]
    asked = words.round()
    assert asked["words"] == [{"word": "tea", "count": 2}, {"word": "rude", "count": 1}]
    assert "shown" not in asked
    words.browser.post(f"{words.at}/reveal", headers=words.proof)
    assert words.round()["shown"] == {"words": [], "hidden": 3}
    assert words.approve(["Tea"]) == 200
    assert words.round()["shown"] == {"words": [{"word": "tea", "count": 2}], "hidden": 1}
    state = words.browser.get(f"{words.at}/state").text
    assert "tea" not in state.lower(), "phones see their own answer alone"


def test_only_the_host_approves_and_only_valid_words(store: Store) -> None:
    words = Words(store)
    assert words.approve(["tea"], Authorization="Bearer guess") == 404
    assert words.approve(["tea"], Origin="https://evil.example") == 403
    assert [words.approve(["tea"], number) for number in (2, 0, "1", None, True)] == [409] * 5
    assert [words.approve(said) for said in ("tea", None, [1], ["x" * 99], ["a"] * 99)] == [400] * 5
    assert words.round()["approved"] == []


def test_a_word_that_is_changed_reaches_the_lecturer(store: Store) -> None:
    words = Words(store)
    words.write("tea")
    tag = words.browser.get(f"{words.at}/owner", headers=words.proof).headers["etag"]
    again = {**words.proof, "If-None-Match": tag}
    assert words.browser.get(f"{words.at}/owner", headers=again).status_code == 304
    words.browser.post(f"{words.at}/answer", json={"round": 1, "answer": "hot"})
    assert words.browser.get(f"{words.at}/owner", headers=again).status_code == 200
