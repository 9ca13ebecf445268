"""The error of a model that a view cannot have."""

from collections.abc import Iterator
from contextlib import contextmanager


class UnavailableError(ValueError):
    """A source does not have the model asked for; its text is a sentence for the reader: what to do.

    What a folder says that somebody else has made, a page shows as mere characters: what follows, `said`, and
    `names` that stand in the text, as in `{title} cannot be read.`
    """

    def __init__(self, text: str, said: str = "", **names: str) -> None:
        super().__init__(f"{text.format(**names) if names else text} {said}".rstrip())
        self.text, self.said, self.names = text, said, names


@contextmanager
def named(sentence: str) -> Iterator[None]:
    """Say of an UnavailableError which of several sentences it is about."""
    try:
        yield
    except UnavailableError as error:
        raise UnavailableError(f"{sentence}: {error.text}", error.said, **error.names) from error
