"""Size of a drawing in its room: it fills a large page or a slide, and keeps its size on a page."""

from collections.abc import Callable

import numpy as np

from viz.room import LEAST_TYPE, Room

MOST = 2.0
"""Greatest magnification of a drawing."""

STEP = 0.05


def magnification(room: Room, height_of: Callable[[float], float], *, most: float = MOST) -> float:
    """Return the magnification of a drawing in a room.

    `height_of` gives the height of the drawing for a width, both before magnification. A drawing without room
    is made smaller, but no letter becomes smaller than the smallest type of the room.
    """
    least = min(1.0, room.smallest_type / LEAST_TYPE)
    if not room.fills:
        return 1.0
    sizes = [*np.arange(most, least, -STEP).tolist(), least]
    return next((one for one in sizes if one * height_of(room.width / one) <= room.tallest), least)
