"""The look of a sheet: its theme, and the room of its figures."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from viz.room import Room
from viz.theme import LIGHT, Theme

USUAL = 980
"""Usual width of a page in pixels: the width beside the sidebar in a window 1400 pixels wide."""

WIDEST = 1220
"""Greatest width of a figure in pixels: the width of the widest page, see frame.css."""

STACKED = 860
"""Width of a page in pixels below which columns are stacked, see frame.css."""

NARROW = 400
"""Width in pixels below which bars have their names above them: half of a wide page is wider."""

REM = 17
"""Pixels of the base font size: baseFontSize in .streamlit/config.toml."""

GAP = 2 * REM

ABOVE = 330
"""Pixels of a page above its main picture, which takes the rest of the window's height."""

STEP = 10
"""Step in pixels of figure sizes, so that visitors with windows of similar width share figures."""


@dataclass(frozen=True)
class Look:
    """The theme, the width of the page and of the current column, and the window's height, in pixels.

    Without a `height` a figure may be as tall as it needs. In the large view the picture `fills` the window,
    so it takes the whole height. Of several pictures side by side `panel` fills the window alone; 0 stands
    for all of them.
    """

    theme: Theme = LIGHT
    page: int = USUAL
    width: float = USUAL
    height: int | None = None
    fills: bool = False
    panel: int = 0

    @property
    def for_picture(self) -> Room:
        """Return the room of a picture on a page."""
        height = None if self.height is None else self.height - ABOVE
        return Room(theme=self.theme, width=int(self.width) // STEP * STEP, height=height)

    @property
    def is_narrow(self) -> bool:
        """Return whether names do not fit beside their bars."""
        return self.width < NARROW

    def columns(self, weights: Sequence[float], *, alone: bool = False) -> list["Look"]:
        """Return looks for columns of these weights; on a narrow page all have the full width.

        In the large view the first may have the window `alone`, or the `panel`; the others follow below it.
        """
        if self.page < STACKED or (self.fills and (alone or self.panel)):
            return [self] * len(weights)
        gap = GAP * (len(weights) - 1) / len(weights)  # columns share the gaps equally
        return [replace(self, width=weight / sum(weights) * self.width - gap) for weight in weights]
