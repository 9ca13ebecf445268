"""Static files are sent as they are on the disk, packed for browsers that accept gzip, and are read once."""

import gzip
from pathlib import Path
from typing import Any

import pytest

from pages.home.pictures import GALLERY, GALLERY_ADDRESS
from pages.shell.http.files import FOLDER, FOR_A_YEAR, FrontendFiles, file_response
from tests.coroutines import awaited
from tests.covering import each

LEFT_TO_THE_APP = {"type": "left to the app"}
SCRIPT = max(FOLDER.glob("static/js/*.js"), key=lambda path: path.stat().st_size)
FONT = next(FOLDER.glob("static/media/*.woff2"))


def asked(middleware: FrontendFiles, path: str, **scope: Any) -> list[dict[str, Any]]:
    """Return the answer to a request for `path`."""
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("nothing of a request but its head is read")

    request = {"type": "http", "method": "GET", "path": path, "headers": [], **scope}
    awaited(middleware(request, receive, send))
    return sent


def front() -> FrontendFiles:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send(LEFT_TO_THE_APP)

    return FrontendFiles(app)


def answer(path: Path, accepted: bytes = b"") -> tuple[dict[bytes, bytes], bytes]:
    """Return the headers and the body of the answer for a file of the frontend."""
    headers = [(b"accept-encoding", accepted)] if accepted else []
    head, body = asked(front(), f"/{path.relative_to(FOLDER)}", headers=headers)
    assert (head["type"], head["status"], body["type"]) == ("http.response.start", 200, "http.response.body")
    return dict(head["headers"]), body["body"]


def test_a_script_is_packed_for_a_browser_that_accepts_gzip() -> None:
    headers, body = answer(SCRIPT, b"br, gzip;q=0.8")
    assert gzip.decompress(body) == SCRIPT.read_bytes()
    assert headers == {
        b"content-type": headers[b"content-type"],
        b"content-length": str(len(body)).encode(),
        b"cache-control": FOR_A_YEAR.encode(),
        b"vary": b"accept-encoding",
        b"content-encoding": b"gzip",
    }
    assert b"javascript" in headers[b"content-type"]
    assert len(body) < SCRIPT.stat().st_size / 2


@pytest.mark.parametrize(("path", "accepted"), [(SCRIPT, b""), (SCRIPT, b"br"), (FONT, b"gzip")])
def test_a_file_is_sent_unchanged_if_it_is_compressed_or_the_client_accepts_no_gzip(
    path: Path, accepted: bytes
) -> None:
    headers, body = answer(path, accepted)
    assert body == path.read_bytes()
    assert b"content-encoding" not in headers


def test_a_file_is_read_once_for_each_encoding() -> None:
    middleware, path, gzipped = front(), f"/{FONT.relative_to(FOLDER)}", [(b"accept-encoding", b"gzip")]
    file_response.cache_clear()

    first, *others = (asked(middleware, path, headers=headers) for headers in ([], gzipped, [], gzipped))

    assert file_response.cache_info().misses == 2
    assert others == [first] * 3


@each(
    "asked_for",
    [
        {"path": "/"},
        {"path": "/static/js/nothing.js"},
        {"path": "/static/../index.html"},
        {"path": "/static/js"},
        {"path": f"/{FONT.relative_to(FOLDER)}", "method": "HEAD"},
        {"path": "/_stcore/stream", "type": "websocket", "method": None},
        {"path": "", "type": "lifespan", "method": None},
    ],
)
def test_everything_else_is_left_to_the_app(asked_for: dict[str, Any]) -> None:
    assert asked(front(), **asked_for) == [LEFT_TO_THE_APP]


def test_pictures_of_the_gallery_are_handed_out_and_nothing_beside_them() -> None:
    picture = next(GALLERY.glob("*.webp"))
    head, body = asked(front(), f"{GALLERY_ADDRESS}{picture.name}")
    assert (head["status"], body["body"]) == (200, picture.read_bytes())
    assert dict(head["headers"])[b"content-type"] == b"image/webp"
    assert asked(front(), f"{GALLERY_ADDRESS}../icon.svg") == [LEFT_TO_THE_APP]
