"""What stands on a slide, and where: in pixels of a slide that is 1280 of them wide."""

from dataclasses import dataclass
from typing import NamedTuple

from figures.rendering import fonts

WIDTH, HEIGHT = 1280, 720
"""Pixels: 13⅓ × 7½ inches of 96 each."""

MARGIN, GAP = 40, 12
LINE = 1.2
"""How high a line is, in em."""

TITLE_TYPES, TITLE_LINES = (32, 28, 24, 20), 2
"""Pixels of a title's type: the largest in which it takes so many lines, or else the smallest."""

CAPTION_TYPE, STATEMENT_TYPES = 16, (44, 36, 30, 24)
QR_SIDE = 96

TOO_WIDE = 0.74
"""Lines are broken as if the room were narrower: what stands in for Arial may be a third wider."""


class Box(NamedTuple):
    """A rectangle on a slide, in pixels from its upper left corner."""

    left: float
    top: float
    width: float
    height: float


class Drawn(NamedTuple):
    """A picture: an SVG without a typeface, the same in dots, its size in pixels, and it in words."""

    svg: bytes
    png: bytes
    width: float
    height: float
    alt: str


@dataclass(frozen=True, kw_only=True)
class Slide:
    """A slide: its title and the line at its foot, the picture between them or a large sentence instead.

    `notes` are for who speaks. The QR code of a `link` stands at the lower right, where there is one.
    """

    title: str
    caption: str = ""
    notes: str = ""
    picture: Drawn | None = None
    statement: str = ""
    link: str = ""


@dataclass(frozen=True)
class Plan:
    """Where the parts of a slide stand, and the pixels of their type."""

    title: Box
    title_type: int
    caption: Box
    room: Box
    qr: Box | None


def plan(title: str, caption: str, *, has_qr: bool = False) -> Plan:
    """The places of a title, of a caption, and of what stands between them."""
    width = WIDTH - 2 * MARGIN
    size, lines = fitting(title, width, TITLE_TYPES, TITLE_LINES, weight=fonts.BOLD)
    high = max(1, lines) * LINE * size
    above = Box(MARGIN, MARGIN / 2, width, high)
    beside = width - (QR_SIDE + GAP if has_qr else 0)
    n_lines = len(fonts.broken(caption, beside * TOO_WIDE, CAPTION_TYPE))
    low = n_lines * LINE * CAPTION_TYPE
    below = Box(MARGIN, HEIGHT - MARGIN / 2 - low, beside, low)
    first = above.top + above.height + GAP
    last = below.top - GAP * bool(n_lines)
    qr = Box(WIDTH - MARGIN - QR_SIDE, HEIGHT - MARGIN / 2 - QR_SIDE, QR_SIDE, QR_SIDE) if has_qr else None
    if qr is not None:
        last = min(last, qr.top - GAP)
    return Plan(above, size, below, Box(MARGIN, first, width, last - first), qr)


def fitting(
    text: str, width: float, sizes: tuple[int, ...], n_lines: int, *, weight: int = fonts.REGULAR
) -> tuple[int, int]:
    """The first size in which a text takes at most `n_lines`, or else the last, and its lines then."""
    for size in sizes:
        taken = len(fonts.broken(text, width * TOO_WIDE, size, weight=weight))
        if taken <= n_lines:
            break
    return size, taken


def centred(size: tuple[float, float], room: Box) -> Box:
    """Where something of this size stands in the middle of a room, made smaller if it has to be."""
    scale = min(1.0, room.width / size[0], room.height / size[1])
    width, height = size[0] * scale, size[1] * scale
    return Box(room.left + (room.width - width) / 2, room.top + (room.height - height) / 2, width, height)
