"""The program behind a view."""

from collections.abc import Callable
from typing import NamedTuple


class Program(NamedTuple):
    """A function that writes a program, and a description of its output that follows "it prints …"."""

    write: Callable[[], str]
    prints: str = "what is shown here"
