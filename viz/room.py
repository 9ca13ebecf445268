"""The room that a picture is drawn for: on a page, on a large page, on a slide or in a column of a paper."""

from dataclasses import dataclass
from math import inf
from typing import Literal

from viz.theme import LIGHT, Theme

LEAST_TYPE = 12
"""Pixels of the smallest letters on a page."""

PRINTED_LABEL = 5 / 7
"""How small a name in print may be beside the smallest other type: 5 points where that has 7."""

PRINTED_LINE = 0.6
"""How thick a curve in a column is beside one on a page: the gaps of its dashes stay open."""

HIGHEST_PRINT = 1.3
"""How many times as high as wide a picture in a column is at most, unless its numbers need more."""


@dataclass(frozen=True, kw_only=True)
class Room:
    """A theme and a size in pixels.

    A picture is at most `width` pixels wide. It keeps below `height` if it stays legible, and is as high as
    it likes where there is none. A picture `fills` a slide or a large page: it becomes as large as the room.
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
        """Whether the picture cannot be pointed at, pressed or scrolled."""
        return self.medium == "print"

    @property
    def smallest_label(self) -> float:
        """Pixels of the smallest name of a row or a column: smaller ones are left out."""
        return self.smallest_type * (PRINTED_LABEL if self.is_printed else 1)

    @property
    def line_scale(self) -> float:
        """How thick curves are beside those on a page; a slide is seen from afar and keeps them thick."""
        return PRINTED_LINE if self.is_printed and not self.fills else 1.0

    @property
    def tallest(self) -> float:
        """Pixels of height that a picture keeps below if it stays legible."""
        if self.height is not None:
            return self.height
        return HIGHEST_PRINT * self.width if self.is_printed else inf


PAGE = Room()
"""The page of a laptop, in light colours."""
