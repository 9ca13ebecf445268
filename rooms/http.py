"""Endpoints for phones and the projector, over plain HTTP; any process may answer.

Rooms are in the store alone, and each process counts its own rate limits. A phone gets its page once and
then asks about every two seconds for news. The solution does not leave the server before the reveal.
"""

import hashlib
import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlencode

import orjson
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from access.limits import QUESTION
from access.metrics import Counter
from rooms import hosting
from rooms.browsers import Browsers, base_of, cookie_header, is_encrypted
from rooms.documents import ADDRESS, Documents, qr_code
from rooms.free_words import LONGEST_ANSWER, MOST_LISTED
from rooms.lecturer import COOKIE as LECTURER
from rooms.lecturer import LASTS as LECTURER_COOKIE_LASTS
from rooms.lecturer import cookie_of, is_lecturer, is_right
from rooms.limits import Limits
from rooms.reach import Reach, reach
from rooms.replies import ReplyError, checked_reply, is_whole
from rooms.room import LASTS, Room
from rooms.room_access import COOKIE, RefusedError, RoomAccess, body_of, browser_of, check_origin
from rooms.room_state import compared_rounds, for_owner, for_phone, tag_of
from rooms.sealing import SealError, parse_context, unsealed
from rooms.store import Store, StoreError

