"""Proxies before the app that are believed what they say of a visitor: one of them may end TLS."""

from collections.abc import Mapping
from ipaddress import ip_network

from starlette.middleware import Middleware
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

PROXY = "ATTENTION_LAB_PROXY"
"""The variable that lists addresses or networks of proxies, separated by commas."""


def networks(text: str) -> tuple[str, ...]:
    """Return the proxies as networks. Raises ValueError for what is neither an address nor a network."""
    try:
        return tuple(str(ip_network(one.strip())) for one in text.split(",")) if text else ()
    except ValueError as error:
        raise ValueError(
            f"{PROXY} must be addresses or networks, separated by commas, got {text!r}"
        ) from error


def believed_proxies(environment: Mapping[str, str]) -> list[Middleware]:
    """Return the middleware that takes scheme and address of a visitor from the named proxies, if any."""
    named = networks(environment.get(PROXY, ""))
    return [Middleware(ProxyHeadersMiddleware, trusted_hosts=list(named))] if named else []
