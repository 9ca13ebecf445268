"""Headers that tell a browser what a page may do, and the flags of every cookie.

The policy has no `unsafe-eval` and no `unsafe-inline` for scripts. Scripts come from the server, from
Streamlit's components (`blob:`), and from Streamlit's page, where the policy lists their hashes. Streamlit
and Plotly write styles into the page, and fonts of tables are part of a style (`data:`). A lecture shows
pages of the app in frames, so `frame-ancestors` needs `'self'`.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FRAME_ANCESTORS = "ATTENTION_LAB_FRAME_ANCESTORS"
"""The variable that names origins whose pages may show the app in a frame; by default only the app's own."""

IS_ANCESTORS = re.compile(r"[\w'*.:/ -]+", re.ASCII)
"""Characters that cannot end a directive of a policy."""

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), midi=()",
}
FOR_A_YEAR = "max-age=31536000"
"""Strict-Transport-Security: after one visit over TLS a browser uses only TLS."""

_INLINE = re.compile(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL)


def frame_ancestors(environment: Mapping[str, str]) -> str:
    """Return the policy's origins that may show the app in a frame. Raises ValueError for anything else."""
    asked = environment.get(FRAME_ANCESTORS) or "'self'"
    if not IS_ANCESTORS.fullmatch(asked):
        raise ValueError(f"{FRAME_ANCESTORS} must be 'self', 'none' or addresses, got {asked!r}")
    return asked


def policy(page: str, ancestors: str = "'self'") -> str:
    """Return the Content-Security-Policy under which `page`, the markup of every page, works."""
    hashes = [
        f"'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in _INLINE.findall(page)
    ]
    directives = {
        "default-src": "'none'",
        "script-src": " ".join(["'self' blob:", *hashes]),
        "style-src": "'self' 'unsafe-inline'",
        "font-src": "'self' data:",
        "img-src": "'self' data: blob:",
        "connect-src": "'self'",
        "manifest-src": "'self'",
        "frame-src": "'self'",
        "form-action": "'none'",
        "base-uri": "'none'",
        "frame-ancestors": ancestors,
    }
    return "; ".join(f"{name} {sources}" for name, sources in directives.items())


class SecurityHeaders:
    """Middleware that adds missing headers to answers, and flags to cookies."""

    def __init__(self, app: ASGIApp, policy: str) -> None:
        self._app, self._headers = app, HEADERS | {"content-security-policy": policy}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_encrypted = scope["scheme"] == "https"

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": self._completed(message["headers"], is_encrypted)}
            await send(message)

        await self._app(scope, receive, answer)

    def _completed(
        self, given: Iterable[tuple[bytes, bytes]], is_encrypted: bool
    ) -> list[tuple[bytes, bytes]]:
        headers = MutableHeaders(
            raw=[
                (name, flagged(value, is_encrypted) if name.lower() == b"set-cookie" else value)
                for name, value in given
            ]
        )
        for name, value in self._headers.items():
            headers.setdefault(name, value)
        if is_encrypted:
            headers.setdefault("strict-transport-security", FOR_A_YEAR)
        return headers.raw


def flagged(cookie: bytes, is_encrypted: bool) -> bytes:
    """Return a Set-Cookie header with HttpOnly, SameSite and, over TLS, Secure."""
    present = {part.strip().partition(b"=")[0].lower() for part in cookie.split(b";")[1:]}
    wanted = [b"HttpOnly", b"SameSite=Lax", *([b"Secure"] if is_encrypted else [])]
    missing = [flag for flag in wanted if flag.partition(b"=")[0].lower() not in present]
    return b"; ".join([cookie, *missing])
