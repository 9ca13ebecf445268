"""An axis of quantities: how far it runs, where its values lie, which of its ticks can be written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, starmap
from math import inf, log10
from typing import Any

from viz.text import fitting_size
from viz.theme import Theme

TITLE, SMALLEST_TITLE, TICK = 16, 12, 15
"""Type sizes in pixels of the title, where it has no room for that, and of the ticks."""

STANDOFF = 10
"""Pixels from the ticks to the title."""

OVERHANG = 0.03
"""How far the axis runs on at either end, as a share of the way between its first value and its last."""


@dataclass(frozen=True, kw_only=True)
class Ruler:
    """An axis from `low` to `high`, with the text of each tick; logarithmic if `log`."""

    ticks: Mapping[float, str]
    low: float
    high: float
    log: bool

    def at(self, value: float) -> float:
        """A value in the coordinates in which Plotly places notes on the axis."""
        return log10(value) if self.log else float(value)

    def share(self, value: float) -> float:
        """How far along the axis a value lies: 0 at its first and 1 at its last."""
        return (self.at(value) - self.at(self.low)) / (self.at(self.high) - self.at(self.low))

    def place(self, value: float) -> float:
        """Where a value lies between 0 and 1, the ends of the axis beyond its first and its last value."""
        return (self.share(value) + OVERHANG) / (1 + 2 * OVERHANG)

    def pixels(self, value: float, length: float) -> float:
        """How many pixels a value lies beyond the first one on an axis that is `length` pixels long."""
        return self.share(value) * length / (1 + 2 * OVERHANG)

    def written(self, length: float, sizes: Sequence[float]) -> list[float]:
        """All ticks, or the last and every second, third … before it, so that none touches another.

        The axis is `length` pixels long, and each tick takes up as many of them as `sizes` says. Where ticks
        lie unevenly, the first one takes the place of those that it would touch.
        """
        places = [self.pixels(tick, length) for tick in self.ticks]

        def touch(one: int, other: int) -> bool:
            return places[other] - places[one] < (sizes[one] + sizes[other]) / 2

        every = range(len(places))
        steps = (every[::-step][::-1] for step in every[1:])
        found = next((kept for kept in steps if not any(starmap(touch, pairwise(kept)))), every[-1:])
        kept = list(found)
        if not _are_even(places) and not touch(0, kept[-1]):
            kept = [0, *(at for at in kept if at and not touch(0, at))]
        return [list(self.ticks)[at] for at in kept]

    def axis(
        self, written: Sequence[float], title: str, theme: Theme, *, longest: float = inf
    ) -> dict[str, Any]:
        """The axis as Plotly wants it, with these of its ticks; its title is at most so many pixels long."""
        size = fitting_size(title, longest, usual=TITLE, smallest=SMALLEST_TITLE)
        low, high = self.at(self.low), self.at(self.high)
        room = OVERHANG * (high - low)
        return {
            "type": "log" if self.log else "linear",
            "range": (low - room, high + room),
            "tickvals": list(written),
            "ticktext": [self.ticks[tick] for tick in written],
            "tickangle": 0,
            "tickfont": {"size": TICK},
            "title": {"text": title, "font": {"size": size}, "standoff": STANDOFF},
            "linecolor": theme.line,
            "showline": True,
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
            "ticks": "",
        }


def _are_even(places: Sequence[float]) -> bool:
    gaps = [after - before for before, after in pairwise(places)]
    return not gaps or max(gaps) - min(gaps) < 1


def ruler(ticks: Mapping[float, str], values: Iterable[float], *, log: bool) -> Ruler:
    """An axis from the first of its ticks, which rise, to the last, or as far as `values` go."""
    reach = [*ticks, *values]
    return Ruler(ticks=ticks, low=min(reach), high=max(reach), log=log)
