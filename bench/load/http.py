"""Plain HTTP as a phone's browser speaks it: one kept connection, and cookies."""

import asyncio
from dataclasses import dataclass, field

from bench.load.target import HOSTS

LONGEST = 20
"""Seconds that a phone waits for an answer."""


class ConnectionLostError(OSError):
    """The server has closed the connection, or does not answer."""


@dataclass
class Client:
    """A client of a server on this machine, with one request after the other."""

    host: str
    cookies: dict[str, str] = field(default_factory=dict)
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = field(default=None, repr=False)

    async def ask(
        self, path: str, *, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers by lower-case name, and body; raises ConnectionLostError."""
        try:
            return await asyncio.wait_for(self._ask(path, body, headers or {}), LONGEST)
        except (TimeoutError, OSError, EOFError, ValueError) as error:
            self.close()
            raise ConnectionLostError(type(error).__name__) from error

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _ask(
        self, path: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[int, dict[str, str], bytes]:
        reader, writer = self._streams = self._streams or await self._connect()
        asked = {"Host": self.host, "User-Agent": "load", **headers}
        if self.cookies:
            asked["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if body is not None:
            asked |= {"Content-Length": str(len(body)), "Content-Type": "application/json"}
            asked["Origin"] = f"http://{self.host}"
        method = "GET" if body is None else "POST"
        head = "".join(f"{name}: {value}\r\n" for name, value in asked.items())
        writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + (body or b""))
        await writer.drain()
        return await self._read(reader)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        name, _, port = self.host.partition(":")
        assert name in HOSTS, "load is for this machine alone"
        return await asyncio.open_connection(name, int(port))

    async def _read(self, reader: asyncio.StreamReader) -> tuple[int, dict[str, str], bytes]:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(lines[0].split()[1])
        pairs = (line.partition(": ") for line in lines[1:] if line)
        headers = {name.lower(): value for name, _, value in pairs}
        if said := headers.get("set-cookie", ""):
            name, _, value = said.partition(";")[0].partition("=")
            self.cookies[name] = value
        size = int(headers.get("content-length", 0))
        body = b"" if status == 304 else await reader.readexactly(size)
        if headers.get("transfer-encoding") == "chunked":
            body = await _chunks(reader)
        if headers.get("connection", "").lower() == "close":
            self.close()
        return status, headers, body


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    """Read a chunked body."""
    body = b""
    while size := int(await reader.readuntil(b"\r\n"), 16):
        body += await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readexactly(2)
    return body
