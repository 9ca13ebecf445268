"""How large a drawing becomes in its room: it fills a lecture or a slide, and keeps its size on a page."""

from collections.abc import Callable
from math import inf

import numpy as np

from viz.room import LEAST_TYPE, Room

MOST = 2.0
"""How many times as large as on a page a drawing becomes at most."""

HIGHEST = 1.3
"""The greatest height of a printed figure as a share of its width, if its preset says none."""

STEP = 0.05


def tallest(room: Room) -> float:
    """Return the pixels of height that a drawing keeps to; infinite on a page without a window."""
    height = inf if room.height is None else room.height
    return min(height, HIGHEST * room.width) if room.is_printed and not room.fills else height


def magnification(room: Room, height_of: Callable[[float], float], *, most: float = MOST) -> float:
    """Return how many times as large as on a page a drawing is in a room.

    `height_of` gives the height of the drawing for a width, both before it is magnified. A drawing that has
    no room is made smaller, but no letter becomes smaller than the smallest type of the room.
    """
    least = min(1.0, room.smallest_type / LEAST_TYPE)
    if not room.fills:
        return 1.0
    sizes = [*np.arange(most, least, -STEP).tolist(), least]
    return next((one for one in sizes if one * height_of(room.width / one) <= tallest(room)), least)
