"""Presets of figures: the size of a sheet, and the sizes of its type."""

import re
from dataclasses import dataclass
from functools import partial
from math import inf
from types import MappingProxyType

from viz.room import LEAST_TYPE, Room
from viz.theme import Theme

INCH = 96.0
"""Pixels of an inch, as browsers count them."""

POINT, MM = INCH / 72, INCH / 25.4
"""Pixels of a point and of a millimetre."""

UNITS = MappingProxyType({"mm": MM, "cm": 10 * MM, "in": INCH, "pt": POINT})
"""Pixels of the units in which a width can be given."""

NARROWEST, WIDEST = 40, 400
"""The smallest and the largest width in millimetres."""

WIDTH = re.compile(rf"([0-9]{{1,4}}(?:\.[0-9]{{1,3}})?)\s?({'|'.join(UNITS)})", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Preset:
    """Preset of a sheet: its name, its label on the panel, and its size in pixels.

    Without a `height` a sheet is as high as its picture needs, up to `usual_height`, and up to `max_height`
    if its data need more. Captions and most words have `body_type`. Labels without room shrink to
    `least_type`, and no letter is smaller. The title has `title_type`.
    """

    name: str
    label: str
    width: int
    height: int | None = None
    least_type: float
    body_type: float
    title_type: float
    margin: float
    max_height: float = inf

    @property
    def is_slide(self) -> bool:
        """Whether the sheet has the shape of a slide or of a part of one."""
        return self.height is not None

    @property
    def usual_height(self) -> float:
        """Height in pixels: a picture is kept within it if its data fit."""
        return min(self.max_height, 1.3 * self.width)


def in_print(name: str, label: str, width: float) -> Preset:
    """Return the preset of a printed figure of a width in pixels, with type as journals ask for."""
    return Preset(
        name=name,
        label=label,
        width=round(width),
        least_type=5 * POINT,
        body_type=7 * POINT,
        title_type=8.5 * POINT,
        margin=4,
        max_height=220 * MM,
    )


_slide = partial(Preset, height=720, least_type=16, body_type=16)
SLIDE = _slide(name="slide", label="Slide, 16:9", width=1280, title_type=30, margin=32)
"""A slide of PowerPoint, 13⅓ × 7½ inches: 16 of its pixels are 24 of a screen 1920 wide."""

HALF = _slide(name="half", label="Half a slide", width=640, title_type=22, margin=20)
SQUARE = _slide(name="square", label="Square", width=720, title_type=24, margin=24)
ACL_COLUMN = in_print("acl-column", "ACL, 77 mm", 77 * MM)
ACL = in_print("acl", "ACL, 160 mm", 160 * MM)
NEURIPS = in_print("neurips", "NeurIPS, 140 mm", 140 * MM)

PRESETS = MappingProxyType(
    {preset.name: preset for preset in (SLIDE, HALF, SQUARE, ACL_COLUMN, ACL, NEURIPS)}
)


def magnified(preset: Preset) -> float:
    """Return the scale at which the smallest type of a page has the body type of a preset."""
    return preset.body_type / LEAST_TYPE


def room_of(preset: Preset, theme: Theme, height: float) -> Room:
    """Return the room of a picture on a sheet with `height` pixels for it, before it is magnified."""
    times = magnified(preset)
    size = {"width": (preset.width - 2 * preset.margin) / times, "height": height / times}
    return Room(theme=theme, **size, fills=preset.is_slide, medium="print")


def preset_of(width: str) -> Preset:
    """Return the preset of a printed figure of a width such as `77mm` or `220pt`. Raises ValueError."""
    found = WIDTH.fullmatch(width.strip().lower())
    if found is None:
        raise ValueError(f"A width is a number and one of {', '.join(UNITS)}, such as 77mm.")
    pixels = float(found[1]) * UNITS[found[2]]
    if not NARROWEST * MM <= pixels <= WIDEST * MM:
        raise ValueError(f"A width is from {NARROWEST} to {WIDEST} mm.")
    name = f"{found[1]}{found[2]}"
    return in_print(name, f"Width {name}", pixels)
