"""Cookie with the key of the visitor's training: the server gives it with a page, and no script reads it."""

import secrets

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.browser.owner import A_DAY, BYTES, COOKIE, IS_KEY
from pages.shell.http import asgi
from rooms.browsers import cookie_header


@asgi
async def owner_cookie(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Send the cookie with every page; a browser keeps its key for another day."""
    if scope["type"] != "http" or scope["method"] != "GET":
        await app(scope, receive, send)
        return

    async def give(message: Message) -> None:
        if message["type"] == "http.response.start":
            kind = Headers(raw=message["headers"]).get("content-type", "")
            if kind.startswith("text/html"):
                request = HTTPConnection(scope)
                kept = request.cookies.get(COOKIE, "")
                key = kept if IS_KEY.fullmatch(kept) else secrets.token_urlsafe(BYTES)
                header = cookie_header(COOKIE, key, seconds=A_DAY, request=request).encode()
                message = {**message, "headers": [*message["headers"], (b"set-cookie", header)]}
        await send(message)

    await app(scope, receive, give)
