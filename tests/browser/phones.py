"""A phone without a browser: it opens a room, answers, and asks for news, over plain HTTP."""

import json
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from typing import Any

LONGEST = 60
"""Seconds for an answer, on a busy machine too."""


class Phone:
    """Somebody in the room with these letters, on a server whose addresses begin with `address`."""

    def __init__(self, address: str, code: str) -> None:
        self._address, self._room = address, f"{address}/room/{code}"
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def enter(self) -> int:
        """Open the page of the room; the status of the answer."""
        return self._send(urllib.request.Request(self._room))[0]

    def state(self) -> dict[str, Any]:
        """Return the state of the room."""
        said: dict[str, Any] = json.loads(self._send(urllib.request.Request(f"{self._room}/state"))[1])
        return said

    def answer(self, answer: Any, number: int = 1, **headers: str) -> int:
        """Answer a round; the status of the answer."""
        return self.post("answer", {"round": number, "answer": answer}, **headers)

    def post(self, what: str, said: Any = None, **headers: str) -> int:
        """Send something as a page of this server does."""
        given = {"Content-Type": "application/json", "Origin": self._address} | headers
        body = json.dumps(said).encode()
        return self._send(urllib.request.Request(f"{self._room}/{what}", body, given, method="POST"))[0]

    def _send(self, request: urllib.request.Request) -> tuple[int, bytes]:
        try:
            with self._opener.open(request, timeout=LONGEST) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
