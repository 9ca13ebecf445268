"""The program behind a view."""

from collections.abc import Callable
from typing import NamedTuple


class Program(NamedTuple):
    """What writes a program, and what it prints: "it prints …"."""

    write: Callable[[], str]
    prints: str = "what is shown here"
