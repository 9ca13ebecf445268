"""What answers with files of figures, for the app."""

from starlette.middleware import Middleware
from starlette.requests import Request

from figures import http
from figures.queue import Asker
from rooms.browsers import Browsers, Client, Shares
from rooms.store import StoreError, shared

ASKED = Shares(browser=(80, 1), address=(240, 2))
"""Files and previews that a browser and its address ask for: a lecture hall is one address."""


def figure_files() -> Middleware:
    """The middleware, with the limits of each browser and each address."""
    browsers = Browsers(shared)

    async def admit(request: Request) -> Asker | None:
        try:
            client = await browsers.client(request)
        except StoreError:  # then all browsers of an address are one
            client = Client(request.client.host if request.client else "")
        return Asker(client.address, client.browser) if ASKED.take(client) else None

    return http.middleware(admit)
