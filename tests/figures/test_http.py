"""Answers to requests for figures, and the sentences of refusals."""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from threading import Event
from time import sleep
from typing import Any
from urllib.parse import urlencode

import httpx2 as httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from access.buckets import AddressRateLimiter, Client
from access.limits import PICTURES, Shared
from core.sources import UnavailableError
from figures import http
from figures import queue as queueing
from figures.export import File
from figures.export_request import KINDS, LONGEST_LINK, ExportRequest
from figures.http import (
    ASKS_AGAIN,
    BROKEN,
    CROWDED,
    FORGOTTEN,
    FULL,
    HEADERS,
    NO_ADDRESS,
    TOO_OFTEN,
    export_app,
    place,
    plain,
)
from figures.queue import Queue
from figures.rendering import browser
from figures.rendering.exporter import NO_BROWSER, Exporter, ExportError
from pages.contract.measurement import NOTHING, MeasurementResult
from pages.contract.session_results import SESSION_RESULTS, SessionResults
from tests.covering import each
from tests.figures.made_up import SVG, MadeUp

HERE = "http://lab.example"
MATRIX = "/explorer?view=heads&text=hot+tea"


async def client_of(request: Request) -> Client:
    """Return the client of a request by its address and a plain cookie."""
    return Client(request.client.host if request.client else "", request.cookies.get("browser", ""))


class Asked:
    """A server of figures, a client, and a record of the requests."""

    def __init__(self, make: Callable[..., File] | None = None, **given: Any) -> None:
        self.exporter, self.requests = MadeUp(), []  # type: tuple[MadeUp, list[tuple[ExportRequest, Mapping[str, Any]]]]
        self.make = make
        self.app = export_app(self.exporter, client_of, given.pop("queue", None), **given)
        self.client = TestClient(self.app, base_url=HERE)

    def file(self, request: ExportRequest, _: Exporter, **more: Any) -> File:
        self.requests.append((request, more))
        return self.make(request) if self.make else File("a-name.svg", SVG)

    def get(self, path: str = "file", *, headers: Mapping[str, str] | None = None, **said: str) -> Any:
        return self.client.get(f"/figures/{path}?{urlencode(said)}", headers=dict(headers or {}))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """A server that follows every request."""
    one = Asked()
    monkeypatch.setattr(http, "file", one.file)
    return one


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> Asked:
    def make(_: ExportRequest) -> File:
        raise error

    one = Asked(make)
    monkeypatch.setattr(http, "file", one.file)
    return one


def test_the_query_is_the_order_and_the_answer_is_a_download(asked: Asked) -> None:
    said = {
        "key": "matrix",
        "format": "png",
        "preset": "acl-column",
        "theme": "dark",
        "scale": "4",
        "qr": "1",
    }
    answer = asked.get(link=MATRIX, title="0", transparent="1", **said)
    ((request, more),) = asked.requests
    assert (request.link, request.key, request.kind, request.scale) == (MATRIX, "matrix", "png", 4)
    assert (request.style.preset.name, request.style.theme.name) == ("acl-column", "dark")
    assert (request.style.title, request.style.transparent, request.style.qr) == (False, True, True)
    assert more["origin"] == HERE, "the QR code and the file lead back to this server"
    assert (answer.status_code, answer.content) == (200, SVG)
    assert answer.headers["content-disposition"] == 'attachment; filename="a-name.svg"'
    assert answer.headers["content-type"] == "image/png"


def test_a_picture_can_be_looked_at_and_nothing_else_is_opened(asked: Asked) -> None:
    assert asked.get(link=MATRIX, inline="1").headers["content-disposition"].startswith("inline")
    page = asked.get(link=MATRIX, inline="1", format="html")
    assert page.headers["content-disposition"].startswith("attachment")


@each("said", [{"link": MATRIX}, {"link": "/nowhere"}, {}])
def test_every_answer_has_the_headers_that_forbid_everything(asked: Asked, said: dict[str, str]) -> None:
    headers = asked.get(**said).headers
    assert {name: headers[name] for name in HEADERS} == HEADERS
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "script" not in policy
    assert "sandbox" in policy


