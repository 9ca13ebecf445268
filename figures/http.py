"""Figures as files over plain HTTP: a query says what is wanted, and the answer is the file.

Any process may answer, for the link says all; only what a session alone has measured or trained is asked of
the process that has it.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Hashable
from ipaddress import ip_address
from typing import Any, Protocol
from urllib.parse import quote

import orjson
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from core.sources import UnavailableError
from core.store import STORE
from figures import queue
from figures.files import TYPES, File, file, is_long, ordered
from figures.order import KINDS, NothingToSaveError, Order, OrderError, order_of
from figures.plain import plain as without_markdown
from figures.queue import Asker, FullError, Queue
from figures.rendering import browser
from figures.rendering.exporter import NO_BROWSER, Exporter, ExportError
from pages.contract.seen import HELD, SEEN, Seen
from words import counted

ADDRESS = "/figures"

POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; sandbox"
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": POLICY,
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}
"""Of every answer: a picture that is opened by itself runs nothing and asks nobody for anything."""

WARNING = "x-warning"
"""The header that says what could not be drawn in a file, percent-encoded; empty if all could."""

NOT_DRAWN = ("csv", "html")
"""The formats that are made where nothing draws, as long as it is Plotly's."""

HOST = re.compile(r"[A-Za-z0-9.-]+(:[0-9]{1,5})?|\[[0-9a-fA-F:]+\](:[0-9]{1,5})?")
"""The names of servers that a file is given as the place of its link."""

OF_THIS_PAGE = ("same-origin", "none", "")
"""What a browser says of who asks: a page of this server, or the visitor; old ones say nothing."""

BRACKETS = str.maketrans("", "", "<>")
"""What a browser could take for the ends of a tag, which nobody misses in a sentence."""

LONGEST_SENTENCE = 400

LEFT = 499
"""The status for nobody: whoever asked is gone."""

FORGOTTEN = (
    "What this page has measured or trained is not kept any more. Press its button again, "
    "then save the picture."
)
FOREIGN = "Only pages of this server may ask for figures."
NO_ADDRESS = (
    "A QR code needs an address that a phone can reach, and this page was opened from its own machine. "
    "Open it by the machine's name in the network, then save the picture."
)
TOO_OFTEN = "Too many files were asked for from this browser or network. Try again in a minute."
FULL = "Many figures are being made at the moment. Try again in a few seconds."
CROWDED = "Many figures are being made at the moment. Yours waits for a place …"
BROKEN = "This figure could not be made. The server's log says why."

AT_ONCE, SOON, LATER = "0", "5", "30"
"""Seconds after which to ask again."""

ASKS_AGAIN = "respond-async"
"""The header `prefer` of clients that ask again for an order that waits, see RFC 7240.

Others, such as a browser that follows a link to a file, wait for the answer.
"""


class Client(Protocol):
    """A browser at an address."""

    @property
    def address(self) -> str:
        """The address."""

    @property
    def browser(self) -> str:
        """The browser; empty if it is not known."""


class Admission(Protocol):
    """Limits of how often files are asked for."""

    async def client(self, request: Request) -> Client:
        """Return the client of a request."""

    def admits(self, client: Any) -> bool:
        """Count one more order of such a client; return whether it may have it."""


_log = logging.getLogger(__name__)


class Figures:
    """Middleware that answers for figures, and leaves everything else to `app`."""

    def __init__(self, app: ASGIApp, figures: ASGIApp) -> None:
        self._app, self._figures = app, figures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        is_ours = scope["type"] == "http" and scope.get("path", "").startswith(f"{ADDRESS}/")
        await (self._figures if is_ours else self._app)(scope, receive, send)


def middleware(admission: Admission) -> Middleware:
    """The middleware for an app, with the one exporter of its process, which starts when it is needed."""
    exporter = Exporter()
    STORE.process.neighbours.append(exporter)
    return Middleware(Figures, figures=answering(exporter, admission))


def answering(
    exporter: Exporter,
    admission: Admission,
    line: Queue | None = None,
    *,
    draws: Callable[[], bool] = lambda: browser.find() is not None,
) -> Starlette:
    """An app that answers for figures alone; `draws` tells whether there is what draws them."""
    desk = _Desk(exporter, admission, line or Queue(), draws)
    asked = {"file": desk.file, "pictures": desk.pictures}
    return Starlette(
        routes=[Route(f"{ADDRESS}/{path}", _guarded(do), methods=["GET"]) for path, do in asked.items()]
    )


class _RefusedError(Exception):
    """An order is not followed, or not yet: a status, a sentence, and when to ask again."""

    def __init__(self, status: int, said: str, again: str = "") -> None:
        super().__init__(said)
        self.status, self.again = status, again


