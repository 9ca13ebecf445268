"""Headers of requests: unreadable ones are refused before any other code looks at them."""

from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from access.limits import COOKIES
from pages.shell.http import asgi

Header = tuple[bytes, bytes]


@asgi
async def readable_headers(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse unreadable headers, and make cookies quick to parse.

    Python before 3.11.10 takes time quadratic in the backslashes of a cookie: half a minute for 64 KB. No
    cookie of this app has one, so they are removed. A host or an origin with odd brackets makes parsing the
    address of the request fail.
    """
    if scope["type"] not in ("http", "websocket"):
        await app(scope, receive, send)
        return
    status = _refusal(scope["headers"])
    if not status:
        await app({**scope, "headers": [_plain(header) for header in scope["headers"]]}, receive, send)
    elif scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
    else:
        said = "The headers of this request cannot be read."
        await PlainTextResponse(said, status_code=status)(scope, receive, send)


def _refusal(headers: list[Header]) -> int:
    """Return the status with which a request is refused; 0 if its headers can be read."""
    if sum(len(value) for name, value in headers if name == b"cookie") > COOKIES.n_bytes:
        return 431
    hosts = [b"//" + value for name, value in headers if name == b"host"]
    origins = [value for name, value in headers if name == b"origin"]
    return 0 if all(map(_is_address, hosts + origins)) else 400


def _is_address(value: bytes) -> bool:
    try:
        parts = urlsplit(value.decode("latin-1"))
        return parts.port is None or parts.port > 0
    except ValueError:
        return False


def _plain(header: Header) -> Header:
    name, value = header
    return name, value.replace(b"\\", b"") if name == b"cookie" else value
