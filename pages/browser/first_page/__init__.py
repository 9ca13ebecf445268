"""The first page that a browser gets: Streamlit's, with our script and early requests for its files.

The script sends the size of the window, see `first_page.js`. Streamlit (1.67) fetches the script of an
element only when the first element of its kind arrives. The script for figures has five megabytes, so without
an early request the picture would wait longer for it than for its numbers.
"""

import hashlib
import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages import ENTRIES
from pages.browser.screen import with_room
from pages.shell.base import base, below_base
from pages.shell.http import asgi
from pages.shell.http.files import FOLDER, accepts_gzip, file_response, packed_response

HERE = Path(__file__).parent

ELEMENTS = (
    *("PlotlyChart", "BidiComponent", "Html", "TextInput", "Selectbox", "ButtonGroup"),
    *("Checkbox", "NumberInput", "Button"),
)
"""Elements of most pages, by the names that Streamlit gives to their scripts."""

WAITS = 3000
"""Milliseconds after which an unconnected page asks whether the server is full."""

SYMBOLS = "static/media/MaterialSymbols-Rounded.*.woff2"

_IMPORT = re.compile(r"""(?:from|import)\s*["']\./([^"']+\.js)["']""")


@asgi
async def send_first_page(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Send our page in place of Streamlit's, and our script; leave the rest to `app`."""
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        await app(scope, receive, send)
        return
    if below_base(scope) == f"/{files().address}":
        answer = packed_response(files().script, "text/javascript", accepts_gzip(scope))
        await answer(scope, receive, send)
        return
    page, is_page = _packed_page(files().page, accepts_gzip(scope)), False

    async def give(message: Message) -> None:
        nonlocal is_page
        if message["type"] == "http.response.start":
            kind = Headers(raw=message["headers"]).get("content-type", "")
            is_page = message["status"] == 200 and kind.startswith("text/html")
            if is_page:
                message = {**message, "headers": _described(message["headers"], page)}
        elif is_page:
            if message.get("more_body"):
                return
            body = b"" if scope["method"] == "HEAD" else bytes(page.body)
            message = {"type": "http.response.body", "body": body}
        await send(message)

    await app(_asked_anew(scope), receive, give)


def _described(theirs: Iterable[tuple[bytes, bytes]], page: Response) -> list[tuple[bytes, bytes]]:
    headers = MutableHeaders(raw=list(theirs))
    for name in ("etag", "last-modified", "content-encoding"):
        del headers[name]
    headers["content-length"] = page.headers["content-length"]
    headers.add_vary_header("accept-encoding")
    if "content-encoding" in page.headers:
        headers["content-encoding"] = page.headers["content-encoding"]
    return headers.raw


def _asked_anew(scope: Scope) -> Scope:
    """Return a request for the whole page, even if the browser has it: our part changes without its file."""
    if "text/html" not in Headers(scope=scope).get("accept", ""):
        return scope
    asked = [(name, value) for name, value in scope["headers"] if not name.startswith(b"if-")]
    return {**scope, "headers": asked}


class Files(NamedTuple):
    """Our script, which runs before Streamlit's, its address, which changes with its text, and the page."""

    script: bytes
    address: str
    page: str


def files() -> Files:
    """Return our files for the base path, which a process learns after it has loaded the app."""
    return _files(base())


@cache
def _files(at: str) -> Files:
    draws = json.dumps(f"./{_of('PlotlyChart').removeprefix('static/')}")
    entries = (HERE.parent / "history" / "entries.js").read_text("utf-8")
    pages = [entry.address for entry in ENTRIES]
    told = (
        f"const DRAWS = {draws}, WAITS = {WAITS};\nwindow.attentionLabBase = {json.dumps(at)};\n"
        f"window.attentionLabPages = {json.dumps(pages)};\n"
    )
    script = f"{{\n{told}{with_room(HERE / 'first_page.js')}{entries}}}\n".encode()
    address = f"static/first-page.{hashlib.sha256(script).hexdigest()[:16]}.js"
    theirs = (FOLDER / "index.html").read_text("utf-8")
    scripts = [path for path in needed(ELEMENTS) if path not in theirs]
    (symbols,) = (path.relative_to(FOLDER).as_posix() for path in FOLDER.glob(SYMBOLS))
    ours = [
        *(f'<link rel="modulepreload" crossorigin href="./{path}">' for path in scripts),
        f'<link rel="preload" href="./{symbols}" as="font" type="font/woff2" crossorigin>',
    ]
    first, rest = theirs.split("<script", 1)
    page = f'{first}<script src="./{address}"></script>\n<script{rest}'
    return Files(script, address, page.replace("</head>", "\n".join([*ours, "</head>"]), 1))


@cache
def _packed_page(page: str, gzipped: bool) -> Response:
    return packed_response(page.encode(), "text/html", gzipped)


def pack_ahead() -> None:
    """Compress the files that every browser requests first, which takes half a second, ahead of requests."""
    _packed_page(files().page, True)
    for path in re.findall(r'(?:src|href)="\./(static/[^"]+)"', files().page):
        if path != files().address:
            file_response(FOLDER / path, True)


def needed(elements: Iterable[str]) -> list[str]:
    """Return the scripts that show these elements, and those they import, from FOLDER on."""
    found: dict[str, None] = {}
    new = [_of(element) for element in elements]
    while new:
        path = new.pop(0)
        if path in found:
            continue
        found[path] = None
        new += [f"static/js/{name}" for name in _IMPORT.findall((FOLDER / path).read_text("utf-8"))]
    return list(found)


def _of(element: str) -> str:
    """Return the script that shows an element; raises ValueError unless there is exactly one."""
    (path,) = FOLDER.glob(f"static/js/{element}.*.js")
    return path.relative_to(FOLDER).as_posix()
