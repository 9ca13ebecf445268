"""The outermost middleware of the app, and its settings: names of the server, proxies, headers, metrics.

A list of names prevents DNS rebinding: if a foreign host name is made to resolve to this server, requests
under that name are refused.
"""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from ipaddress import ip_network

from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from access.headers import SecurityHeaders, frame_ancestors, policy
from access.logs import ERRORS
from access.metrics import Metric, metrics

HOSTS = "ATTENTION_LAB_HOSTS"
"""The variable that lists the names, without ports and separated by commas; by default all are answered."""

OWN_MACHINE = ("localhost", "127.0.0.1", "[::1]")
"""Names that are always allowed, for health checks."""

IS_NAME = re.compile(r"(\*\.)?[\w-]+(\.[\w-]+)*|\[[0-9a-fA-F:]+\]")

PROXY = "ATTENTION_LAB_PROXY"
"""The variable that lists addresses or networks of proxies, separated by commas."""


def rules(
    page: str, extra_metrics: Sequence[Metric] = (), environment: Mapping[str, str] = os.environ
) -> list[Middleware]:
    """Return the middleware for every request.

    `page` is the markup of every page. `extra_metrics` are shown beside the count of errors. Only named
    proxies are trusted about a visitor's scheme and address. Requests under names that are not allowed are
    answered with 400. An invalid setting ends the process with a sentence.
    """
    try:
        said = policy(page, frame_ancestors(environment))
        proxies, hosts = networks(environment.get(PROXY, "")), allowed_hosts(environment)
        return [
            metrics([*extra_metrics, ERRORS], environment),
            *([Middleware(ProxyHeadersMiddleware, trusted_hosts=list(proxies))] if proxies else []),
            Middleware(SecurityHeaders, policy=said),
            Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False),
        ]
    except ValueError as error:
        sys.exit(str(error))


def allowed_hosts(environment: Mapping[str, str]) -> list[str]:
    """Return the allowed names, `*` for all. Raises ValueError for a value that is not a name."""
    asked = [one.strip() for one in environment.get(HOSTS, "").split(",") if one.strip()]
    for name in asked:
        if not IS_NAME.fullmatch(name):
            raise ValueError(f"{HOSTS} must be names without ports, such as lab.example, got {name!r}")
    return [*asked, *OWN_MACHINE] if asked else ["*"]


def networks(text: str) -> tuple[str, ...]:
    """Return the proxies as networks. Raises ValueError if a value is neither an address nor a network."""
    try:
        return tuple(str(ip_network(one.strip())) for one in text.split(",")) if text else ()
    except ValueError as error:
        raise ValueError(
            f"{PROXY} must be addresses or networks, separated by commas, got {text!r}"
        ) from error
