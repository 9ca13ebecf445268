"""The room that a picture is drawn for: on a page, in a lecture, on a slide or in a column of a paper."""

from dataclasses import dataclass
from typing import Literal

from viz.theme import LIGHT, Theme

LEAST_TYPE = 12
"""Pixels of the smallest letters on a page."""


@dataclass(frozen=True, kw_only=True)
class Room:
    """A theme and a size in pixels.

    A picture is at most `width` pixels wide. It keeps below `height` if it stays legible, and is as high as
    it likes where there is none. A picture `fills` a slide or a lecture: it becomes as large as the room.
    No letter is smaller than `smallest_type` pixels. In `print` nothing shows what a reader has selected, and
    no title is drawn: it stands above the picture.
    """

    theme: Theme = LIGHT
    width: float = 980
    height: float | None = None
    fills: bool = False
    smallest_type: float = LEAST_TYPE
    medium: Literal["screen", "print"] = "screen"

    @property
    def is_printed(self) -> bool:
        return self.medium == "print"


PAGE = Room()
"""The page of a laptop, in light colours."""