@each(
    ("error", "status", "again"),
    [
        (UnavailableError("There is no page *so*."), 404, None),
        (ExportError(NO_BROWSER), 503, "30"),
        (ValueError("secret path /root"), 500, None),
        (AssertionError("secret"), 500, None),
    ],
)
def test_an_error_is_a_sentence_as_plain_text(
    monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, again: str | None
) -> None:
    answer = failing(monkeypatch, error).get(link=MATRIX)
    assert (answer.status_code, answer.headers.get("retry-after")) == (status, again)
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text == (BROKEN if status == 500 else plain(str(error)))


@each(
    "said",
    [
        {},
        {"link": "explorer"},
        {"link": "//[elsewhere"},
        {"link": "//elsewhere.example/"[1:] + "x" * LONGEST_LINK},
        *({"link": MATRIX, name: "<script>"} for name in ("format", "preset", "theme", "scale")),
    ],
)
def test_a_wrong_order_is_refused_without_repeating_typed_text(asked: Asked, said: dict[str, str]) -> None:
    answer = asked.get(**said)
    assert answer.status_code == 400
    assert answer.text.endswith(".")
    assert "script" not in answer.text
    assert asked.requests == []


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_pages_of_other_servers_get_nothing(asked: Asked, site: str) -> None:
    assert asked.get(link=MATRIX, headers={"Sec-Fetch-Site": site}).status_code == 403
    assert asked.get("pictures", link=MATRIX, headers={"Sec-Fetch-Site": site}).status_code == 403
    assert asked.requests == []
    assert asked.get(link=MATRIX, headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200


@each("host", ["lab.example/x", "a b", "<b>", "user@lab.example", ""])
def test_a_server_without_a_proper_name_is_not_named_in_a_file(asked: Asked, host: str) -> None:
    asked.get(link=f"/explorer?text={len(asked.requests)}", headers={"Host": host})
    assert asked.requests[-1][1]["origin"] == ""


@pytest.mark.parametrize("host", ["localhost:8501", "127.9.9.9:80", "[::1]:8501", "0.0.0.0:8501"])
def test_a_link_from_localhost_names_no_server_and_has_no_code(asked: Asked, host: str) -> None:
    asked.get(link=MATRIX, headers={"Host": host})
    assert [more["origin"] for _, more in asked.requests] == [""]
    refused = asked.get(link=MATRIX, qr="1", headers={"Host": host})
    assert (refused.status_code, refused.text) == (400, plain(NO_ADDRESS))
    said = [asked.get("pictures", link=MATRIX, headers={"Host": name}).content for name in (host, HERE[7:])]
    assert [json.loads(one)["has_address"] for one in said] == [False, True]


def test_equal_orders_are_made_once_for_each_name_of_the_server(asked: Asked) -> None:
    asked.get(link=MATRIX, inline="1")
    asked.get(link=MATRIX)
    assert len(asked.requests) == 1, "the preview, then its file"
    asked.get(link=MATRIX, headers={"Host": "other.example"})
    asked.get(link=MATRIX, theme="dark")
    assert len(asked.requests) == 3


def test_a_refusal_has_the_time_of_the_next_try(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    full = Asked(queue=Queue(at_once=1, waiting=-1)).get(link=MATRIX)
    assert (full.status_code, full.text) == (503, FULL)
    monkeypatch.setattr(http, "FILES", Shared("", (0, 0), (0, 0)))
    often = Asked().get(link=MATRIX)
    assert (often.status_code, often.text) == (429, TOO_OFTEN)
    assert {one.headers["retry-after"].isdecimal() for one in (often, full)} == {True}
    panel = Asked(queue=Queue(at_once=1, waiting=-1))
    waits = panel.get(link=MATRIX, headers={"prefer": ASKS_AGAIN})
    assert (waits.status_code, waits.text) == (202, CROWDED), "the panel waits until there is room"


def test_the_pictures_of_a_link_are_named_and_the_formats_that_can_be_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(browser, "find", lambda: "chromium")
    one = Asked()
    said = json.loads(one.get("pictures", link=MATRIX).content)
    named = {one["key"]: one["alt"] for one in said["pictures"]}
    assert next(iter(named)) == "heads_grid"
    assert "2 words" in named["matrix"]
    assert (said["formats"], said["missing"]) == (list(KINDS), "")
    assert one.exporter.jobs == [], "nothing is drawn to say so"
    monkeypatch.setattr(browser, "find", lambda: None)
    without = json.loads(Asked().get("pictures", link=MATRIX).content)
    assert (without["formats"], without["missing"]) == (["csv", "html"], NO_BROWSER)
    nothing = json.loads(Asked().get("pictures", link="/sources").content)
    assert nothing["pictures"] == []


@each("text", ["<b>hot</b> tea", "=1+1", "../../etc/passwd", "a\r\nSet-Cookie: x", '"; x="'])
def test_hostile_words_become_text_of_a_file_and_nothing_of_its_name(text: str) -> None:
    one = Asked()
    answer = one.get(link=f"/explorer?{urlencode({'view': 'heads', 'text': text})}", key="matrix")
    assert answer.status_code == 200
    name = answer.headers["content-disposition"].removeprefix('attachment; filename="')
    assert set(name) <= set('abcdefghijklmnopqrstuvwxyz0123456789-."')
    assert name.endswith('.svg"')
    assert "set-cookie" not in answer.headers


@each(
    "link",
    ["/\x00", "/explorer?view=<script>", "//evil.example", "/lecture?deck=x", "/%", "/?" + "a=1&" * 900],
)
def test_hostile_links_never_break_anything(link: str) -> None:
    for path in ("file", "pictures"):
        assert Asked().get(path, link=link).status_code in (200, 400, 404)


def test_results_of_a_session_are_drawn_for_requests_with_its_token(asked: Asked) -> None:
    mine = SessionResults(MeasurementResult("this", (1, 2)), live="going on")
    SESSION_RESULTS.keep("a-token", mine)
    asked.get(link=MATRIX, seen="a-token")
    asked.get(link=MATRIX, seen="a-token")
    assert [more["live"] for _, more in asked.requests] == ["going on"] * 2, "it may have gone on meanwhile"
    assert asked.requests[0][1]["measure"] == mine.measure
    SESSION_RESULTS.keep("a-token", mine._replace(live="gone on"))
    asked.get(link=MATRIX, seen="a-token.1")
    SESSION_RESULTS.keep("a-token", mine._replace(live="gone further"))
    for kind in ("svg", "pdf"):
        asked.get(link=MATRIX, seen="a-token.1", format=kind)
    asked.get(link=MATRIX, seen="a-token.2")
    assert [more["live"] for _, more in asked.requests[2:]] == ["gone on", "gone on", "gone further"], (
        "all formats of a panel show the same step"
    )
    SESSION_RESULTS.keep("a-token", SessionResults(live="at the end"))
    asked.get(link=MATRIX, seen="a-token")
    assert asked.requests[-1][1]["live"] == "at the end"
    asked.get(link=MATRIX)
    assert asked.requests[-1][1]["live"] is None
    gone = asked.get(link=MATRIX, seen="another")
    assert (gone.status_code, gone.text) == (404, FORGOTTEN)
    assert SessionResults().measured is NOTHING


FORMATS = ("svg", "png", "pdf", "pptx", "csv", "html", "zip")


@pytest.mark.parametrize(
    ("asks_again", "has_cookies"), [(False, False), (True, True)], ids=["links", "panels"]
)
def test_visitors_at_one_address_save_all_formats_at_once_and_none_is_refused(
    *, asks_again: bool, has_cookies: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queueing, "PATIENCE", 0.2)
    if asks_again:
        monkeypatch.setattr(queueing, "OF_ADDRESS", 40)  # a full queue refuses no panel
    one = Asked(lambda request: sleep(0.01) or File("a", request.link.encode()))
    monkeypatch.setattr(http, "file", one.file)
    told: list[str] = []

    async def save(client: httpx.AsyncClient, visitor: int, kind: str) -> tuple[int, bytes]:
        query = urlencode({"link": f"/masking?view=paint&text={visitor}", "format": kind})
        headers = {"prefer": ASKS_AGAIN} if asks_again else {}
        while (answer := await client.get(f"/figures/file?{query}", headers=headers)).status_code == 202:
            told.append(answer.text)
        return answer.status_code, answer.content

    async def go() -> list[tuple[int, bytes]]:
        def visitor(number: int) -> httpx.AsyncClient:
            cookies = {"browser": str(number)} if has_cookies else {}
            transport = httpx.ASGITransport(one.app)
            return httpx.AsyncClient(transport=transport, base_url=HERE, cookies=cookies, timeout=60)

        clients = [visitor(number) for number in range(8)]
        found = await asyncio.gather(
            *(save(client, number, kind) for number, client in enumerate(clients) for kind in FORMATS)
        )
        for client in clients:
            await client.aclose()
        return found

    found = asyncio.run(go())
    expected = [f"/masking?view=paint&text={number}".encode() for number in range(8) for _ in FORMATS]
    assert found == [(200, content) for content in expected]
    if asks_again:
        assert any(re.fullmatch(r"\d+ figures are before yours …", text) for text in told)


def test_a_waiting_visitor_gets_the_place_and_the_order_counts_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(queueing, "PATIENCE", 0.01)
    go_on, counted = Event(), []
    one = Asked(lambda _: go_on.wait(20) and File("a.svg", SVG))
    monkeypatch.setattr(http, "file", one.file)
    monkeypatch.setattr(AddressRateLimiter, "take", lambda _, client: counted.append(client) or True)
    asks_again = {"prefer": ASKS_AGAIN}
    with one.client:
        for preset in ("slide", "half", "square"):
            said = one.get(link=MATRIX, preset=preset, headers=asks_again)
        assert (said.status_code, said.text) == (202, "2 figures are before yours …")
        assert said.headers["retry-after"] == "0"
        again = [one.get(link=MATRIX, preset=name, headers=asks_again) for name in ("slide", "square")]
        assert [answer.text for answer in again] == [place(0), place(2)]
        assert len(counted) == 3
        go_on.set()
        while (said := one.get(link=MATRIX, preset="square", headers=asks_again)).status_code == 202:
            pass
    assert (said.status_code, said.content, len(counted)) == (200, SVG, 3)
    assert place(1) == "1 figure is before yours …"


def test_below_a_base_path_files_are_answered_and_lead_back_there(asked: Asked) -> None:
    async def behind(scope: Any, receive: Any, send: Any) -> None:
        await PlainTextResponse("the app", status_code=299)(scope, receive, send)

    async def below(scope: Any, receive: Any, send: Any) -> None:
        await http._before(behind, asked.app)({**scope, "root_path": "/lab"}, receive, send)

    client = TestClient(below, base_url=HERE)
    assert client.get(f"/lab/figures/file?{urlencode({'link': MATRIX})}").content == SVG
    assert [more["origin"] for _, more in asked.requests] == [f"{HERE}/lab"]
    assert client.get("/lab/masking").status_code == 299


def test_the_pictures_of_a_lecture_come_with_the_order(asked: Asked) -> None:
    address = f"/figures/file?{urlencode({'link': '/lecture?deck=~a', 'format': 'pptx'})}"
    assert asked.client.post(address, json=["a", "b", "a"]).status_code == 200
    ((request, _),) = asked.requests
    assert request.pictures == ("a", "b")

    for body in (b"", b"{", b"3", b'{"a": "b"}', b"[1]", b'["\xff"]'):
        answer = asked.client.post(address, content=body)
        assert (answer.status_code, answer.text) == (400, http.NO_PICTURES)
    large = asked.client.post(address, content=b'["' + b"a" * PICTURES.n_bytes + b'"]')
    assert (large.status_code, large.text) == (400, http.TOO_LARGE)
    foreign = asked.client.post(address, json=["a"], headers={"sec-fetch-site": "cross-site"})
    assert foreign.status_code == 403
    assert asked.client.post("/figures/pictures?link=/", json=[]).status_code == 405
    assert len(asked.requests) == 1
