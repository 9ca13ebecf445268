"""Closed addresses of Streamlit: no page needs them, and visitors get 404, with or without nginx."""

import re
from ipaddress import ip_address

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.shell.http import asgi

METRICS = "metrics"
CLOSED = (METRICS, "script-health-check", "upload_file", "agent")
"""Beginnings of the closed names below `/_stcore/`; `deploy/nginx/nginx.conf` has the same list."""

_ADDRESS = re.compile(rf"(?:^|/)_stcore/+({'|'.join(CLOSED)})")
"""Matches also below the path of a proxy, and with any ending."""


@asgi
async def closed_addresses(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Return 404 at closed addresses, and pass all other requests to `app`; their bodies are not read."""
    if scope["type"] == "http" and is_closed(scope):
        await PlainTextResponse("Not Found", status_code=404)(scope, receive, send)
    else:
        await app(scope, receive, send)


def is_closed(scope: Scope) -> bool:
    """Return whether a request is for a closed address. Metrics are open to the machine itself."""
    found = _ADDRESS.search(scope["path"])
    return found is not None and not (found[1] == METRICS and _is_own_machine(scope))


def _is_own_machine(scope: Scope) -> bool:
    client = scope.get("client")
    try:
        return client is not None and ip_address(client[0]).is_loopback
    except ValueError:
        return False
