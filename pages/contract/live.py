"""Running processes that a visitor watches: their part of the page is drawn again every moment."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pages.contract.sheet import Sheet

if TYPE_CHECKING:
    from pages.contract.ask import Ask

PERIOD = 0.7
"""Seconds between two drawings of a running process."""


@dataclass(frozen=True)
class Live:
    """A sheet of a running process.

    `look` returns its present state, and `is_active` whether it runs. `sheet` draws a state, with controls.
    From a link alone nothing runs, and `sheet` gets None. `moment` says when the state was drawn.
    """

    look: Callable[[], Any]
    is_active: Callable[[], bool]
    sheet: Callable[["Ask", Any], Sheet]
    moment: Callable[[Any], str]
