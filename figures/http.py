"""Figures as files over plain HTTP: a query is a request, and the answer is the file.

Any process may answer, because the link says all. Only the process of a session has what the session has
measured or trained.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, replace
from ipaddress import ip_address
from urllib.parse import quote

import orjson
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from access.bodies import TooLargeError, read_body
from access.buckets import AddressRateLimiter, Client
from access.limits import FILES, PICTURES
from core.sources import UnavailableError
from core.store import STORE
from figures import queue
from figures.export import File, file, is_long, requested_pictures
from figures.export_request import (
    KINDS,
    ExportRequest,
    ExportRequestError,
    NothingToSaveError,
    parse_export_request,
)
from figures.plain import plain as without_markdown
from figures.queue import FullError, Queue
from figures.rendering import browser
from figures.rendering.exporter import NO_BROWSER, Exporter, ExportError
from pages.contract.session_results import HELD, SESSION_RESULTS, SessionResults
from pages.lecture.deck_file import TOO_LARGE
from words import counted

ADDRESS = "/figures"

POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; sandbox"
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": POLICY,
    "cross-origin-resource-policy": "same-origin",
}
"""Headers of every answer: a picture that is opened by itself runs no script and sends no request.

`access.headers` adds others.
"""

WARNING = "x-warning"
"""The header with a warning about characters that could not be drawn, percent-encoded; empty without one."""

NOT_DRAWN = ("csv", "html")
"""The formats that need no browser if the picture is Plotly's."""

HOST = re.compile(r"[A-Za-z0-9.-]+(:[0-9]{1,5})?|\[[0-9a-fA-F:]+\](:[0-9]{1,5})?")
"""The names of servers that a file may have in its link."""

OF_THIS_PAGE = ("same-origin", "none", "")
"""`sec-fetch-site` of a page of this server and of a visitor; old browsers send none."""

BRACKETS = str.maketrans("", "", "<>")
"""Remove the signs that a browser could take for the ends of a tag."""

LONGEST_SENTENCE = 400

LEFT = 499
"""Client closed the request (nginx's status)."""

FORGOTTEN = (
    "The measurement or training of this page is no longer kept. Press its button again, "
    "then save the picture."
)
NO_PICTURES = "The pictures did not arrive completely. Try again."
FOREIGN = "Only pages of this server may ask for figures."
NO_ADDRESS = (
    "A QR code needs an address that a phone can reach, and this page was opened from its own machine. "
    "Open it by the machine's name in the network, then save the picture."
)
TOO_OFTEN = "This browser or network has requested too many files. Try again in a minute."
FULL = "Many figures are being made at the moment. Try again in a few seconds."
CROWDED = "Many figures are being made at the moment. Yours waits for a place …"
BROKEN = "This figure could not be made. The server's log says why."

AT_ONCE, SOON, LATER = ({"retry-after": seconds} for seconds in ("0", "5", "30"))
"""Headers that say after how many seconds to ask again."""

ASKS_AGAIN = "respond-async"
"""The value of the header `prefer` from clients that ask again for a waiting request, see RFC 7240.

Other clients, such as a browser that follows a link to a file, wait for the answer.
"""


ClientOf = Callable[[Request], Awaitable[Client]]
"""Function that returns the client of a request."""

_log = logging.getLogger(__name__)


def middleware(client_of: ClientOf, line: Queue | None = None) -> Middleware:
    """Return the middleware for an app, with the only exporter of its process, which starts when needed."""
    exporter = Exporter()
    STORE.process.neighbours.append(exporter)
    return Middleware(_before, figures=export_app(exporter, client_of, line))


