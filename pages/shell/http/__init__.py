"""Middleware that serves, compresses, paces or refuses requests before Streamlit sees them."""

from collections.abc import Awaitable, Callable
from functools import partial

from starlette.middleware import Middleware
from starlette.types import ASGIApp, Receive, Scope, Send


def asgi(serve: Callable[[ASGIApp, Scope, Receive, Send], Awaitable[None]]) -> Callable[[ASGIApp], ASGIApp]:
    """Return a middleware made of the function that serves one request in front of an app."""
    return lambda app: partial(serve, app)


def layers(*factories: Callable[[ASGIApp], ASGIApp]) -> list[Middleware]:
    """Return the middleware for an app, the outermost first."""
    return [Middleware(factory) for factory in factories]
