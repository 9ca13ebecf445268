"""Allowed host names of the server, if an operator lists them.

This prevents DNS rebinding: if a foreign host name is made to resolve to this server, requests under that
name are refused.
"""

import re
from collections.abc import Mapping

from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

HOSTS = "ATTENTION_LAB_HOSTS"
"""The variable that lists the names, without ports and separated by commas; by default all are answered."""

OWN_MACHINE = ("localhost", "127.0.0.1", "[::1]")
"""Names that are always allowed, for health checks."""

IS_NAME = re.compile(r"(\*\.)?[\w-]+(\.[\w-]+)*|\[[0-9a-fA-F:]+\]")


def allowed_hosts(environment: Mapping[str, str]) -> list[str]:
    """Return the allowed names, `*` for all. Raises ValueError for a value that is not a name."""
    asked = [one.strip() for one in environment.get(HOSTS, "").split(",") if one.strip()]
    for name in asked:
        if not IS_NAME.fullmatch(name):
            raise ValueError(f"{HOSTS} must be names without ports, such as lab.example, got {name!r}")
    return [*asked, *OWN_MACHINE] if asked else ["*"]


def trusted_hosts(environment: Mapping[str, str]) -> Middleware:
    """Return the middleware that answers 400 to requests under other names."""
    return Middleware(TrustedHostMiddleware, allowed_hosts=allowed_hosts(environment), www_redirect=False)
