"""What answers with files of figures, for the app."""

from starlette.middleware import Middleware

from figures import http
from rooms.buckets import Buckets

ASKED = Buckets(240, 2)
"""Files and previews that one address asks for: a lecture hall is one address."""


def figure_files() -> Middleware:
    """The middleware, with the limit that each address has."""
    return http.middleware(ASKED.take)
