"""The outermost middleware of the app."""

import os
import sys
from collections.abc import Mapping, Sequence

from starlette.middleware import Middleware

from access.headers import SecurityHeaders, frame_ancestors, policy
from access.hosts import trusted_hosts
from access.logs import ERRORS
from access.metrics import Metric, metrics
from access.proxies import believed_proxies


def rules(
    page: str, extra_metrics: Sequence[Metric] = (), environment: Mapping[str, str] = os.environ
) -> list[Middleware]:
    """Return the middleware for every request.

    `page` is the markup of every page. `extra_metrics` are shown beside the count of errors.
    An invalid setting ends the process with a sentence.
    """
    try:
        said = policy(page, frame_ancestors(environment))
        headers = Middleware(SecurityHeaders, policy=said)
        return [
            metrics([*extra_metrics, ERRORS], environment),
            *believed_proxies(environment),
            headers,
            trusted_hosts(environment),
        ]
    except ValueError as error:
        sys.exit(str(error))
