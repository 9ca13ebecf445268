"""Bodies of requests, counted while they arrive, because a header can be wrong about their size."""

from starlette.requests import Request


class TooLargeError(Exception):
    """A body is larger than its limit; the rest of it is not read."""


async def read_body(request: Request, most: int) -> bytes:
    """Return the body of a request. Raises TooLargeError as soon as more than `most` bytes have arrived."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise TooLargeError
    return bytes(body)
