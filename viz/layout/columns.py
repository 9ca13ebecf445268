"""Names above columns: horizontal if each has room, else slanted."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, inf, radians, sin
from typing import Any

from viz.layout.rows import BESIDE, name_axis
from viz.text import em_width, label

TYPE, SLANT = 15, 60
"""Type size of the names in pixels, and the degrees by which they are slanted."""


@dataclass(frozen=True, kw_only=True)
class NamedColumns:
    """Names above columns of `pitch` pixels each, slanted by an `angle`; they take `height` pixels."""

    names: Sequence[str]
    pitch: float
    height: float
    angle: float

    def axis(self) -> dict[str, Any]:
        """Return the axis with the names, without its domain."""
        places, shown = list(range(len(self.names))), list(map(label, self.names))
        names = {"tickvals": places, "ticktext": shown, "tickangle": -self.angle, "side": "top"}
        return {**name_axis(TYPE), **names, "range": (-0.5, len(places) - 0.5)}


def fit_columns(names: Sequence[str], width: float, *, most: float = inf) -> NamedColumns:
    """Divide `width` pixels among columns of `most` pixels at most; the last slanted name ends in them."""
    n, widths = len(names), [em_width(label(name)) * TYPE for name in names]
    pitch = min(most, width / n)
    if max(widths) + BESIDE <= pitch:
        return NamedColumns(names=names, pitch=pitch, height=1.4 * TYPE + BESIDE, angle=0)
    beyond = widths[-1] * cos(radians(SLANT)) + TYPE
    pitch = min(most, (width - max(0.0, beyond - width / n / 2)) / n)
    height = max(widths) * sin(radians(SLANT)) + TYPE + BESIDE
    return NamedColumns(names=names, pitch=pitch, height=height, angle=SLANT)
