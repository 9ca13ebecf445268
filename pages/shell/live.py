"""What goes on by itself while a visitor watches it: the part of a page that answers again every moment."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

PERIOD = 0.7
"""Seconds between two answers while it goes on."""


@dataclass(frozen=True)
class Live:
    """What a view shows of something that goes on by itself.

    `look` tells how it is now, which is `live` in the scene, and `is_active` whether it goes on. `ask` asks
    what depends on that, for a scene and the choices of the view, and returns those that `find` is given. Of
    a link alone nothing goes on, and `live` is None. `moment` says when a picture of it was taken.
    """

    look: Callable[[], Any]
    is_active: Callable[[], bool]
    ask: Callable[[Any, Any, Any], Any]
    moment: Callable[[Any], str]
