"""Names under which the server may be asked for, if an operator lists them.

A page of another server whose name is made to lead here (DNS rebinding) asks under that name: it is refused.
"""

import re
from collections.abc import Mapping

from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

HOSTS = "ATTENTION_LAB_HOSTS"
"""The variable that lists the names, without ports and separated by commas; without it all are answered."""

OWN_MACHINE = ("localhost", "127.0.0.1", "[::1]")
"""Names that always hold, for checks of health."""

IS_NAME = re.compile(r"(\*\.)?[\w-]+(\.[\w-]+)*|\[[0-9a-fA-F:]+\]")


def allowed_hosts(environment: Mapping[str, str]) -> list[str]:
    """Return the names that are answered, `*` for every one; ValueError names what is no name."""
    asked = [one.strip() for one in environment.get(HOSTS, "").split(",") if one.strip()]
    for name in asked:
        if not IS_NAME.fullmatch(name):
            raise ValueError(f"{HOSTS} must be names without ports, such as lab.example, got {name!r}")
    return [*asked, *OWN_MACHINE] if asked else ["*"]


def trusted_hosts(environment: Mapping[str, str]) -> Middleware:
    """Return the middleware that answers 400 under other names."""
    return Middleware(TrustedHostMiddleware, allowed_hosts=allowed_hosts(environment), www_redirect=False)
