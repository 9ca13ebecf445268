"""How often a browser may ask this server for files."""

from functools import cache

from starlette.requests import Request

from rooms.browsers import Browsers, Client, Shares
from rooms.opened import shared
from rooms.store import StoreError

FILES = Shares(browser=(80, 1), address=(240, 2))
"""Files and previews that a browser and its address ask for: a lecture hall is one address."""


async def admit(request: Request) -> Client | None:
    """Return the client of a request, None if it may not ask once more."""
    try:
        client = await _browsers().client(request)
    except StoreError:  # then all browsers of an address are one
        client = Client(request.client.host if request.client else "")
    return client if FILES.take(client) else None


@cache
def _browsers() -> Browsers:
    return Browsers(shared)
