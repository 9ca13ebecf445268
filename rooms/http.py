"""What phones and the projector ask for, as plain HTTP: any process may answer, none keeps anything of it.

A phone gets its page once and then asks every two seconds or so whether there is something new. What is right
does not leave the server before the reveal.
"""

import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from threading import Thread
from typing import Any
from urllib.parse import urlencode

import orjson
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rooms.answers import AnswerError, answer_to, is_whole
from rooms.browsers import Browsers, base_of, cookie_header, is_encrypted
from rooms.documents import ADDRESS, Documents
from rooms.doors import Doors
from rooms.lecturer import COOKIE as LECTURER
from rooms.lecturer import LASTS as LECTURES
from rooms.lecturer import cookie_of, is_right
from rooms.limits import Limits
from rooms.qr import picture
from rooms.requests import (
    COOKIE,
    RefusedError,
    body_of,
    browser_of,
    check_origin,
    origin_of,
)
from rooms.room import LASTS, Room
from rooms.said import compared, for_owner, for_phone, tag_of
from rooms.store import Store, StoreError

Answer = Callable[[Request], Awaitable[Response]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
}
"""Of every answer. Behind nginx its own stand in their place."""

FOR_A_YEAR = "public, immutable, max-age=31536000"
CLOSED = "This room is closed."
OVER = "This question is over."
WRONG_KEY = "This is not the key of the lecturers."
NO_KEY = "This server has no key for lecturers."

CAME = "came"
"""Stands in the address of a room once a browser has been given its cookie."""


class Rooms:
    """Middleware that answers for rooms, and leaves everything else to `app`.

    A browser that gets a page of the app gets the cookie by which limits tell it from others.
    """

    def __init__(self, app: ASGIApp, rooms: ASGIApp, store: Callable[[], Store]) -> None:
        self._app, self._rooms, self._browsers = app, rooms, Browsers(store)
        # Opened at the start: what a server has left behind that was stopped is swept without anybody asking.
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
    """Send what the app sends, and a cookie with a page if the browser has none."""

    async def give(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=list(message["headers"]))
            if headers.get("content-type", "").startswith("text/html"):
                with suppress(StoreError):  # the page does without
                    if not (await browsers.client(request)).browser:
                        headers.append("set-cookie", await browsers.header(request))
                        message = {**message, "headers": headers.raw}
        await send(message)

    return give


def middleware(store: Callable[[], Store], *, fields: str, look: str, key: str = "") -> Middleware:
    """The middleware for an app. `store` is asked for at the start, and with every request.

    `fields` is the script that makes the field of a question and resolves an answer, `look` its style; `key`
    is the key of the lecturers, if they have one.
    """
    rooms = answering(store, Documents(fields, look), Limits(), key=key)
    return Middleware(Rooms, rooms=rooms, store=store)


def answering(
    store: Callable[[], Store],
    documents: Documents,
    limits: Limits,
    *,
    key: str = "",
    clock: Callable[[], float] = time.time,
) -> Starlette:
    """An app that answers for rooms alone."""
    phones = _Phones(store, documents, limits, key, clock)
    asked: dict[str, tuple[str, Answer]] = {
        "": ("GET", phones.enter),
        "/files/{name}": ("GET", phones.file),
        "/lecturer": ("GET", phones.lecturer),
        "/lecturer/key": ("POST", phones.key),
        "/{code}": ("GET", phones.page),
        "/{code}/state": ("GET", phones.state),
        "/{code}/answer": ("POST", phones.answer),
        "/{code}/owner": ("GET", phones.owner),
        "/{code}/code.svg": ("GET", phones.code),
        "/{code}/reveal": ("POST", phones.reveal),
        "/{code}/close": ("POST", phones.close),
    }
    return Starlette(
        routes=[Route(ADDRESS + path, phones.door(do), methods=[how]) for path, (how, do) in asked.items()]
    )


