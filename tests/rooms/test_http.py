"""Answers to phones and the projector, and refusals of malicious requests."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.testclient import TestClient

from access.buckets import AddressRateLimiter, Buckets, Client
from access.limits import Shared
from rooms import hosting
from rooms.browsers import LASTS as BROWSER_LASTS
from rooms.documents import Documents
from rooms.http import HEADERS, Endpoints
from rooms.lecturer import LASTS as LECTURER_LASTS
from rooms.lecturer import cookie_of, is_lecturer, lecturer_key
from rooms.limits import Limits
from rooms.middleware import middleware
from rooms.room import LASTS
from rooms.sqlite_store import SqliteStore
from rooms.store import Store, StoreError
from tests.covering import each
from tests.rooms.clock import Clock
from tests.rooms.questions import ALL, CHOOSE, ESTIMATE, SKETCH

FIELDS, LOOK = "const FIELDS = {};", ".box { display: grid; }"
HERE = "http://lab.example"
OURS = {"Origin": HERE}


class Hall:
    """A room, its app, and its browsers."""

    def __init__(
        self, store: Store, clock: Clock, question: dict[str, Any] = SKETCH, *, key: str = "", **limits: Any
    ) -> None:
        self.store, self.clock = store, clock
        limit = Limits(**limits)
        self.app = Endpoints(lambda: store, Documents(FIELDS, LOOK), limit, key=key, clock=clock).app()
        self.led = hosting.ask_question(store, question, about="view 0", settings={})
        self.at = f"/room/{self.led.code}"

    def browser(self, address: str = "10.0.0.1") -> TestClient:
        """Return a new browser without cookies."""
        return TestClient(self.app, base_url=HERE, client=(address, 1), raise_server_exceptions=True)

    def phone(self) -> TestClient:
        """Return a browser that has opened the room."""
        phone = self.browser()
        assert phone.get(self.at).status_code == 200
        return phone

    def answer(self, phone: TestClient, answer: Any, *, number: int = 1, **headers: str) -> Any:
        return phone.post(
            f"{self.at}/answer", json={"round": number, "answer": answer}, headers={**OURS, **headers}
        )

    def owner(self, *, token: str | None = None, **headers: str) -> Any:
        return self.browser().get(f"{self.at}/owner", headers={**self.proof(token), **headers})

    def proof(self, token: str | None = None) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.led.token if token is None else token}"}

    def post(self, what: str, token: str | None = None, origin: str = HERE) -> int:
        status: int = (
            self.browser()
            .post(f"{self.at}/{what}", headers={**self.proof(token), "Origin": origin})
            .status_code
        )
        return status


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Store:
    """Rooms in a file; `test_stores.py` tests that both stores behave alike."""
    return SqliteStore(tmp_path / "rooms.sqlite", clock)


@pytest.fixture
def hall(store: Store, clock: Clock) -> Hall:
    return Hall(store, clock)


GIVEN = [0.5, 0.25, 0.25]


def test_a_question_is_answered_changed_and_revealed(hall: Hall) -> None:
    phone = hall.phone()
    first = phone.get(f"{hall.at}/state").json()
    assert (first["round"], first["revealed"], first["mine"]) == (1, False, None)
    assert first["question"]["labels"] == SKETCH["labels"]
    assert hall.answer(phone, [1, 1, 0]).json() == {"received": [0.5, 0.5, 0.0]}
    assert hall.answer(phone, GIVEN).json() == {"received": GIVEN}
    assert phone.get(f"{hall.at}/state").json()["mine"] == GIVEN, "also after a reload"
    assert hall.owner().json()["rounds"][0]["count"] == 1
    tag = hall.owner().headers["etag"]
    assert hall.owner(**{"If-None-Match": tag}).status_code == 304
    hall.answer(hall.phone(), GIVEN)
    assert hall.owner(**{"If-None-Match": tag}).status_code == 200, "the projector gets the news"

    assert hall.post("reveal") == 200
    state = phone.get(f"{hall.at}/state").json()
    assert state["revealed"]
    assert state["question"] == SKETCH
    late = hall.answer(phone, [1, 0, 0])
    assert (late.status_code, late.json()) == (409, {"refused": "This question takes no more answers."})
    (shown,) = hall.owner().json()["rounds"]
    assert shown["count"] == 2
    assert shown["shown"]["mean"] == GIVEN


@each("question", ALL.values())
def test_the_solution_leaves_the_server_only_with_the_reveal(
    store: Store, clock: Clock, question: dict[str, Any]
) -> None:
    hall = Hall(store, clock, question)
    phone = hall.phone()
    before = phone.get(hall.at).text + phone.get(f"{hall.at}/state").text
    assert "secret" not in before
    assert '"right"' not in before
    hall.post("reveal")
    assert '"right"' in phone.get(f"{hall.at}/state").text


def test_the_next_round_comes_by_itself_and_both_are_compared(hall: Hall) -> None:
    phone = hall.phone()
    tag = phone.get(f"{hall.at}/state").headers["etag"]

    def status(tag: str) -> int:
        code: int = phone.get(f"{hall.at}/state", headers={"If-None-Match": tag}).status_code
        return code

    assert (status(tag), status(f"W/{tag}"), status('"1r"')) == (304, 304, 200)
    hall.answer(phone, GIVEN)
    assert status(tag) == 304, "it gets its own answer"
    hall.post("reveal")
    assert status(tag) == 200, "the reveal comes by itself too"
    again = hosting.ask_question(
        hall.store, SKETCH, about="view 0", settings={}, code=hall.led.code, token=hall.led.token
    )
    assert again == hall.led
    state = phone.get(f"{hall.at}/state", headers={"If-None-Match": tag})
    assert (state.status_code, state.json()["round"], state.json()["mine"]) == (200, 2, None)
    assert hall.answer(phone, [1, 0, 0], number=1).status_code == 409
    assert hall.answer(phone, [1, 0, 0], number=2).status_code == 200
    rounds = hall.owner().json()["rounds"]
    assert [(one["number"], one["revealed"], one["count"], "shown" in one) for one in rounds] == [
        (1, True, 1, True),
        (2, False, 1, False),
    ]
    hosting.ask_question(
        hall.store, SKETCH, about="view 0", settings={}, code=hall.led.code, token=hall.led.token
    )
    assert [one["nth"] for one in hall.owner().json()["rounds"]] == [2, 3]


def test_another_question_is_not_compared_with_the_one_before(hall: Hall) -> None:
    hosting.ask_question(
        hall.store, CHOOSE, about="view 1", settings={}, code=hall.led.code, token=hall.led.token
    )
    assert [(one["number"], one["nth"]) for one in hall.owner().json()["rounds"]] == [(2, 1)]


def test_a_closed_room_differs_from_a_missing_one_and_forgets_its_answers(hall: Hall) -> None:
    phone = hall.phone()
    hall.answer(phone, GIVEN)
    assert hall.post("close") == 200
    assert phone.get(f"{hall.at}/state").status_code == 410
    assert phone.get(hall.at).status_code == 410
    assert hall.answer(phone, GIVEN).status_code == 410
    assert hall.owner().status_code == 410
    assert hall.store.answers(hall.led.code, 1) == []


# Misuse.


@each("what", ["reveal", "close"])
def test_only_the_host_can_reveal_or_close_a_room(hall: Hall, what: str) -> None:
    for token in ("", "x", hall.led.token[:-1], f"{hall.led.token}x"):
        assert hall.post(what, token) == 404
    assert (
        hall.browser().post(f"{hall.at}/{what}", headers={**OURS, "Authorization": "Basic x"}).status_code
        == 404
    )
    assert hall.post(what, origin="https://evil.example") == 403
    found = hall.store.room(hall.led.code)
    assert found is not None
    assert (found.is_closed, found.rounds[0].is_revealed) == (False, False)


@each("path", ["owner", "code.svg"])
def test_the_state_for_the_projector_needs_its_token(hall: Hall, path: str) -> None:
    assert hall.browser().get(f"{hall.at}/{path}", headers=hall.proof("forged")).status_code == 404
    assert hall.phone().get(f"{hall.at}/{path}").status_code == 404


def guesses(browser: TestClient, times: int) -> list[int]:
    return [browser.get("/room/ZZZZ").status_code for _ in range(times)]


def test_a_browser_has_a_few_guesses_and_then_gets_no_answer(store: Store, clock: Clock) -> None:
    hall = Hall(store, clock)
    inside, guesser = hall.phone(), hall.browser()
    assert guesses(guesser, 7) == [404] * 5 + [429] * 2
    assert guesser.get(hall.at).status_code == 429, "not even for an existing room"
    assert guesser.get(f"{hall.at}?key=wrong").status_code == 429
    assert hall.browser().get(hall.at).status_code == 200, "its neighbour is let in"
    assert inside.get(f"{hall.at}/state").status_code == 200, "a phone in the room stays in"
    assert hall.owner().status_code == 200
    room = hall.store.room(hall.led.code)
    assert room is not None
    assert guesser.get(f"{hall.at}?key={room.key}").status_code == 200, "a scan is not a guess"


def test_a_program_that_keeps_no_cookie_takes_little_from_its_address(store: Store, clock: Clock) -> None:
    few = {
        name: AddressRateLimiter(Shared("", (3, 0), (9, 0))) for name in ("guesses", "arrivals", "requests")
    }
    hall = Hall(store, clock, **few)
    with hall.browser() as program:
        for path in ("/room", "/room/ZZZZ", "/room/ZZZZ?came=1"):
            for _ in range(20):
                program.cookies.clear()
                status = program.get(path, follow_redirects=False).status_code
                assert status == 303 or path != "/room/ZZZZ", "nothing is looked up yet"
    assert hall.browser().get("/room").status_code == 200
    assert hall.browser().get(hall.at).status_code == 200


def test_phones_of_an_ended_room_and_wrong_tokens_do_not_count_as_guesses(store: Store, clock: Clock) -> None:
    hall = Hall(store, clock, guesses=AddressRateLimiter(Shared("", (1, 0), (1, 0))))
    phone = hall.phone()
    for path in ("/room/ZZZZ/state", "/room/nonsense/state", "/room/ZZZZ/owner", f"{hall.at}/owner"):
        assert phone.get(path, headers=hall.proof("forged")).status_code == 404
    assert guesses(phone, 2) == [404, 429]


def test_a_browser_without_cookies_is_redirected_once(hall: Hall) -> None:
    browser = hall.browser()
    led_on = browser.get(hall.at, follow_redirects=False).headers["location"]
    browser.cookies.clear()
    assert browser.get(led_on, follow_redirects=False).status_code == 200


def test_without_the_cookie_of_a_room_its_state_is_not_found(hall: Hall) -> None:
    stranger = hall.browser()
    there, nowhere = stranger.get(f"{hall.at}/state"), stranger.get("/room/ZZZZ/state")
    assert (there.status_code, there.text) == (nowhere.status_code, nowhere.text)
    assert hall.answer(stranger, GIVEN).status_code == 404
    stranger.cookies.set("room_browser", f"{'a' * 32}.{'b' * 32}")
    assert hall.answer(stranger, GIVEN).status_code == 404
    assert hall.store.count(hall.led.code, 1) == 0


def test_a_browser_cannot_answer_a_thousand_times(store: Store, clock: Clock) -> None:
    hall = Hall(store, clock, answers=Buckets(10, 0))
    phone = hall.phone()
    assert [hall.answer(phone, GIVEN).status_code for _ in range(12)] == [200] * 10 + [429] * 2
    assert hall.store.count(hall.led.code, 1) == 1
    assert hall.answer(hall.phone(), GIVEN).status_code == 200, "its neighbour can"


def test_one_address_cannot_enter_as_ever_new_browsers(store: Store, clock: Clock) -> None:
    hall = Hall(store, clock, arrivals=AddressRateLimiter(Shared("", (9, 0), (3, 0))))
    assert [hall.browser().get(hall.at).status_code for _ in range(5)] == [200, 200, 200, 429, 429]
    known = hall.browser("10.0.0.2")
    assert [known.get(hall.at).status_code for _ in range(5)] == [200] * 5, "a reload is no arrival"


def test_a_lecture_hall_behind_one_address_comes_in_and_answers() -> None:
    limits = Limits()
    for at in range(400):
        phone = Client("hall", f"phone {at}")
        assert limits.arrivals.take(phone)
        assert all(limits.requests.take(phone) for _ in range(3))
        assert limits.answers.take(phone.browser)


def test_a_flood_of_requests_is_refused(store: Store, clock: Clock) -> None:
    hall = Hall(store, clock, requests=AddressRateLimiter(Shared("", (3, 0), (6, 0))), looks=Buckets(1, 0))
    phone = hall.phone()
    statuses = [phone.get(f"{hall.at}/state").status_code for _ in range(9)]
    assert statuses == [200] + [429] * 8
    assert hall.browser().get(hall.at).status_code == 200, "its neighbour goes on"
    assert hall.browser("10.0.0.2").get(hall.at).status_code == 200


@each(
    "origin",
    ["https://evil.example", "null", "", "http://lab.example.evil", "file://lab.example", "http://["],
)
def test_requests_from_pages_of_other_servers_are_refused(hall: Hall, origin: str) -> None:
    phone = hall.phone()
    assert hall.answer(phone, GIVEN, Origin=origin).status_code == 403
    assert hall.store.count(hall.led.code, 1) == 0


BODIES = [
    (b"", 400),
    (b"[1]", 400),
    (b'{"round": 1, "answer": NaN}', 400),
    (b'{"round": 1, "answer": [Infinity, 0, 0]}', 400),
    (b'{"round": 1, "answer": [1e999, 0, 0]}', 400),
    (b'{"round": 1, "answer": "<img src=x>"}', 400),
    (b'{"round": 1, "answer": ["<b>", 0, 1]}', 400),
    (b'{"round": 1, "answer": [0.5, 0.5, 1.5]}', 400),
    (b'{"round": 1, "answer": [0.5, 0.5]}', 400),
    (b'{"round": 1}', 400),
    (b'{"round": "1", "answer": [1, 0, 0]}', 409),
    (b'{"round": true, "answer": [1, 0, 0]}', 409),
    (b'{"round": 1.0, "answer": [1, 0, 0]}', 409),
    (b'{"round": 1, "answer": [true, 0, 0]}', 400),
    (b'{"answer": [1, 0, 0]}', 409),
    (b"[" * 2000, 400),
    (b'{"a": ' + b"[" * 1500 + b"]" * 400, 400),
    (b"\xff\xfe", 400),
    (b'{"round": 1, "answer": [1, 0, 0], "more": "' + b"x" * 3000 + b'"}', 413),
]


@each(("body", "status"), BODIES)
def test_an_invalid_answer_is_refused_and_not_kept(hall: Hall, body: bytes, status: int) -> None:
    sent = hall.phone().post(
        f"{hall.at}/answer", content=body, headers={**OURS, "Content-Type": "application/json"}
    )
    assert sent.status_code == status
    assert "<" not in sent.text
    assert hall.store.count(hall.led.code, 1) == 0


@each("kind", ["", "text/plain", "application/x-www-form-urlencoded"])
def test_requests_of_a_form_are_refused(hall: Hall, kind: str) -> None:
    body = json.dumps({"round": 1, "answer": GIVEN}).encode()
    sent = hall.phone().post(f"{hall.at}/answer", content=body, headers={**OURS, "Content-Type": kind})
    assert sent.status_code == 415


def test_an_endless_body_is_not_read_to_its_end(hall: Hall) -> None:
    read = []

    def endless() -> Iterator[bytes]:
        for part in range(10_000):
            read.append(part)
            yield b"x" * 1000

    kind = {"Content-Type": "application/json"}
    assert (
        hall.phone().post(f"{hall.at}/answer", content=endless(), headers={**OURS, **kind}).status_code == 413
    )


# Cookies and files.


def test_the_cookie_is_for_this_room_alone_and_hidden_from_scripts(hall: Hall) -> None:
    browser = hall.browser()
    browser.get("/room")
    said = browser.get(hall.at).headers["set-cookie"]
    value, _, rest = said.partition("; ")
    assert re.fullmatch(r"room_browser=[0-9a-f]{32}\.[0-9a-f]{32}", value)
    assert set(rest.split("; ")) == {"HttpOnly", f"Max-Age={LASTS}", f"Path={hall.at}", "SameSite=strict"}
    encrypted = TestClient(hall.app, base_url="https://lab.example")
    for path in ("/room", hall.at):
        assert "; Secure" in encrypted.get(path).headers["set-cookie"]


def test_the_cookie_of_a_browser_is_hidden_from_scripts(hall: Hall) -> None:
    browser = hall.browser()
    value, _, rest = browser.get("/room").headers["set-cookie"].partition("; ")
    assert re.fullmatch(r"attention_lab_browser=[0-9a-f]{32}\.[0-9]+\.[0-9a-f]{32}", value)
    assert rest == f"Max-Age={BROWSER_LASTS}; Path=/; HttpOnly; SameSite=Lax"
    assert "set-cookie" not in browser.get("/room").headers, "it is made once"


# The lecturers' key.

KEY = "a-key-of-sixteen-signs"


def send_key(browser: TestClient, key: object, **headers: str) -> Any:
    return browser.post("/room/lecturer/key", json={"key": key}, headers={**OURS, **headers})


def test_the_key_becomes_a_cookie_that_does_not_contain_it(store: Store, clock: Clock) -> None:
    hall = Hall(store, clock, key=KEY)
    browser = hall.browser()
    assert 'id="key"' in browser.get("/room/lecturer").text
    answer = send_key(browser, KEY)
    value, _, rest = answer.headers["set-cookie"].partition("; ")
    assert rest == f"Max-Age={LECTURER_LASTS}; Path=/; HttpOnly; SameSite=Lax"
    assert KEY not in answer.text + value
    kept = value.partition("=")[2]
    assert [lecturer_key(said) for said in ({}, {"ATTENTION_LAB_LECTURER_KEY": KEY})] == ["", KEY]
    assert is_lecturer(KEY, store.secret(), kept)
    assert not is_lecturer("another-key-of-sixteen", store.secret(), kept), "once the operator changes it"
    assert not is_lecturer(KEY, "another server", kept)


@each("given", ["", "wrong", KEY[:-1], f"{KEY}x", "é" * 20, 7, None, [KEY], {"key": KEY}])
def test_another_key_is_refused(store: Store, clock: Clock, given: object) -> None:
    answer = send_key(Hall(store, clock, key=KEY).browser(), given)
    assert (answer.status_code, answer.json()) == (
        403,
        {"refused": "This is not the lecturers' key: ask the operator of this server for it."},
    )
    assert "attention_lab_lecturer" not in answer.headers.get("set-cookie", "")


@each("given", ["", KEY])
def test_no_key_is_right_if_the_operator_has_set_none(hall: Hall, given: str) -> None:
    answer = send_key(hall.browser(), given)
    assert (answer.status_code, answer.json()["refused"]) == (403, "This server has no key for lecturers.")
    assert not is_lecturer("", hall.store.secret(), cookie_of("", hall.store.secret()))


def test_pages_of_other_servers_send_no_key(store: Store, clock: Clock) -> None:
    hall = Hall(store, clock, key=KEY)
    assert send_key(hall.browser(), KEY, Origin="https://evil.example").status_code == 403


@each("key", ["short", "x" * 201, "sixteen signs and a blank", "ü" * 16, "a" * 16 + "\n"])
def test_the_error_of_an_invalid_key_does_not_quote_it(key: str) -> None:
    with pytest.raises(ValueError, match="ATTENTION_LAB_LECTURER_KEY must have 16 to 200") as raised:
        lecturer_key({"ATTENTION_LAB_LECTURER_KEY": key})
    assert key not in str(raised.value)


@each("path", ["", "/ZZZZ", "/CODE", "/CODE/state", "/CODE/owner", "/files/none.js"])
def test_every_answer_has_its_policy(hall: Hall, path: str) -> None:
    answer = hall.browser().get("/room" + path.replace("CODE", hall.led.code))
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS


def test_the_pages_are_small_and_load_files_of_this_server_alone(hall: Hall) -> None:
    for page in (hall.browser().get("/room"), hall.browser().get(hall.at), hall.browser().get("/room/ZZZZ")):
        assert "<style" not in page.text
        assert re.findall(r"<script(?![^>]* src=)", page.text) == []
        named = re.findall(r'(?:src|href)="(/[^"]*)"', page.text)
        files = [hall.browser().get(name) for name in named]
        assert [file.status_code for file in files] == [200, 200]
        assert {file.headers["cache-control"] for file in files} == {"public, immutable, max-age=31536000"}
        kinds = [file.headers["content-type"].partition(";")[0] for file in files]
        endings = [name.rpartition(".")[2] for name in named]
        assert dict(zip(endings, kinds, strict=True)) == {"css": "text/css", "js": "text/javascript"}
        assert len(page.content) + sum(len(file.content) for file in files) < 20_000


def test_a_file_is_compressed_for_clients_that_accept_it(hall: Hall) -> None:
    (name,) = re.findall(r'src="(/[^"]*)"', hall.browser().get(hall.at).text)
    packed = hall.browser().get(name, headers={"Accept-Encoding": "gzip, br"})
    plain = hall.browser().get(name, headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) / 2
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content


def test_wrong_letters_lead_to_the_page_to_type_others(hall: Hall) -> None:
    page = hall.browser().get("/room/ZZZZ")
    assert page.status_code == 404
    assert "There is no such room" in page.text
    assert 'id="letters"' in page.text


def test_the_code_leads_to_the_room_under_the_name_that_the_browser_has_for_the_server(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    monkeypatch.setattr("rooms.http.qr_code", lambda address: drawn.append(address) or "<svg/>")
    code = hall.browser().get(f"{hall.at}/code.svg", headers=hall.proof())
    room = hall.store.room(hall.led.code)
    assert room is not None
    assert drawn == [f"{HERE}{hall.at}?key={room.key}"]
    assert code.headers["content-type"].startswith("image/svg+xml")


def test_an_error_says_that_rooms_cannot_be_reached(hall: Hall) -> None:
    def fails() -> Store:
        raise StoreError("/a/path of the server")

    app = Endpoints(fails, Documents(FIELDS, LOOK), Limits()).app()
    answer = TestClient(app, base_url=HERE).get(f"{hall.at}/state")
    assert answer.status_code == 503
    assert "path" not in answer.text


def test_rooms_of_a_stopped_server_are_opened_at_the_next_start(store: Store) -> None:
    asked = Event()

    def opened() -> Store:
        asked.set()
        return store

    one = middleware(opened, fields=FIELDS, look=LOOK)
    one.cls(_elsewhere, **one.kwargs)
    assert asked.wait(60)


async def _elsewhere(scope: Any, receive: Any, send: Any) -> None:
    await PlainTextResponse("the app")(scope, receive, send)


@each("path", ["/", "/rooms", "/static/room"])
def test_all_other_requests_are_passed_to_the_app(store: Store, path: str) -> None:
    one = middleware(lambda: store, fields=FIELDS, look=LOOK)
    client = TestClient(one.cls(_elsewhere, **one.kwargs), base_url=HERE)
    assert client.get(path).text == "the app"
    assert "set-cookie" not in client.get(path).headers, "no page"
    assert "letters" in client.get("/room").text


def test_a_page_of_the_app_gives_a_browser_its_cookie_once(store: Store) -> None:
    one = middleware(lambda: store, fields=FIELDS, look=LOOK)
    client = TestClient(one.cls(HTMLResponse("a page"), **one.kwargs), base_url=HERE)
    said = client.get("/masking").headers["set-cookie"]
    assert said.startswith("attention_lab_browser=")
    assert "HttpOnly" in said
    assert "set-cookie" not in client.get("/masking").headers
    client.cookies.clear()
    client.cookies.set("attention_lab_browser", f"{'a' * 32}.1.{'b' * 32}")
    assert "set-cookie" in client.get("/masking").headers, "a forged one is replaced"


def test_a_page_is_served_if_rooms_cannot_be_reached() -> None:
    def fails() -> Store:
        raise StoreError("no")

    one = middleware(fails, fields=FIELDS, look=LOOK)
    client = TestClient(one.cls(HTMLResponse("a page"), **one.kwargs), base_url=HERE)
    assert (client.get("/").text, client.cookies) == ("a page", {})


# Hosts.


def test_a_question_too_long_is_not_asked(store: Store) -> None:
    long = {**ESTIMATE, "text": "x" * 100_000}
    with pytest.raises(hosting.HostError, match="too long"):
        hosting.ask_question(store, long, about="", settings={})
    assert store.n_open() == 0


def test_the_key_opens_rooms_past_the_limits_up_to_a_bound(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "MOST_OPEN", 1)
    monkeypatch.setattr(hosting, "MOST_WITH_KEY", 3)

    def opened(*, has_key: bool) -> bool:
        try:
            hosting.ask_question(
                store, CHOOSE, about="", settings={}, may_open=lambda: not has_key, has_key=has_key
            )
        except hosting.OpeningError:
            return False
        return True

    assert [opened(has_key=key) for key in (False, False, True, True, True)] == [1, 0, 1, 1, 0]
    with pytest.raises(hosting.HostError, match="All 1 rooms"):
        hosting.ask_question(store, CHOOSE, about="", settings={})


def test_a_room_has_a_bounded_number_of_rounds(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosting, "MOST_ROUNDS", 1)
    led = hosting.ask_question(store, CHOOSE, about="", settings={})
    with pytest.raises(hosting.HostError, match="at most 1 questions"):
        hosting.ask_question(store, CHOOSE, about="", settings={}, code=led.code, token=led.token)


def test_taken_letters_are_replaced(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter("BCDF" + "BCDF" + "GHJK")
    monkeypatch.setattr("rooms.room.secrets.choice", lambda letters: next(drawn))
    codes = [hosting.ask_question(store, CHOOSE, about="", settings={}).code for _ in range(2)]
    assert codes == ["BCDF", "GHJK"]


class BelowLab:
    """A server that has the app below /lab, as ASGI says it."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._app({**scope, "root_path": "/lab"}, receive, send)


