"""The error for a model that a view cannot have."""

from collections.abc import Iterator
from contextlib import contextmanager


class UnavailableError(ValueError):
    """A source does not have the requested model; the text tells the reader what to do.

    Text that came from somebody else's folder is shown as mere characters: `said`, which follows, and the
    `names` in the text, as in `{title} cannot be read.`
    """

    def __init__(self, text: str, said: str = "", **names: str) -> None:
        super().__init__(f"{text.format(**names) if names else text} {said}".rstrip())
        self.text, self.said, self.names = text, said, names


@contextmanager
def prefix_unavailable(sentence: str) -> Iterator[None]:
    """Say which of several sentences an UnavailableError is about."""
    try:
        yield
    except UnavailableError as error:
        raise UnavailableError(f"{sentence}: {error.text}", error.said, **error.names) from error
