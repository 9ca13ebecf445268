"""A figure as large as a place: how it is drawn, and by what it is magnified to fill the place."""

from dataclasses import dataclass

from viz.barred import barred
from viz.parts.figure import Figure
from viz.stretched import natural, stretched

LARGEST, LARGEST_FREE = 1.6, 1.25
"""How far a figure is magnified at most, so that words leave room for what they are about; and how far one
that takes whatever width it gets."""

SMALLEST = 0.9
"""How far a figure is made smaller that is too high: further and its letters would crowd it."""

NARROWEST = 400
"""Pixels of width that every figure can do with."""


FITS = 1.02
"""How many times as high as its place a figure may be that is made so much smaller."""


@dataclass(frozen=True)
class Fitted:
    """A figure of so many pixels, and the scale by which these are magnified."""

    figure: Figure
    width: int
    height: int
    scale: float

    @property
    def taken(self) -> tuple[float, float]:
        """The width and the height that it takes, magnified."""
        return self.width * self.scale, self.height * self.scale


def overflow(figure: Figure, width: float, height: float, *, least_type: float) -> float:
    """How many times as high as its place a figure is that is `fitted` into it; 1 where it fits."""
    _, (_, high), scale = _barred(figure, width, height, least_type)
    found = high * scale / height
    return found if found > FITS else 1.0


def fitted(figure: Figure, width: float, height: float, *, least_type: float, thins: bool = False) -> Fitted:
    """The figure in a place of this width and height, with no letter below `least_type`, magnified.

    It takes all of the width, and all of the height or more: what cannot be pressed so low is scrolled. If it
    `thins`, words beside rows make way first.
    """
    figure, size, scale = _barred(figure, width, height, least_type, thins)
    drawn = stretched(figure, *size, least_type=least_type / scale)
    return Fitted(drawn, *size, scale)


def _barred(
    figure: Figure, width: float, height: float, least_type: float, thins: bool = False
) -> tuple[Figure, tuple[int, int], float]:
    """The figure with room for the colour bars that it needs in this place, and its `_shape`."""
    size, scale = _shape(figure, width, height, least_type, thins)
    found = barred(figure, *size, least_type=least_type / scale)
    if found is figure:
        return figure, size, scale
    return found, *_shape(found, width, height, least_type, thins)


def _shape(
    figure: Figure, width: float, height: float, least_type: float, thins: bool = False
) -> tuple[tuple[int, int], float]:
    """How large the figure is drawn, and by what that is magnified."""
    found = natural(figure, least_type=least_type, thins=thins)
    widest = width / (found.width or NARROWEST)
    scale = max(height / found.height, min(1.0, height / found.least))
    scale = min(widest, max(SMALLEST, min(scale, LARGEST if found.width else LARGEST_FREE)))
    return (round(width / scale), round(max(height / scale, found.least))), scale