def test_below_a_base_path_all_addresses_for_a_phone_are_below_it(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    monkeypatch.setattr("rooms.http.qr_code", lambda address: drawn.append(address) or "<svg/>")
    browser = TestClient(BelowLab(hall.app), base_url=HERE, client=("10.0.0.9", 1))
    for page in ("/room", "/room/lecturer", hall.at, "/room/NONE"):
        answer = browser.get(f"/lab{page}")
        leads = re.findall(r'(?:href|src)="(/[^"]*)"', answer.text)
        assert len(leads) == 2, page
        assert {browser.get(lead).status_code for lead in leads} == {200}
        assert all(lead.startswith("/lab/room/files/") for lead in leads)
    paths = {cookie.name: cookie.path for cookie in browser.cookies.jar}
    assert paths == {"room_browser": f"/lab{hall.at}", "attention_lab_browser": "/lab/"}
    assert browser.get(f"/lab{hall.at}/state").status_code == 200
    assert browser.get(f"/lab{hall.at}/code.svg", headers=hall.proof()).status_code == 200
    assert drawn[0].startswith(f"{HERE}/lab{hall.at}?key=")


def test_below_a_base_path_the_middleware_answers_for_rooms(store: Store) -> None:
    async def behind(scope: Any, receive: Any, send: Any) -> None:
        await PlainTextResponse("the app", status_code=299)(scope, receive, send)

    made = middleware(lambda: store, fields=FIELDS, look=LOOK)
    browser = TestClient(BelowLab(made.cls(behind, *made.args, **made.kwargs)), base_url=HERE)
    assert browser.get("/lab/room").status_code == 200
    assert browser.get("/lab/masking").status_code == 299
    assert browser.get("/lab/roomy").status_code == 299
