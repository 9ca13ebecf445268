"""The base path: the app may be served below an address such as `/lab`, and all its links lead there.

Links in data files, decks and sheets start at the app's root, as `/masking?view=paint`. The base is put
before them when they are sent to a browser: in Markdown and HTML by `add_base_path`, in scripts by
`attentionLabBase`, which the first script of a page sets, and in rooms and figures by the `root_path` of the
request.
"""

import re

import streamlit as st
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.shell.http import asgi

PREFIX = b"x-forwarded-prefix"
"""Header of a proxy that has removed the base from the address; its value is not used."""

_ROOTED = re.compile(r"""((?<!\\)\]\(|\s(?:href|src)=["'])/(?!/)""")
"""The beginning of an address from the root of the app, in Markdown or HTML."""


def base() -> str:
    """Return the base path as addresses begin with it, such as `/lab`; empty at the root of a server."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""


def add_base_path(text: str) -> str:
    """Return Markdown or HTML whose links, files and pictures lead below the base path."""
    return _ROOTED.sub(rf"\g<1>{base()}/", text)


@asgi
async def pass_base_path(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Pass the base path to the app as the `root_path` of ASGI.

    A request whose base a proxy has removed gets it back. Requests outside the base are refused: Streamlit
    (1.67) in the browser would take a response there for a sign that the app is at the root.
    """
    path = base()
    if not path or scope["type"] not in ("http", "websocket"):
        await app(scope, receive, send)
    elif (placed := _placed(scope, path)) is not None:
        await app(placed, receive, send)
    elif scope["type"] == "http":
        await PlainTextResponse(f"The app is at {path}/", status_code=404)(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": 1008})


def _placed(scope: Scope, path: str) -> Scope | None:
    """Return a request with its base path; None if its path lies outside the base."""
    asked = scope["path"]
    if asked == path or asked.startswith(f"{path}/"):
        return {**scope, "root_path": path}
    if PREFIX not in dict(scope["headers"]):
        return None
    raw = scope.get("raw_path")
    raw = raw if raw is None else path.encode() + raw
    return {**scope, "path": path + asked, "raw_path": raw, "root_path": path}


def below_base(scope: Scope) -> str:
    """Return the path of a request from the root of the app."""
    return str(scope.get("path", "")).removeprefix(scope.get("root_path", ""))


@asgi
async def strip_root_path(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Take the `root_path` away before Streamlit, whose routes contain the base path."""
    if scope.get("root_path"):
        scope = {**scope, "root_path": ""}
    await app(scope, receive, send)
