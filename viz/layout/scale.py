"""Colours of a matrix's numbers, their digits, and the ink of the digits."""

import re
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viz.layout.figure import Trace, trace_of
from viz.text import em_width
from viz.theme import ColourScale, Theme

INKS = ("#000000", "#FFFFFF")
"""Black and white: one of the two has a contrast of at least 4.5 with any colour."""

MINUS = "−"
MOST_DECIMALS = 4

ZERO_BEFORE_POINT = re.compile(r"(?<![0-9])0(?=\.[0-9]+$)")

ENDS = (1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
"""Possible ends of the colours of weights: few, so that two figures often have the same."""

ROUNDING = 1e-6
"""Relative rounding error of float32: 0.2 may be stored as slightly more than 0.2."""

Numbers = NDArray[np.floating]


@dataclass(frozen=True, kw_only=True)
class Scale:
    """Colours from `low` to `high`, and enough decimals to distinguish two colours.

    A `signed` scale prints a plus as well as a minus. If zero has the colour of the paper its digits are
    `faint`, so that weight reads as ink. A scale `of_shares` runs from 0 to at most 1, and may end sooner.
    """

    colours: ColourScale
    low: float
    high: float
    decimals: int
    signed: bool = False
    faint: bool = True
    of_shares: bool = False

    def digits(self, value: float) -> str:
        """Return `value` as printed in a cell, with a real minus sign and no sign before a zero."""
        style = f"z.{self.decimals}f" if self.decimals <= MOST_DECIMALS else ".1e"
        sign = "+" if self.signed and value >= self.rounds_to_zero else ""
        return sign + format(value, style).replace("-", MINUS)

    def digits_without_zero(self, value: float) -> str:
        """Return `value` as in `digits`, without the zero before its point on a scale that ends below 1.

        A sign takes no more room than that zero: `−.25` is as wide as `0.25`.
        """
        text = self.digits(value)
        return ZERO_BEFORE_POINT.sub("", text) if self.low > -1 and self.high < 1 else text

    @property
    def rounds_to_zero(self) -> float:
        """Size below which a number is printed as zero."""
        return 0.5 * 10.0**-self.decimals

    @property
    def ends(self) -> tuple[str, str]:
        """The limits as written at the ends of a colour bar."""
        low, high = (
            f"{end:g}" if self.of_shares or end == round(end) else self.digits(end)
            for end in (self.low, self.high)
        )
        return low.replace("-", MINUS), high

    def named(self, room: float) -> dict[float, str]:
        """Return the texts below a colour bar of `room` em: its ends and, if there is room, zero."""
        low, high = self.ends
        if not self.low < 0 < self.high:
            return {self.low: low, self.high: high}
        # Half of an end's text extends beyond it; between two texts there is at least one em.
        fits = em_width(low) / 2 + em_width(high) / 2 + em_width("0") + 2 <= room
        return {self.low: low, **({0.0: "0"} if fits else {}), self.high: high}

    def heatmap(self, values: Numbers, **look: Any) -> Trace:
        """Return a trace of cells in these colours; `look` are other attributes of Plotly's heatmap."""
        limits = {"zmin": self.low, "zmax": self.high, "colorscale": self.colours}
        return trace_of("heatmap", z=values, **limits, **look)

    def inks(self, matrix: Numbers, theme: Theme) -> NDArray[np.str_]:
        """Return the ink for each cell: black or white by contrast, or muted for a faint zero."""
        inks = inks_on(self.rgb(matrix))
        return np.where(self.faint & (np.abs(matrix) < self.rounds_to_zero), theme.muted, inks)

    def rgb(self, matrix: Numbers) -> Numbers:
        """Return red, green and blue from 0 to 1 of each cell, interpolated as in Plotly: (…, 3)."""
        share = np.clip((np.nan_to_num(matrix) - self.low) / (self.high - self.low), 0, 1)
        stops = [stop for stop, _ in self.colours]
        channels = np.array([channels_of(colour) for _, colour in self.colours]).T
        return np.stack([np.interp(share, stops, channel) for channel in channels], axis=-1)


def weight_scale(theme: Theme, *, largest: float = 1.0) -> Scale:
    """Return the scale of weights: from 0 to 1, or to the next of `ENDS` above the `largest`."""
    least = largest * (1 - ROUNDING)
    high = min((end for end in ENDS if end >= least > 0), default=1.0)
    decimals = max(2, ceil(1 - log10(high)))
    return Scale(colours=theme.sequential, low=0.0, high=high, decimals=decimals, of_shares=True)


def mask_scale(theme: Theme) -> Scale:
    """Return the scale of a mask's additions to scores: 0, on a visible tile."""
    colours = ((0.0, theme.line), (1.0, theme.line))
    return Scale(colours=colours, low=0.0, high=1.0, decimals=0, faint=False)


def signed_scale(matrix: Numbers, theme: Theme, *, noise: float = 0.0, signed: bool = False) -> Scale:
    """Return a scale symmetric about zero out to the largest finite size, or ±1 if that is only `noise`."""
    sizes = np.abs(matrix[np.isfinite(matrix)])
    largest = float(sizes.max(initial=0))
    limit = largest if largest > noise else 1.0
    decimals = max(1, 1 - floor(log10(limit)))
    return Scale(colours=theme.diverging, low=-limit, high=limit, decimals=decimals, signed=signed)


def inks_on(rgb: Numbers) -> NDArray[np.str_]:
    """Return black or white, by contrast with colours in the last axis."""
    return np.where((luminance(rgb) + 0.05) ** 2 > 1.05 * 0.05, *INKS)


def channels_of(colour: str) -> tuple[float, float, float]:
    """Return `#RRGGBB` as red, green and blue from 0 to 1."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def luminance(rgb: Numbers) -> Numbers:
    """Return relative luminance, 0 for black to 1 for white, of colours in the last axis (WCAG 2.2)."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))
