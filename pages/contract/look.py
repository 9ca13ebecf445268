"""What a sheet is drawn for: a theme, and the room that figures have."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from viz.room import Room
from viz.theme import LIGHT, Theme

WIDEST = 980
"""Pixels a figure takes at most: what is left beside the sidebar in a window 1400 wide."""

STACKED = 860
"""Pixels of a page below which its columns stand below each other, see frame.css."""

NARROW = 400
"""Pixels of width below which bars have their names above them: half of a wide page has more."""

REM = 17
"""Pixels of the letters that all sizes of the page go by: baseFontSize in .streamlit/config.toml."""

GAP = 2 * REM
"""Pixels between two columns."""

ABOVE = 330
"""Pixels of a page above its main picture, which has the rest of the window's height."""

STEP = 10
"""Pixels: figures are drawn in such steps, so that visitors with windows of about one width share them."""


@dataclass(frozen=True)
class Look:
    """A theme, the width of the page in pixels, and of the column that is drawn in; the window's height.

    Without a `height` nothing limits how tall a figure is. In the large view the picture `fills` the window:
    the height is its own then, whatever else stands on the page. Of several pictures side by side the one
    with the number `panel` fills it alone; 0 stands for all.
    """

    theme: Theme = LIGHT
    page: int = WIDEST
    width: float = WIDEST
    height: int | None = None
    fills: bool = False
    panel: int = 0

    @property
    def for_picture(self) -> Room:
        """The room of a picture on a page."""
        height = None if self.height is None else self.height - ABOVE
        return Room(theme=self.theme, width=int(self.width) // STEP * STEP, height=height)

    @property
    def is_narrow(self) -> bool:
        """Whether names have no room beside what they name."""
        return self.width < NARROW

    def columns(self, weights: Sequence[float], *, alone: bool = False) -> list["Look"]:
        """Looks for columns of these weights: a narrow page has them below each other.

        In the large view the first may have the window `alone`, or the `panel`; the others are below.
        """
        if self.page < STACKED or (self.fills and (alone or self.panel)):
            return [self] * len(weights)
        gap = GAP * (len(weights) - 1) / len(weights)  # columns bear the gaps in equal parts
        return [replace(self, width=weight / sum(weights) * self.width - gap) for weight in weights]
