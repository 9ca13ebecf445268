"""A browser's connections to a server: for its first files, and for a page's socket."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import closing
from http.client import HTTPConnection
from http.cookies import SimpleCookie

from websockets.asyncio.client import connect
from websockets.typing import Origin, Subprotocol

from bench.load.target import Target

CONNECTIONS = 6
"""Connections open at once, as in browsers."""
LONGEST = 60
"""Seconds that a file or the opening of a socket may take."""
BEFORE_THE_SOCKET = ("/_stcore/health", "/_stcore/host-config")


class Visitor:
    """One browser with its cookies."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.cookies: dict[str, str] = {}
        self._has_files = False

    def socket(self) -> connect:
        """Open the socket of a page."""
        return connect(
            f"ws://{self.target.host}{self.target.base}/_stcore/stream",
            host="127.0.0.1",
            port=self.target.port,
            origin=Origin(self.target.origin),
            subprotocols=[Subprotocol("streamlit")],
            additional_headers=self._headers(),
            max_size=None,
            open_timeout=LONGEST,
            close_timeout=1,
            ping_interval=None,
            proxy=None,
        )

    async def fetch_all(self, path: str, files: Sequence[str]) -> None:
        """Fetch the page at `path`, then the files, some at once. Raises OSError if one is missing.

        Streamlit's files may be cached for a year, so the second visit fetches none of them.
        """
        await asyncio.to_thread(self._fetch, iter([f"/{path}"]))
        waiting = iter([*(() if self._has_files else files), *BEFORE_THE_SOCKET])
        self._has_files = True
        try:
            await asyncio.gather(*(asyncio.to_thread(self._fetch, waiting) for _ in range(CONNECTIONS)))
        finally:
            list(waiting)  # if one fails, the other connections stop too

    def _fetch(self, waiting: Iterator[str]) -> None:
        """Fetch one file after the other over one connection, while other connections fetch others."""
        with closing(HTTPConnection("127.0.0.1", self.target.port, timeout=LONGEST)) as connection:
            for path in waiting:
                self._get(connection, path)

    def _get(self, connection: HTTPConnection, path: str) -> None:
        headers = {"Host": self.target.host, "Accept-Encoding": "gzip", **self._headers()}
        connection.request("GET", self.target.base + path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            self.cookies.update({name: one.value for name, one in SimpleCookie(cookie).items()})
        if answer.status >= 400:
            raise OSError(f"status {answer.status} for {path}")

    def _headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Cookie": cookies} if cookies else {}