class _Phones:
    """The answers to what is asked below /room."""

    def __init__(
        self,
        store: Callable[[], Store],
        documents: Documents,
        limits: Limits,
        key: str,
        clock: Callable[[], float],
    ) -> None:
        self._browsers = Browsers(store, clock)
        self._doors, self._documents, self._limits = Doors(store, limits), documents, limits
        self._key = key

    def door(self, do: Answer) -> Answer:
        """Where a refusal becomes an answer, and every answer gets its headers."""

        async def answer(request: Request) -> Response:
            try:
                client = request.state.client = await self._browsers.client(request)
                is_new = not client.browser and do in (self.enter, self.page)
                if is_new and do == self.page and CAME not in request.query_params:
                    # Nothing is looked up yet: a program that keeps no cookie uses up nothing of its address.
                    response: Response = RedirectResponse(_once_more(request), 303)
                elif do == self.enter or self._limits.requests.take(client):
                    response = await do(request)
                else:
                    raise RefusedError(429, "Too many requests from this browser or network.")
                if is_new:
                    response.headers.append("set-cookie", await self._browsers.header(request))
            except RefusedError as refused:
                response = _json({"refused": refused.said}, status=refused.status)
            except StoreError:
                response = _json({"refused": "Rooms cannot be reached at the moment."}, status=503)
            except ClientDisconnect:
                response = Response(status_code=400)
            for name, value in HEADERS.items():
                response.headers.setdefault(name, value)
            return response

        return answer

    # What a phone asks for.

    async def enter(self, request: Request) -> Response:
        """The page to type four letters on."""
        return _html(self._documents.enter(base_of(request)))

    async def file(self, request: Request) -> Response:
        """A script or the style."""
        found = self._documents.files.get(request.path_params["name"])
        if found is None:
            raise RefusedError(404, "There is no such file.")
        headers = {"cache-control": FOR_A_YEAR, "vary": "accept-encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(found.body, media_type=found.kind, headers=headers)
        return Response(found.packed, media_type=found.kind, headers=headers | {"content-encoding": "gzip"})

    async def page(self, request: Request) -> Response:
        """The page of a phone, and the cookie by which its one answer is known."""
        try:
            room = await self._doors.found(request)
            _check_open(room)
            return self._let_in(request, room)
        except RefusedError as refused:
            return _html(self._documents.enter(base_of(request), refused.said), status=refused.status)

    def _let_in(self, request: Request, room: Room) -> Response:
        response = _html(self._documents.phone(base_of(request), room.code))
        if browser_of(request, room) is not None:
            return response
        if not self._limits.arrivals.take(request.state.client):
            raise RefusedError(429, "Many are coming in at this moment: try again in a few seconds.")
        response.set_cookie(
            COOKIE,
            room.new_cookie(),
            max_age=LASTS,
            path=f"{base_of(request)}{ADDRESS}/{room.code}",
            secure=is_encrypted(request),
            httponly=True,
            samesite="strict",
        )
        return response

    async def state(self, request: Request) -> Response:
        """What the phone is to show; 304 where it shows that already."""
        room, browser = await self._doors.visited(request)
        if not self._limits.looks.take(browser):
            raise RefusedError(429, "Asked too often.")
        _check_open(room)
        if _has(request, tag := tag_of(room)):
            return _unchanged(tag)
        number = room.now.number if room.now else 0
        mine = await self._doors.ask(lambda store: store.answer_of(room.code, number, browser))
        return _json(for_phone(room, mine), tag=tag)

    async def answer(self, request: Request) -> Response:
        """Keep an answer, or say why not: what is no answer, and what comes too late."""
        check_origin(request)
        room, browser = await self._doors.visited(request)
        said = await body_of(request)
        if not self._limits.answers.take(browser):
            raise RefusedError(429, "One answer a second is enough: the last one counts.")
        _check_open(room)
        asked = room.now
        number = said.get("round")
        if asked is None or not is_whole(number) or number != asked.number:
            raise RefusedError(409, OVER)
        try:
            value = answer_to(asked.question, said.get("answer"))
        except AnswerError as error:
            raise RefusedError(400, f"This is no answer: {error}.") from error
        kept = orjson.dumps(value).decode()
        # The store looks once more: somebody may reveal it at this moment.
        if not await self._doors.ask(lambda store: store.answer(room.code, asked.number, browser, kept)):
            raise RefusedError(409, OVER)
        return _json({"received": value})

    # The key of the lecturers.

    async def lecturer(self, request: Request) -> Response:
        """The page to type the key on."""
        return _html(self._documents.lecturer(base_of(request)))

    async def key(self, request: Request) -> Response:
        """Keep in the browser that it has sent the key; the key itself stands in no address and no cookie."""
        check_origin(request)
        said = await body_of(request)
        if not is_right(self._key, str(said.get("key", ""))):
            raise RefusedError(403, WRONG_KEY if self._key else NO_KEY)
        response, value = _json({}), cookie_of(self._key, await self._browsers.secret())
        header = cookie_header(LECTURER, value, seconds=LECTURES, request=request)
        response.headers.append("set-cookie", header)
        return response

    # What whoever leads the room asks for.

    async def owner(self, request: Request) -> Response:
        """How many have answered, and of what is revealed also what."""
        room = await self._doors.led(request)
        _check_open(room)
        counts = await self._doors.ask(
            lambda store: [store.count(room.code, one.number) for one in compared(room)]
        )
        if _has(request, tag := f"{tag_of(room)}.{'.'.join(map(str, counts))}"):
            return _unchanged(tag)
        return _json(await self._doors.ask(lambda store: for_owner(store, room, counts)), tag=tag)

    async def code(self, request: Request) -> Response:
        """The address of the room as a QR code, under the name by which this browser knows the server."""
        room = await self._doors.led(request)
        address = f"{origin_of(request)}{base_of(request)}{ADDRESS}/{room.code}?key={room.key}"
        return Response(picture(address), media_type="image/svg+xml")

    async def reveal(self, request: Request) -> Response:
        """Take no more answers, and show what is right."""
        check_origin(request)
        room = await self._doors.led(request)
        if room.now is not None:
            number = room.now.number
            await self._doors.ask(lambda store: store.reveal(room.code, number))
        return _json({})

    async def close(self, request: Request) -> Response:
        """End the room."""
        check_origin(request)
        room = await self._doors.led(request)
        await self._doors.ask(lambda store: store.close(room.code))
        return _json({})


def _open(store: Callable[[], Store]) -> None:
    with suppress(StoreError):  # whoever asks is told
        store()


def _once_more(request: Request) -> str:
    """Return the address that is asked for, marked so that nobody without cookies is sent in a circle."""
    return f"{request.url.path}?{urlencode([*request.query_params.multi_items(), (CAME, '1')])}"


def _check_open(room: Room) -> None:
    if room.is_closed:
        raise RefusedError(410, CLOSED)


def _has(request: Request, tag: str) -> bool:
    """Whether the browser has what has this tag; nginx makes a tag weak where it packs."""
    return request.headers.get("if-none-match", "").removeprefix("W/") == f'"{tag}"'


def _unchanged(tag: str) -> Response:
    return Response(status_code=304, headers={"etag": f'"{tag}"'})


def _html(text: str, status: int = 200) -> Response:
    return Response(text, status_code=status, media_type="text/html")


def _json(value: Any, *, status: int = 200, tag: str = "") -> Response:
    headers = {"etag": f'"{tag}"'} if tag else {}
    return Response(orjson.dumps(value), status_code=status, media_type="application/json", headers=headers)
