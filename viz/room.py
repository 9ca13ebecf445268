"""The room of a picture: a page, a large page, a slide or a column of a paper."""

from dataclasses import dataclass
from math import inf
from typing import Literal

from viz.theme import LIGHT, Theme

LEAST_TYPE = 12
"""Pixels of the smallest letters on a page."""

PRINTED_LABEL = 5 / 7
"""Least size of names in print, relative to the smallest other type: 5 points for 7."""

PRINTED_LINE = 0.6
"""Thickness of a curve in a column relative to a page, so that gaps of dashes stay open."""

HIGHEST_PRINT = 1.3
"""Greatest ratio of height to width of a picture in a column, unless its numbers need more."""


@dataclass(frozen=True, kw_only=True)
class Room:
    """A theme and a size in pixels.

    A picture is at most `width` pixels wide. It stays below `height` if it remains legible; without `height`
    it may be any height. A picture that `fills` a slide or a large page is as large as the room. No letter is
    smaller than `smallest_type` pixels. In `print` a reader's selection is not shown, and no title is drawn:
    it stands above the picture.
    """

    theme: Theme = LIGHT
    width: float = 980
    height: float | None = None
    fills: bool = False
    smallest_type: float = LEAST_TYPE
    medium: Literal["screen", "print"] = "screen"

    @property
    def is_printed(self) -> bool:
        """Whether the picture cannot be hovered, clicked or scrolled."""
        return self.medium == "print"

    @property
    def smallest_label(self) -> float:
        """Pixels of the smallest name of a row or a column; smaller ones are left out."""
        return self.smallest_type * (PRINTED_LABEL if self.is_printed else 1)

    @property
    def line_scale(self) -> float:
        """Thickness of curves relative to a page; a slide is seen from afar and keeps them thick."""
        return PRINTED_LINE if self.is_printed and not self.fills else 1.0

    @property
    def tallest(self) -> float:
        """Pixels of height that a picture does not exceed if it stays legible."""
        if self.height is not None:
            return self.height
        return HIGHEST_PRINT * self.width if self.is_printed else inf


PAGE = Room()
"""The page of a laptop, in light colours."""
