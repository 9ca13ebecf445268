"""Messages of bytes between two processes over pipes.

POSIX and Windows hand a `multiprocessing.Pipe` to another process in different ways. Standard input and
output are the same everywhere. Windows cannot wait for a pipe with a time limit, so a thread reads.
"""

from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread
from typing import IO

SIZE = 8
"""Bytes that say how long a message is."""


class Channel:
    """Two pipes: messages arrive from `source` and are sent to `target`. One thread at a time may use it."""

    def __init__(self, source: IO[bytes], target: IO[bytes]) -> None:
        self._target = target
        self._arrived: Queue[bytes | None] = Queue()
        self._next: list[bytes | None] = []
        Thread(target=self._read, args=(source,), name="channel", daemon=True).start()

    def send_bytes(self, message: bytes) -> None:
        """Send a message. Raises OSError if the channel is closed, here or there."""
        if self._target.closed:
            raise BrokenPipeError("the channel is closed")
        self._target.write(len(message).to_bytes(SIZE, "big"))
        self._target.write(message)
        self._target.flush()

    def poll(self, timeout: float) -> bool:
        """Return whether a message, or the end, comes within `timeout` seconds."""
        if not self._next:
            with suppress(Empty):
                self._next.append(self._arrived.get(timeout=timeout))
        return bool(self._next)

    def recv_bytes(self) -> bytes:
        """Wait for the next message and return it. Raises EOFError if no more will come."""
        message = self._next.pop() if self._next else self._arrived.get()
        if message is None:
            self._next.append(None)
            raise EOFError
        return message

    def close(self) -> None:
        """Close the target: the other side then reads the end. The source ends with the other side."""
        with suppress(OSError):
            self._target.close()

    def _read(self, source: IO[bytes]) -> None:
        with suppress(OSError, ValueError), source:
            for message in _messages(source):
                self._arrived.put(message)
        self._arrived.put(None)


def _messages(source: IO[bytes]) -> Iterator[bytes]:
    """Yield whole messages until the end; an incomplete message is dropped."""
    while len(size := source.read(SIZE)) == SIZE:
        n_bytes = int.from_bytes(size, "big")
        if len(message := source.read(n_bytes)) < n_bytes:
            return
        yield message
