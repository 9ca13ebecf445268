"""What a browser fetches before it opens a page's socket: the frontend of Streamlit, file by file."""

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from http.cookies import SimpleCookie

from bench.load.address import Address

CONNECTIONS = 6
"""At once, as browsers open them to one server."""
LONGEST = 60
"""Seconds that a file may take."""
BEFORE_THE_SOCKET = ("/_stcore/health", "/_stcore/host-config")
_NAMED = re.compile(rb'(?:src|href)="\./(static/[^"]+)"')
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_COOKIE = re.compile(r"\r\nset-cookie: *([^\r]+)", re.IGNORECASE)


class Visitor:
    """One browser with an address of its own: with the cookies it was given."""

    def __init__(self, server: Address, source: str | None) -> None:
        self.server, self.source = server, source
        self.cookies: dict[str, str] = {}
        self.n_bytes = 0
        self._has_files = False

    @property
    def local(self) -> tuple[str, int] | None:
        """What a connection begins from."""
        return (self.source, 0) if self.source else None

    @property
    def headers(self) -> dict[str, str]:
        """What every request says of the browser."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Cookie": cookies} if cookies else {}

    async def fetch_all(self, path: str, files: Sequence[str]) -> None:
        """The page at `path`, then the files, some at once. Raises OSError where one cannot be had.

        Streamlit's files may be kept for a year, so the second visit fetches none of them.
        """
        page = await self._first(path)
        named = () if self._has_files else (f"/{name.decode()}" for name in _NAMED.findall(page))
        waiting = list(dict.fromkeys((*named, *(() if self._has_files else files), *BEFORE_THE_SOCKET)))
        waiting.reverse()
        self._has_files = True
        async with asyncio.TaskGroup() as group:
            for _ in range(CONNECTIONS):
                group.create_task(self._fetch_some(waiting))

    async def _first(self, path: str) -> bytes:
        reader, writer = await self._connect()
        try:
            page, _ = await self._get(reader, writer, f"/{path}")
            return page
        finally:
            await _close(writer)

    async def _fetch_some(self, waiting: list[str]) -> None:
        """Files one after the other over one connection, or the next one where the server ends it."""
        while waiting:
            reader, writer = await self._connect()
            try:
                stays = True
                while stays and waiting:
                    _, stays = await self._get(reader, writer, waiting.pop())
            finally:
                await _close(writer)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.wait_for(
            asyncio.open_connection("127.0.0.1", self.server.port, local_addr=self.local), LONGEST
        )

    async def _get(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str
    ) -> tuple[bytes, bool]:
        """What is at `path`, and whether the connection stays."""
        headers = {"Host": self.server.host, "Accept-Encoding": "gzip", **self.headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
        async with asyncio.timeout(LONGEST):
            head = await reader.readuntil(b"\r\n\r\n")
            status = int(head.split(b" ", 2)[1])
            body = await _body(reader, head)
        self.n_bytes += len(head) + len(body)
        for cookie in _COOKIE.findall(head.decode("latin-1")):
            self.cookies.update({name: one.value for name, one in SimpleCookie(cookie).items()})
        if status >= 400:
            raise OSError(f"status {status} for {path}")
        return body, b"\r\nconnection: close" not in head.lower()


async def _body(reader: asyncio.StreamReader, head: bytes) -> bytes:
    """The body as it came over the wire: nobody here looks into a packed one."""
    length = _LENGTH.search(head)
    if length:
        return await reader.readexactly(int(length[1]))
    if b"chunked" not in head.lower():
        return b""
    parts = []
    while size := int(await reader.readline(), 16):
        parts.append(await reader.readexactly(size))
        await reader.readexactly(2)
    await reader.readexactly(2)
    return b"".join(parts)


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
