"""Streamlit's own scripts, styles and fonts, and the gallery's pictures: handed out from memory, packed once.

For every browser Streamlit (1.67) opens each of them anew, reads it piece by piece in another thread, and
sends it unpacked. A first visit asks for some hundred: they cost the server three times what the page does.
"""

import asyncio
import gzip
from mimetypes import guess_type
from pathlib import Path
from typing import NamedTuple

import streamlit
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.home.pictures import GALLERY, GALLERY_ADDRESS
from pages.shell.base import below_base

FOLDER = Path(streamlit.__file__).parent / "static"
FOR_A_YEAR = "public, immutable, max-age=31536000"
"""What Streamlit says of them too: their addresses have their hash in them."""

PACKED = ("text/", "application/javascript", "image/svg")
"""The beginnings of the types that packing makes smaller; fonts and pictures are packed already."""


_kept: dict[tuple[Path, bool], "File"] = {}
"""What has been asked for so far, packed and as it is: these files are few."""


class File(NamedTuple):
    """A file as it is sent: its type, and what is in it, packed or as it is."""

    kind: str
    body: bytes
    is_packed: bool


class FrontendFiles:
    """Middleware that answers for these files, and leaves everything else to `app`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        files = FOLDER.glob("static/**/*.*")
        self._paths = {f"/{path.relative_to(FOLDER).as_posix()}": path for path in files}
        self._paths |= {f"{GALLERY_ADDRESS}{path.name}": path for path in GALLERY.glob("*.webp")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        path = self._paths.get(below_base(scope)) if scope.get("method") == "GET" else None
        if path is None:
            await self._app(scope, receive, send)
            return
        key = path, unpacks(scope)
        file = _kept[key] if key in _kept else await asyncio.to_thread(keep, *key)
        await send_file(file, scope, send)


async def send_file(file: File, scope: Scope, send: Send) -> None:
    """Answer a request with a file that stays as it is."""
    headers = {
        "content-type": file.kind,
        "content-length": str(len(file.body)),
        "cache-control": FOR_A_YEAR,
        "vary": "accept-encoding",
        **({"content-encoding": "gzip"} if file.is_packed else {}),
    }
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": 200, "headers": encoded})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else file.body})


FRONTEND_FILES = Middleware(FrontendFiles)


def keep(path: Path, packed: bool) -> File:
    """A file, read once for all visitors."""
    return _kept.setdefault((path, packed), read(path, packed))


def read(path: Path, packed: bool) -> File:
    """A file, packed where that is asked for and makes it smaller."""
    return pack(guess_type(path.name)[0] or "application/octet-stream", path.read_bytes(), packed)


def pack(kind: str, body: bytes, packed: bool) -> File:
    """What a file holds, packed where that is asked for and makes it smaller."""
    if packed and kind.startswith(PACKED):
        return File(kind, gzip.compress(body, compresslevel=6), is_packed=True)
    return File(kind, body, is_packed=False)


def unpacks(scope: Scope) -> bool:
    """Whether whoever asks can unpack what is packed."""
    accepted = b",".join(value for name, value in scope["headers"] if name == b"accept-encoding")
    return b"gzip" in accepted