def _before(app: ASGIApp, figures: ASGIApp) -> ASGIApp:
    """Return an app in which `figures` answers the requests below its address."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "").removeprefix(scope.get("root_path", ""))
        is_ours = scope["type"] == "http" and path.startswith(f"{ADDRESS}/")
        await (figures if is_ours else app)(scope, receive, send)

    return answer


def export_app(exporter: Exporter, client_of: ClientOf, line: Queue | None = None) -> Starlette:
    """Return an app that answers only requests for figures."""
    desk = _Endpoints(exporter, client_of, Queue() if line is None else line, AddressRateLimiter(FILES))
    asked = {"file": desk.file, "pictures": desk.pictures}
    methods = {"file": ["GET", "POST"], "pictures": ["GET"]}
    routes = [Route(f"{ADDRESS}/{path}", _guarded(do), methods=methods[path]) for path, do in asked.items()]
    return Starlette(routes=routes)


@dataclass(frozen=True)
class _Endpoints:
    """Endpoints below /figures."""

    exporter: Exporter
    client_of: ClientOf
    queue: Queue
    rates: AddressRateLimiter

    async def file(self, request: Request) -> Response:
        """Answer with a file of a picture, or of all pictures of a link."""
        export_request, origin = parse_export_request(request.query_params), origin_of(request)
        if request.method == "POST":
            export_request = replace(export_request, pictures=await _pictures_of(request))
        if export_request.style.qr and not origin:
            raise ExportRequestError(NO_ADDRESS)
        seen = _seen(export_request)
        made = await self._made(
            request,
            (_key(export_request), origin),
            lambda: file(export_request, self.exporter, origin=origin, measure=seen.measure, live=seen.live),
            is_long=is_long(export_request),
        )
        is_seen = request.query_params.get("inline") == "1" and export_request.kind == "svg"
        kept = f'{"inline" if is_seen else "attachment"}; filename="{made.name}"'
        headers = {"content-disposition": kept, WARNING: quote(made.warning)}
        return Response(made.content, media_type=KINDS[export_request.kind], headers=headers)

    async def pictures(self, request: Request) -> Response:
        """Answer with the pictures of a link, as JSON, and the formats that this server makes."""
        export_request = parse_export_request(
            {name: request.query_params.get(name, "") for name in ("link", "seen")}
        )
        seen, draws, has_address = _seen(export_request), browser.find() is not None, bool(origin_of(request))
        made = await self._made(
            request,
            (_key(export_request), draws, has_address),
            lambda: _listed(export_request, seen, draws, has_address),
        )
        return Response(made.content, media_type="application/json")

    async def _made(
        self, request: Request, key: Hashable, make: Callable[[], File], *, is_long: bool = False
    ) -> File:
        """Return the file of a request. A client that asks again by itself gets its place meanwhile."""
        client, asks_again = await self.client_of(request), request.headers.get("prefer") == ASKS_AGAIN
        if not self.queue.has(key):
            if asks_again and not self.queue.has_room(client):
                await asyncio.sleep(queue.PATIENCE)
                raise HTTPException(202, CROWDED, AT_ONCE)
            if not self.rates.take(client):
                raise HTTPException(429, TOO_OFTEN, LATER)
        while True:
            made = await self.queue.file(key, make, client, is_long=is_long)
            if isinstance(made, File):
                return made
            if asks_again:
                raise HTTPException(202, place(made), AT_ONCE)
            if await request.is_disconnected():
                raise HTTPException(LEFT, "")


async def _pictures_of(request: Request) -> tuple[str, ...]:
    """Return the pictures of a lecture that come with its link, a list of data URLs as JSON."""
    try:
        pictures = orjson.loads(await read_body(request, PICTURES.n_bytes))
    except TooLargeError as error:
        raise ExportRequestError(TOO_LARGE) from error
    except ValueError:
        pictures = None
    if not isinstance(pictures, list) or not all(isinstance(one, str) for one in pictures):
        raise ExportRequestError(NO_PICTURES)
    return tuple(dict.fromkeys(pictures))


def place(n_before: int) -> str:
    """Return the sentence for a request that waits for others."""
    if n_before == 0:
        return "The file is being made …"
    return f"{counted(n_before, 'figure')} {'is' if n_before == 1 else 'are'} before yours …"


def _seen(export_request: ExportRequest) -> SessionResults:
    """Return the results of the session that asks; empty if the request names no session."""
    seen = SESSION_RESULTS.find(export_request.seen) if export_request.seen else SessionResults()
    if seen is None:
        raise UnavailableError(FORGOTTEN)
    return seen


def _key(export_request: ExportRequest) -> Hashable:
    """Return the key of equal requests; results of a session can change until a panel holds them."""
    return object() if export_request.seen and HELD not in export_request.seen else export_request


def _listed(export_request: ExportRequest, seen: SessionResults, draws: bool, has_address: bool) -> File:
    """Return the pictures of a link as JSON; a picture that shows no number has no format."""
    try:
        found = requested_pictures(export_request, measure=seen.measure, live=seen.live)
    except NothingToSaveError:
        found = []
    formats = list(KINDS)
    said = {
        "pictures": [
            {"key": one.key, "title": one.title, "alt": one.alt, "formats": [] if one.nothing else formats}
            for one in found
        ],
        "formats": formats if draws else NOT_DRAWN,
        "missing": "" if draws else NO_BROWSER,
        "has_address": has_address,
    }
    return File("", orjson.dumps(said))


def origin_of(request: Request) -> str:
    """Return the app's address as this browser names it; empty if only this machine knows the name."""
    host = request.headers.get("host", "")
    if not HOST.fullmatch(host) or _is_own_machine(request.url.hostname or ""):
        return ""
    return f"{request.url.scheme}://{host}{request.scope.get('root_path', '')}"


def _is_own_machine(name: str) -> bool:
    """Return whether the name is `localhost` or a loopback address: on another machine it leads elsewhere."""
    try:
        address = ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def _guarded(do: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """Turn errors into answers, and give every answer its headers."""

    async def answer(request: Request) -> Response:
        try:
            if request.headers.get("sec-fetch-site", "") not in OF_THIS_PAGE:
                raise HTTPException(403, FOREIGN)
            response = await do(request)
        except Exception as error:  # the visitor reads a sentence after any error
            refused = _refused(error)
            response = PlainTextResponse(plain(refused.detail), refused.status_code, refused.headers)
        response.headers.update(HEADERS)
        return response

    return answer


def _refused(error: Exception) -> HTTPException:
    match error:
        case HTTPException():
            return error
        case ExportRequestError():
            return HTTPException(400, str(error))
        case UnavailableError():
            return HTTPException(404, str(error))
        case ExportError():
            return HTTPException(503, str(error), LATER)
        case FullError():
            return HTTPException(503, FULL, SOON)
    _log.error("A figure could not be made", exc_info=error)
    return HTTPException(500, BROKEN)


def plain(sentence: str) -> str:
    """Return a sentence without Markdown and without anything that a browser could take for a tag."""
    return without_markdown(sentence).translate(BRACKETS)[:LONGEST_SENTENCE]
