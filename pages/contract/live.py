"""What goes on by itself while a visitor watches it: the part of a page that answers again every moment."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pages.contract.sheet import Sheet

if TYPE_CHECKING:
    from pages.contract.ask import Ask

PERIOD = 0.7
"""Seconds between two answers while it goes on."""


@dataclass(frozen=True)
class Live:
    """A sheet of something that goes on by itself.

    `look` returns how it is now, and `is_active` whether it goes on. `sheet` draws it as it is, with controls
    of its own; of a link alone nothing goes on, and it is given None. `moment` says when it was drawn.
    """

    look: Callable[[], Any]
    is_active: Callable[[], bool]
    sheet: Callable[["Ask", Any], Sheet]
    moment: Callable[[Any], str]
