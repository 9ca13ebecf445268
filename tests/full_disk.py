"""A disk that takes no more, without one: the limit of the process on the length of a file it writes."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def full_disk(n_bytes: int = 4096) -> Iterator[None]:
    """No file can grow beyond so many bytes: whatever writes one, in any language, gets an error."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
