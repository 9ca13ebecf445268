"""The formats of a figure: how large it is drawn, and how large its letters are at least."""

from dataclasses import dataclass
from math import inf
from types import MappingProxyType

MM = 96 / 25.4
"""Pixels of a millimetre, at the 96 to an inch that browsers reckon with."""

POINT = 96 / 72
"""Pixels of a point."""


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A format: its name, what it is for, and its size in pixels, of which 96 are an inch.

    Without a `height` a figure is as high as it needs to be, but not higher than `highest`. No letter is
    smaller than `least_type`; the title's are `title_type`.
    """

    name: str
    label: str
    width: int
    height: int | None = None
    highest: float = inf
    least_type: float
    title_type: float
    margin: float


SLIDE = Preset(
    name="slide", label="Slide, 16:9", width=1280, height=720, least_type=16, title_type=30, margin=32
)
HALF = Preset(
    name="half", label="Half a slide", width=640, height=720, least_type=16, title_type=22, margin=20
)
SQUARE = Preset(name="square", label="Square", width=720, height=720, least_type=16, title_type=24, margin=24)
COLUMN = Preset(
    name="column",
    label="Column, 85 mm",
    width=round(85 * MM),
    highest=220 * MM,
    least_type=7 * POINT,
    title_type=8.5 * POINT,
    margin=4,
)
"""A column of a paper of two; its type is of 7 points at least."""

PRESETS = MappingProxyType({preset.name: preset for preset in (SLIDE, HALF, SQUARE, COLUMN)})
"""A slide is 13⅓ × 7½ inches large in PowerPoint; 16 of its pixels are 24 of a screen 1920 wide."""

USUAL_TYPE = 14
"""Pixels of the smallest letters on a page that matter."""


def magnified(preset: Preset) -> float:
    """By what a figure that is drawn as on a page is magnified for its letters to be those of a preset."""
    return preset.least_type / USUAL_TYPE
