"""The error of a call that fails."""

from collections.abc import Iterator
from contextlib import contextmanager

from core.pretrained import FolderError
from core.pretrained.tokenizer import TextError
from core.unavailable import UnavailableError


class LabError(ValueError):
    """A call fails; the message says why, and what to do."""


@contextmanager
def explained(title: str) -> Iterator[None]:
    """Turn errors of models, folders and texts into LabError; `title` names the model."""
    try:
        yield
    except (FolderError, TextError) as error:
        raise LabError(f"{title} cannot be read: {error}") from error
    except UnavailableError as error:
        raise LabError(str(error)) from error
