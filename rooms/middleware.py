"""Rooms in front of an app: answers for phones, and a cookie for each browser of the app."""

from collections.abc import Callable
from contextlib import suppress
from threading import Thread

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rooms.browsers import Browsers
from rooms.documents import ADDRESS, Documents
from rooms.http import Endpoints
from rooms.limits import Limits
from rooms.store import Store, StoreError


class Rooms:
    """Middleware that answers requests for rooms, and passes all others to `app`.

    A browser that gets a page of the app also gets the cookie that tells it from others.
    """

    def __init__(self, app: ASGIApp, rooms: ASGIApp, store: Callable[[], Store]) -> None:
        self._app, self._rooms, self._browsers = app, rooms, Browsers(store)
        # Opened at the start, so that rooms that ended while the server was stopped are deleted at once.
        Thread(target=_open, args=(store,), name="rooms", daemon=True).start()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        path = scope.get("path", "").removeprefix(scope.get("root_path", ""))
        is_ours = scope["type"] == "http" and (path == ADDRESS or path.startswith(f"{ADDRESS}/"))
        if is_ours:
            await self._rooms(scope, receive, send)
        elif scope["type"] == "http" and scope["method"] == "GET":
            await self._app(scope, receive, _giving_cookie(send, HTTPConnection(scope), self._browsers))
        else:
            await self._app(scope, receive, send)


def _giving_cookie(send: Send, request: HTTPConnection, browsers: Browsers) -> Send:
    """Return a `send` that adds the cookie to a page if the browser has none."""

    async def give(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=list(message["headers"]))
            if headers.get("content-type", "").startswith("text/html"):
                with suppress(StoreError):  # the page works without a cookie
                    if not (await browsers.client(request)).browser:
                        headers.append("set-cookie", await browsers.header(request))
                        message = {**message, "headers": headers.raw}
        await send(message)

    return give


def middleware(
    store: Callable[[], Store], *, fields: str, look: str, key: str = "", listens_on: str = ""
) -> Middleware:
    """Return the middleware for an app. `store` is called at the start and with every request.

    `fields` is the script of the fields of questions and their solutions, `look` its style. `key` is the
    lecturers' key, if there is one, and `listens_on` the address that the server listens on.
    """
    rooms = Endpoints(store, Documents(fields, look), Limits(), key=key, listens_on=listens_on).app()
    return Middleware(Rooms, rooms=rooms, store=store)


def _open(store: Callable[[], Store]) -> None:
    with suppress(StoreError):  # requests report the error
        store()