class _Desk:
    """The answers to what is asked below /figures."""

    def __init__(
        self, exporter: Exporter, admission: Admission, line: Queue, draws: Callable[[], bool]
    ) -> None:
        self._exporter, self._admission, self._queue, self._draws = exporter, admission, line, draws

    async def file(self, request: Request) -> Response:
        """A file of a picture, or of all pictures of a link."""
        said = dict(request.query_params)
        order, origin = order_of(said), origin_of(request)
        if order.style.qr and not origin:
            raise OrderError(NO_ADDRESS)
        seen = _seen(order)
        made = await self._made(
            request,
            (_known_by(order), origin),
            lambda: file(order, self._exporter, origin=origin, measure=seen.measure, live=seen.live),
            is_long=is_long(order),
        )
        is_seen = said.get("inline") == "1" and order.kind == "svg"
        disposition = "inline" if is_seen else "attachment"
        return Response(
            made.content,
            media_type=made.media_type,
            headers={
                "content-disposition": f'{disposition}; filename="{made.name}"',
                WARNING: quote(made.warning),
            },
        )

    async def pictures(self, request: Request) -> Response:
        """The pictures of a link, as JSON, and the formats that this server makes."""
        asked = {name: request.query_params.get(name, "") for name in ("link", "seen")}
        order = order_of(asked)
        seen = _seen(order)
        found = await self._made(request, ("pictures", _known_by(order)), lambda: _listed(order, seen))
        draws = self._draws()
        said: dict[str, Any] = {
            "pictures": orjson.loads(found.content),
            "formats": [kind for kind in KINDS if kind in TYPES and (draws or kind in NOT_DRAWN)],
            "missing": "" if draws else NO_BROWSER,
            "has_address": bool(origin_of(request)),
        }
        return Response(orjson.dumps(said), media_type="application/json")

    async def _made(
        self, request: Request, key: Hashable, make: Callable[[], File], *, is_long: bool = False
    ) -> File:
        """Return what an order makes. A client that asks again by itself is told its place meanwhile."""
        client = await self._admission.client(request)
        asker, asks_again = Asker(client.address, client.browser), request.headers.get("prefer") == ASKS_AGAIN
        if not self._queue.has(key):
            if asks_again and not self._queue.has_room(asker):
                await asyncio.sleep(queue.PATIENCE)
                raise _RefusedError(202, CROWDED, AT_ONCE)
            if not self._admission.admits(client):
                raise _RefusedError(429, TOO_OFTEN, LATER)
        while True:
            made = await self._queue.file(key, make, asker=asker, is_long=is_long)
            if isinstance(made, File):
                return made
            if asks_again:
                raise _RefusedError(202, place(made), AT_ONCE)
            if await request.is_disconnected():
                raise _RefusedError(LEFT, "")


def place(n_before: int) -> str:
    """Return the sentence for an order that waits for others."""
    if n_before == 0:
        return "The figure is being made …"
    return f"{counted(n_before, 'figure')} {'is' if n_before == 1 else 'are'} before yours …"


def _seen(order: Order) -> Seen:
    """What the session alone has that asks; of a link alone there is nothing."""
    if not order.seen:
        return Seen()
    seen = SEEN.find(order.seen)
    if seen is None:
        raise UnavailableError(FORGOTTEN)
    return seen


def _known_by(order: Order) -> Hashable:
    """What the same order is known by; what a session has goes on until a panel holds it."""
    return object() if order.seen and HELD not in order.seen else order


def _listed(order: Order, seen: Seen) -> File:
    """Return the pictures of a link as JSON; one that shows no number has no format."""
    try:
        found = ordered(order, measure=seen.measure, live=seen.live)
    except NothingToSaveError:
        found = []
    said = [
        {
            "key": one.key,
            "title": one.title,
            "alt": one.provenance.description,
            "formats": [] if one.nothing else KINDS,
        }
        for one in found
    ]
    return File("", "application/json", orjson.dumps(said))


def origin_of(request: Request) -> str:
    """The server as this browser names it; empty where nobody else could reach it by that name."""
    host = request.headers.get("host", "")
    if not HOST.fullmatch(host) or _is_own_machine(request.url.hostname or ""):
        return ""
    return f"{request.url.scheme}://{host}"


def _is_own_machine(name: str) -> bool:
    """Whether each machine calls itself so: a link with that name leads everybody to a different place."""
    try:
        address = ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def _guarded(do: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """Make a refusal an answer, and give every answer its headers."""

    async def answer(request: Request) -> Response:
        try:
            if request.headers.get("sec-fetch-site", "") not in OF_THIS_PAGE:
                raise _RefusedError(403, FOREIGN)
            response = await do(request)
        except Exception as error:  # whatever it was: the visitor reads a sentence
            refused = _refused(error)
            response = PlainTextResponse(plain(str(refused)), status_code=refused.status)
            if refused.again:
                response.headers["retry-after"] = refused.again
        response.headers.update(HEADERS)
        return response

    return answer


def _refused(error: Exception) -> _RefusedError:
    """Return what a visitor is told of an error."""
    match error:
        case _RefusedError():
            return error
        case OrderError():
            return _RefusedError(400, str(error))
        case UnavailableError():
            return _RefusedError(404, str(error))
        case ExportError():
            return _RefusedError(503, str(error), LATER)
        case FullError():
            return _RefusedError(503, FULL, SOON)
    _log.error("A figure could not be made", exc_info=error)
    return _RefusedError(500, BROKEN)


def plain(sentence: str) -> str:
    """A sentence as mere text, without Markdown and without anything that a browser could take for a tag."""
    return without_markdown(sentence).translate(BRACKETS)[:LONGEST_SENTENCE]
