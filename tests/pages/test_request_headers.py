"""Headers that cannot be read, or only slowly, reach nothing of the app."""

from pathlib import Path
from typing import Any

import pytest
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from access.limits import COOKIES
from pages.shell.http.request_headers import readable_headers
from tests.covering import each


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answer with the headers that the app gets."""
    asked = HTTPConnection(scope)
    said = {"cookies": asked.cookies, "host": asked.url.hostname, "origin": asked.headers.get("origin")}
    await JSONResponse(said)(scope, receive, send)


def browser() -> TestClient:
    return TestClient(readable_headers(app), base_url="http://lab.example:8501")


def test_headers_as_browsers_send_them_stay() -> None:
    said = browser().get("/", headers={"Cookie": 'a=1; b="c d"', "Origin": "http://lab.example:8501"}).json()
    assert said == {
        "cookies": {"a": "1", "b": "c d"},
        "host": "lab.example",
        "origin": "http://lab.example:8501",
    }
    assert browser().get("/", headers={"Origin": "null"}).json()["origin"] == "null"
    assert browser().get("/", headers={"Host": "[::1]:8501"}).json()["host"] == "::1"


def test_backslashes_are_taken_out_of_cookies() -> None:
    assert browser().get("/", headers={"Cookie": r'a="\"\101b"; c=\d'}).json()["cookies"] == {
        "a": '"101b',
        "c": "d",
    }


@each("host", ["[", "[::::]", "a:b", "a:99999"])
def test_an_unreadable_address_is_refused(host: str) -> None:
    assert browser().get("/", headers={"Host": host}).status_code == 400
    assert browser().get("/", headers={"Origin": f"http://{host}"}).status_code == 400


def test_too_many_cookies_are_refused() -> None:
    assert browser().get("/", headers={"Cookie": "a=" + "b" * COOKIES.n_bytes}).status_code == 431


def test_a_websocket_with_such_headers_is_closed() -> None:
    for headers in ({"Origin": "http://["}, {"Cookie": "a=" + "b" * COOKIES.n_bytes}):
        with pytest.raises(WebSocketDisconnect) as closed, browser().websocket_connect("/", headers=headers):
            pass
        assert closed.value.code == 1008


def test_nothing_but_the_rules_which_read_no_cookie_comes_before_it() -> None:
    app = (Path(__file__).parents[2] / "app.py").read_text("utf-8")
    first, second = app.partition("middleware = [")[2].split("\n")[1:3]
    assert first.strip().startswith("*rules(")
    assert second.strip().startswith("*layers(readable_headers, ")
