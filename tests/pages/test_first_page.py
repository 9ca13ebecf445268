"""The first page that a browser gets has our script before Streamlit's, and what pages are made of."""

import gzip
import re
from typing import Any

import pytest

from pages.browser import first_page
from pages.browser.first_page import ELEMENTS, files, needed, send_first_page
from pages.browser.screen import COOKIE
from pages.shell.http.files import FOLDER
from tests.coroutines import awaited
from tests.covering import each

THEIRS = (FOLDER / "index.html").read_bytes()


def asked(path: str, *, kind: str = "text/html; charset=utf-8", status: int = 200, **scope: Any) -> Any:
    """The head and the body of an answer, and the names of the headers that the app behind has seen."""
    sent, seen = [], []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.extend(name for name, _ in scope["headers"])
        headers = {"content-type": kind, "content-length": str(len(THEIRS)), "etag": "theirs"}
        encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": encoded})
        await send({"type": "http.response.body", "body": THEIRS[:1000], "more_body": True})
        await send({"type": "http.response.body", "body": THEIRS[1000:]})

    async def send(message: Any) -> None:
        sent.append(message)

    request = {"type": "http", "method": "GET", "path": path, "headers": [], **scope}
    awaited(send_first_page(app)(request, None, send))  # type: ignore[arg-type]
    body = b"".join(message["body"] for message in sent[1:])
    return dict(sent[0]["headers"]), body, seen


@each("packed", [False, True])
def test_every_page_begins_with_our_script(packed: bool) -> None:
    headers, body, _ = asked("/masking", headers=[(b"accept-encoding", b"gzip")] if packed else [])

    assert headers[b"content-length"] == str(len(body)).encode()
    assert (headers.get(b"content-encoding") == b"gzip") is packed
    assert b"etag" not in headers
    text = (gzip.decompress(body) if packed else body).decode()
    scripts = re.findall(r"<script[^>]*?(?: src=\"\./([^\"]*)\")?>", text)
    assert scripts[0] == files().address
    lines = iter(line.strip() for line in text.splitlines())
    assert all(line.strip() in lines for line in THEIRS.decode().splitlines()), "something of theirs is gone"


def test_a_browser_that_has_streamlits_page_is_given_ours() -> None:
    conditions = [(b"accept", b"text/html"), (b"if-none-match", b"theirs"), (b"if-modified-since", b"today")]

    assert asked("/", headers=conditions)[2] == [b"accept"]


def test_the_head_of_a_page_has_no_body() -> None:
    headers, body, _ = asked("/", method="HEAD")

    assert (headers[b"content-length"], body) == (str(len(files().page.encode())).encode(), b"")


@each("other", [{"kind": "application/json"}, {"status": 404}, {"method": "POST"}])
def test_other_files_than_the_page_stay_unchanged(other: dict[str, Any]) -> None:
    headers, body, _ = asked("/_stcore/host-config", **other)

    assert (headers[b"etag"], body) == (b"theirs", THEIRS)


def test_the_script_is_kept_under_a_name_that_changes_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    headers, body, _ = asked(f"/{files().address}")
    assert (headers[b"content-type"], body) == (b"text/javascript", files().script)
    assert b"immutable" in headers[b"cache-control"]
    assert f'"{COOKIE}"' in body.decode()

    before = files().address
    monkeypatch.setattr(first_page, "WAITS", 2999)
    first_page._files.cache_clear()
    assert files().address != before
    monkeypatch.undo()
    first_page._files.cache_clear()


def test_scripts_that_draw_figures_are_preloaded_with_the_page() -> None:
    fetched = re.findall(r'<link rel="modulepreload"[^>]* href="\./([^"]*)"', files().page)

    assert set(needed(ELEMENTS)) <= {*fetched, *re.findall(r'src="\./([^"]*)"', files().page)}
    assert len(fetched) == len(set(fetched)) > len(re.findall("modulepreload", THEIRS.decode()))
    assert all((FOLDER / path).is_file() for path in fetched)
    assert sum("/PlotlyChart." in path for path in fetched) == 1
