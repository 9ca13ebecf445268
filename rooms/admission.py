"""Limits on how often a browser may ask this server for files."""

from starlette.requests import Request

from access import limits
from rooms.browsers import Browsers, Client
from rooms.limits import AddressRateLimiter
from rooms.shared_store import shared
from rooms.store import StoreError

FILES = AddressRateLimiter.of(limits.FILES)
"""Allowance of new files and previews for browsers and their addresses."""


class Admission:
    """The clients of requests for files, within the limits of `FILES`."""

    def __init__(self) -> None:
        self._browsers = Browsers(shared)

    async def client(self, request: Request) -> Client:
        """Return the client of a request."""
        try:
            return await self._browsers.client(request)
        except StoreError:  # then all browsers of an address count as one
            return Client(request.client.host if request.client else "")

    def admits(self, client: Client) -> bool:
        """Count one more order of a client; return whether it is within the limits."""
        return FILES.take(client)
