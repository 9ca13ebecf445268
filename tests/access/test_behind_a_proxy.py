"""The app behind a proxy that ends TLS: every endpoint trusts only a named proxy, also below a path."""

import re
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route
from starlette.testclient import TestClient

import figures.http
from access.rules import PROXY, rules
from figures.export import File
from pages.browser.owner.cookie import owner_cookie
from pages.shell.base import pass_base_path, strip_root_path
from pages.shell.http import layers
from rooms import hosting
from rooms import middleware as rooms
from rooms.sqlite_store import SqliteStore
from tests.figures.test_http import client_of
from tests.rooms.questions import SKETCH

MATRIX = "/explorer?text=hot+tea&layer=1&head=1"


async def page(_: Any) -> HTMLResponse:
    return HTMLResponse("page")


class Served:
    """The endpoints of the app, and the answers that a visitor gets through a proxy."""

    def __init__(self, folder: Path, proxy: str, base: str, monkeypatch: pytest.MonkeyPatch) -> None:
        st.config.set_option("server.baseUrlPath", base)
        self.base, self.origins = base, []  # type: tuple[str, list[str]]
        self.store = SqliteStore(folder / "rooms.sqlite")
        monkeypatch.setattr(figures.http, "file", self.file)
        phones = rooms.middleware(lambda: self.store, fields="", look="")
        inner = layers(owner_cookie, strip_root_path)
        doors = [*layers(pass_base_path), phones, figures.http.middleware(client_of), *inner]
        app = Starlette(
            routes=[Route(f"{base}/", page)],
            middleware=[*rules("", environment={PROXY: proxy} if proxy else {}), *doors],
        )
        self.proxy = TestClient(app, base_url="http://lab.example", client=("10.0.0.7", 1))
        self.given = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"}

    def file(self, *_: Any, origin: str, **__: Any) -> File:
        self.origins.append(origin)
        return File("a.svg", b"<svg/>")

    def get(self, path: str, **headers: str) -> Any:
        return self.proxy.get(self.base + path, headers=self.given | headers)


@pytest.mark.parametrize(
    ("proxy", "scheme", "base"),
    [("192.0.2.1,10.0.0.0/8", "https", "/lab"), ("10.0.0.7", "https", ""), ("192.0.2.1", "http", "")],
)
def test_a_named_proxy_sets_the_address_in_links_codes_and_cookies(
    proxy: str, scheme: str, base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        served = Served(tmp_path, proxy, base, monkeypatch)
        led = hosting.ask_question(served.store, SKETCH, about="view 0", settings={})
        codes: list[str] = []
        monkeypatch.setattr("rooms.http.qr_code", lambda address: codes.append(address) or "<svg/>")

        answers = [
            served.get("/"),
            served.get(f"/room/{led.code}"),
            served.get(f"/room/{led.code}/code.svg", Authorization=f"Bearer {led.token}"),
            served.get(f"/figures/file?link={MATRIX.replace('&', '%26')}&format=svg"),
        ]
    finally:
        st.config.set_option("server.baseUrlPath", "")

    is_encrypted = scheme == "https"
    assert [one.status_code for one in answers] == [200] * 4
    assert re.fullmatch(rf"{scheme}://lab\.example{base}/room/{led.code}\?key=\w+", codes[0])
    assert served.origins == [f"{scheme}://lab.example{base}"]
    assert {"strict-transport-security" in one.headers for one in answers} == {is_encrypted}
    cookies = [cookie for one in answers for cookie in one.headers.get_list("set-cookie")]
    assert len(cookies) >= 2
    for cookie in cookies:
        assert ("; Secure" in cookie) is is_encrypted
        assert f"; Path={base}/" in cookie


def test_an_invalid_proxy_ends_the_process_with_a_sentence() -> None:
    with pytest.raises(SystemExit, match="ATTENTION_LAB_PROXY must be addresses or networks"):
        rules("", environment={PROXY: "proxy.example"})
