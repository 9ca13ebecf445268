"""Cookies that tell browsers apart: a random number, and a proof that the server made it.

Limits count the requests of a number, so that a browser takes nothing from others at its address. The number
is not stored, and a room knows answers by another cookie.
"""

import hmac
import re
import secrets
import time
from collections.abc import Callable

from anyio import to_thread
from starlette.requests import HTTPConnection

from access.buckets import Client
from rooms.room import hashed
from rooms.store import Store, StoreError

COOKIE = "attention_lab_browser"
LASTS = 7 * 24 * 60 * 60
"""Seconds for which a browser keeps the cookie."""

KNOWN_AFTER = 10 * 60
"""Age in seconds from which a browser counts as known: a flood of new cookies does not affect it."""

READ_AGAIN = 60
"""Seconds after which the secret is read again: a restarted Redis has another one."""

_COOKIE = re.compile(r"([0-9a-f]{32})\.([0-9]{1,12})\.([0-9a-f]{32})", re.ASCII)


def new_cookie(secret: str, now: float) -> str:
    """Return a cookie for a browser that arrives now."""
    said = f"{secrets.token_hex(16)}.{int(now)}"
    return f"{said}.{_proof(secret, said)}"


def client_of(secret: str, cookie: str, address: str, now: float) -> Client:
    """Return the client with a cookie at an address; a forged or an old cookie counts as none."""
    found = _COOKIE.fullmatch(cookie)
    if found is None or not hmac.compare_digest(_proof(secret, f"{found[1]}.{found[2]}"), found[3]):
        return Client(address)
    age = now - int(found[2])
    return Client(address) if age > LASTS else Client(address, found[1], is_known=age >= KNOWN_AFTER)


def _proof(secret: str, said: str) -> str:
    return hashed(secret, "visitor", said)[:32]


def cookie_header(name: str, value: str, *, seconds: int, request: HTTPConnection) -> str:
    """Return the header that sets a cookie for the whole app, hidden from scripts."""
    secure = "; Secure" if is_encrypted(request) else ""
    return f"{name}={value}; Max-Age={seconds}; Path={base_of(request)}/; HttpOnly; SameSite=Lax{secure}"


class Browsers:
    """Clients of requests, told apart by the secret of a store, which all processes of a server share."""

    def __init__(self, store: Callable[[], Store], clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock
        self._secret, self._read_at = "", -float("inf")

    async def secret(self) -> str:
        """Return the secret of the server. Raises StoreError if rooms cannot be reached."""
        if self._clock() - self._read_at > READ_AGAIN:
            self._secret = await to_thread.run_sync(lambda: self._store().secret())
            self._read_at = self._clock()
        return self._secret

    async def client(self, request: HTTPConnection) -> Client:
        """Return the client of a request. Raises StoreError if rooms cannot be reached."""
        cookie = request.cookies.get(COOKIE, "")
        return client_of(await self.secret(), cookie, address_of(request), self._clock())

    async def client_or_address(self, request: HTTPConnection) -> Client:
        """Return the client; if rooms cannot be reached, all browsers of an address count as one."""
        try:
            return await self.client(request)
        except StoreError:
            return Client(address_of(request))

    async def header(self, request: HTTPConnection) -> str:
        """Return the header that gives a browser its cookie. Raises StoreError as `secret` does."""
        value = new_cookie(await self.secret(), self._clock())
        return cookie_header(COOKIE, value, seconds=LASTS, request=request)


def address_of(request: HTTPConnection) -> str:
    """Return the address of the client of a request; empty if it is unknown."""
    return request.client.host if request.client else ""


def base_of(request: HTTPConnection) -> str:
    """Return the path below which the app is served, such as `/lab`; empty at the root of a server."""
    return str(request.scope.get("root_path", ""))


def is_encrypted(request: HTTPConnection) -> bool:
    """Return whether the browser speaks to the server over TLS."""
    return request.url.scheme in ("https", "wss")