Endpoint = Callable[[Request], Awaitable[Response]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {"cache-control": "no-store", "content-security-policy": POLICY}
"""Headers of every answer; the policy is stricter than for pages. `access.headers` adds others."""

ANSWERS = Counter("attention_lab_room_answers_total", "Answers of phones that this process has received.")

FOR_A_YEAR = "public, immutable, max-age=31536000"
CLOSED = "This room is closed."
OVER = "This question is over."
NO_MORE_ANSWERS = "This question takes no more answers."
WRONG_KEY = "This is not the lecturers' key: ask the operator of this server for it."
NO_KEY = "This server has no key for lecturers."

UNSEALED = "This question is from another server, or the server was restarted: load this page again."
WITH_KEY = " Lecturers enter their key at {}/room/lecturer and load this page again."

LONGEST_NAME = 200
"""The most characters of a code, a token, and the subject of a question."""

CAME = "came"
"""The query parameter that marks the address of a room after the browser has got its cookie."""


class Endpoints:
    """Endpoints below /room, of a server that listens on the address `listens_on`."""

    def __init__(
        self,
        store: Callable[[], Store],
        documents: Documents,
        limits: Limits,
        *,
        key: str = "",
        listens_on: str = "",
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._browsers = Browsers(store, clock)
        self._doors, self._documents, self._limits = RoomAccess(store, limits), documents, limits
        self._key, self._listens_on = key, listens_on

    def app(self) -> Starlette:
        """Return an app that answers only requests for rooms."""
        asked: dict[str, tuple[str, Endpoint]] = {
            "": ("GET", self.enter),
            "/files/{name}": ("GET", self.file),
            "/ask": ("POST", self.ask),
            "/lecturer": ("GET", self.lecturer),
            "/lecturer/key": ("POST", self.key),
            "/{code}": ("GET", self.page),
            "/{code}/state": ("GET", self.state),
            "/{code}/answer": ("POST", self.answer),
            "/{code}/owner": ("GET", self.owner),
            "/{code}/code.svg": ("GET", self.code),
            "/{code}/reveal": ("POST", self.reveal),
            "/{code}/approve": ("POST", self.approve),
            "/{code}/close": ("POST", self.close),
        }
        return Starlette(
            routes=[Route(ADDRESS + path, self.door(do), methods=[how]) for path, (how, do) in asked.items()]
        )

    def door(self, do: Endpoint) -> Endpoint:
        """Turn refusals into answers, and give every answer its headers and new browsers their cookie."""

        async def answer(request: Request) -> Response:
            try:
                client = request.state.client = await self._browsers.client(request)
                is_new = not client.browser and do in (self.enter, self.page)
                if is_new and do == self.page and CAME not in request.query_params:
                    # No room is looked up yet, so a program without cookies uses no allowance of its address.
                    response: Response = RedirectResponse(_once_more(request), 303)
                elif do == self.enter or self._limits.requests.take(client):
                    response = await do(request)
                else:
                    raise RefusedError(
                        429, "Too many requests from this browser or network: try again in a minute."
                    )
                if is_new:
                    response.headers.append("set-cookie", await self._browsers.header(request))
            except RefusedError as refused:
                response = _json({"refused": refused.said}, status=refused.status)
            except StoreError:
                response = _json({"refused": "Rooms cannot be reached at the moment: try again."}, status=503)
            except ClientDisconnect:
                response = Response(status_code=400)
            for name, value in HEADERS.items():
                response.headers.setdefault(name, value)
            return response

        return answer

    # Endpoints for phones.

    async def enter(self, request: Request) -> Response:
        """Answer with the page to type four letters on."""
        return _html(self._documents.enter(base_of(request)))

    async def file(self, request: Request) -> Response:
        """Answer with a script or the style."""
        found = self._documents.files.get(request.path_params["name"])
        if found is None:
            raise RefusedError(404, "There is no such file.")
        headers = {"cache-control": FOR_A_YEAR, "vary": "accept-encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(found.body, media_type=found.kind, headers=headers)
        return Response(found.packed, media_type=found.kind, headers=headers | {"content-encoding": "gzip"})

    async def page(self, request: Request) -> Response:
        """Answer with the page of a phone, and a cookie that identifies its answer."""
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
            raise RefusedError(429, "Many phones are joining at this moment: try again in a few seconds.")
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
        """Answer with the state of the room for a phone; 304 if the phone has it already."""
        room, browser = await self._doors.visited(request)
        if not self._limits.looks.take(browser):
            raise RefusedError(429, "Asked too often: wait a few seconds.")
        _check_open(room)
        if _has(request, tag := tag_of(room)):
            return _unchanged(tag)
        number = room.now.number if room.now else 0
        mine = await self._doors.ask(lambda store: store.answer_of(room.code, number, browser))
        return _json(for_phone(room, mine), tag=tag)

    async def answer(self, request: Request) -> Response:
        """Keep an answer; refuse an invalid or a late one."""
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
            value = checked_reply(asked.question, said.get("answer"))
        except ReplyError as error:
            raise RefusedError(400, f"This is not an answer: {error}.") from error
        kept = orjson.dumps(value).decode()
        # The store refuses answers after the reveal, and of more browsers than a round takes.
        if not await self._doors.ask(lambda store: store.answer(room.code, asked.number, browser, kept)):
            raise RefusedError(409, NO_MORE_ANSWERS)
        ANSWERS.count()
        return _json({"received": value})

    # Endpoints for the lecturers' key.

    async def lecturer(self, request: Request) -> Response:
        """Answer with the page to type the key on."""
        return _html(self._documents.lecturer(base_of(request)))

    async def key(self, request: Request) -> Response:
        """Give a browser that sends the key a cookie as proof; the key is in no address and no cookie."""
        check_origin(request)
        said = await body_of(request)
        if not is_right(self._key, str(said.get("key", ""))):
            raise RefusedError(403, WRONG_KEY if self._key else NO_KEY)
        response, value = _json({}), cookie_of(self._key, await self._browsers.secret())
        header = cookie_header(LECTURER, value, seconds=LECTURER_COOKIE_LASTS, request=request)
        response.headers.append("set-cookie", header)
        return response

    # Endpoints for the host of a room.

    async def owner(self, request: Request) -> Response:
        """Answer with the number of answers, and with the answers to revealed questions."""
        room = await self._doors.led(request)
        _check_open(room)
        counts = await self._doors.ask(
            lambda store: [store.count(room.code, one.number) for one in compared_rounds(room)]
        )
        tag = f"{tag_of(room)}.{'.'.join(map(str, counts))}"
        has_words = any(one.question["kind"] == "words" for one in compared_rounds(room))
        if not has_words and _has(request, tag):
            return _unchanged(tag)
        said = await self._doors.ask(lambda store: for_owner(store, room, counts))
        reached = self._reach(request)
        address = f"{reached.origin.partition('//')[2]}{base_of(request)}{ADDRESS}"
        said |= {"address": address, "warning": reached.warning}
        if not has_words:
            return _json(said, tag=tag)
        # A word can change while the count stays.
        tag = f"{tag}.{hashlib.sha256(orjson.dumps(said)).hexdigest()[:16]}"
        return _unchanged(tag) if _has(request, tag) else _json(said, tag=tag)

    def _reach(self, request: Request) -> Reach:
        return reach(
            request.scope["scheme"],
            request.headers.get("host", ""),
            listens_on=self._listens_on,
            is_forwarded="x-forwarded-for" in request.headers,
        )

    async def code(self, request: Request) -> Response:
        """Answer with the address of the room as a QR code, as phones can reach it."""
        room = await self._doors.led(request)
        address = f"{self._reach(request).origin}{base_of(request)}{ADDRESS}/{room.code}?key={room.key}"
        return Response(qr_code(address), media_type="image/svg+xml")

    async def ask(self, request: Request) -> Response:
        """Ask a question from this server, in the room of the token, or in a new one."""
        check_origin(request)
        said = await body_of(request, most=QUESTION.n_bytes)
        secret = await self._browsers.secret()
        try:
            question = unsealed(secret, said.get("sealed"), said.get("seal"))
            situation = parse_context(secret, said.get("situation"))
        except SealError:
            raise RefusedError(403, UNSEALED) from None
        code, token, about = (str(said.get(name) or "")[:LONGEST_NAME] for name in ("code", "token", "about"))
        client = request.state.client
        has_key = is_lecturer(self._key, secret, request.cookies.get(LECTURER, ""))
        try:
            led = await self._doors.ask(
                lambda store: hosting.ask_question(
                    store,
                    question,
                    about=about,
                    settings=situation.settings,
                    sentences=situation.sentences,
                    is_prepared=said.get("prepared") is not False,
                    code=code,
                    token=token,
                    may_open=lambda: self._limits.opened.take(client),
                    has_key=has_key,
                )
            )
        except hosting.OpeningError as error:
            more = WITH_KEY.format(base_of(request)) if self._key and not has_key else ""
            raise RefusedError(429, f"{error}{more}") from error
        except hosting.HostError as error:
            raise RefusedError(409, str(error)) from error
        return _json({"code": led.code, "token": led.token})

    async def approve(self, request: Request) -> Response:
        """Show the hall these free words of a round, and no others."""
        check_origin(request)
        room = await self._doors.led(request)
        said = await body_of(request, most=8 * MOST_LISTED * LONGEST_ANSWER)
        number, words = said.get("round"), said.get("words")
        if not is_whole(number) or number not in [one.number for one in room.rounds]:
            raise RefusedError(409, OVER)
        if not isinstance(words, list) or len(words) > MOST_LISTED or not all(_is_word(one) for one in words):
            raise RefusedError(400, f"Expected a list of {MOST_LISTED} words at most.")
        await self._doors.ask(lambda store: store.approve(room.code, number, words))
        return _json({})

    async def reveal(self, request: Request) -> Response:
        """Accept no more answers, and show the solution."""
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


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_ANSWER


def _once_more(request: Request) -> str:
    """Return the address of the request with `CAME`, so that a browser without cookies is redirected once."""
    return f"{request.url.path}?{urlencode([*request.query_params.multi_items(), (CAME, '1')])}"


def _check_open(room: Room) -> None:
    if room.is_closed:
        raise RefusedError(410, CLOSED)


def _has(request: Request, tag: str) -> bool:
    """Return whether the browser has the version of this tag; nginx makes a tag weak when it compresses."""
    return request.headers.get("if-none-match", "").removeprefix("W/") == f'"{tag}"'


def _unchanged(tag: str) -> Response:
    return Response(status_code=304, headers={"etag": f'"{tag}"'})


def _html(text: str, status: int = 200) -> Response:
    return Response(text, status_code=status, media_type="text/html")


def _json(value: Any, *, status: int = 200, tag: str = "") -> Response:
    headers = {"etag": f'"{tag}"'} if tag else {}
    return Response(orjson.dumps(value), status_code=status, media_type="application/json", headers=headers)
