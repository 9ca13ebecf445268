"""Static files served from memory: Streamlit's scripts, styles and fonts, and the gallery's pictures.

A first visit to the explorer requests 115 files over one connection. Without nginx it cost the server:

| server | CPU | sent |
|---|---|---|
| this middleware | 20 ms | 2.75 MB |
| the handler of Streamlit (1.67), which reads each file anew and compresses none | 180 ms | 7.95 MB |
| the same behind Starlette's GZipMiddleware at level 6, which compresses each file anew | 420 ms | 2.75 MB |

nginx caches none of them, so that it needs no disk.
"""

import gzip
from functools import cache
from mimetypes import guess_type
from pathlib import Path

import streamlit
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.home.pictures import GALLERY, GALLERY_ADDRESS
from pages.shell.base import below_base

FOLDER = Path(streamlit.__file__).parent / "static"
FOR_A_YEAR = "public, immutable, max-age=31536000"
"""Streamlit's own value for these files: their addresses contain a hash of them."""

PACKED = ("text/", "application/javascript", "image/svg")
"""Beginnings of the types that gzip makes smaller; fonts and pictures are compressed already."""


class FrontendFiles:
    """Middleware that answers requests for static files and passes all others to `app`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        files = FOLDER.glob("static/**/*.*")
        self._paths = {f"/{path.relative_to(FOLDER).as_posix()}": path for path in files}
        self._paths |= {f"{GALLERY_ADDRESS}{path.name}": path for path in GALLERY.glob("*.webp")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = self._paths.get(below_base(scope)) if scope.get("method") == "GET" else None
        answer = file_response(path, accepts_gzip(scope)) if path else self._app
        await answer(scope, receive, send)


@cache
def file_response(path: Path, gzipped: bool) -> Response:
    """Return the response with a file, which is read once for all visitors."""
    kind = guess_type(path.name)[0] or "application/octet-stream"
    return packed_response(path.read_bytes(), kind, gzipped)


def packed_response(body: bytes, kind: str, gzipped: bool) -> Response:
    """Return a response that browsers keep, packed if that is asked for and makes its type smaller."""
    headers = {"content-type": kind, "cache-control": FOR_A_YEAR, "vary": "accept-encoding"}
    if gzipped and kind.startswith(PACKED):
        body = gzip.compress(body, compresslevel=6)
        headers["content-encoding"] = "gzip"
    return Response(body, headers=headers)


def accepts_gzip(scope: Scope) -> bool:
    """Return whether the client of a request accepts gzip."""
    return "gzip" in ",".join(Headers(scope=scope).getlist("accept-encoding"))
