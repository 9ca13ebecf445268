"""Trusted proxies before the app, whose headers name the visitor's scheme and address."""

from collections.abc import Mapping
from ipaddress import ip_network

from starlette.middleware import Middleware
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

PROXY = "ATTENTION_LAB_PROXY"
"""The variable that lists addresses or networks of proxies, separated by commas."""


def networks(text: str) -> tuple[str, ...]:
    """Return the proxies as networks. Raises ValueError if a value is neither an address nor a network."""
    try:
        return tuple(str(ip_network(one.strip())) for one in text.split(",")) if text else ()
    except ValueError as error:
        raise ValueError(
            f"{PROXY} must be addresses or networks, separated by commas, got {text!r}"
        ) from error


def believed_proxies(environment: Mapping[str, str]) -> list[Middleware]:
    """Return the middleware that trusts the named proxies about scheme and address; none without a name."""
    named = networks(environment.get(PROXY, ""))
    return [Middleware(ProxyHeadersMiddleware, trusted_hosts=list(named))] if named else []
