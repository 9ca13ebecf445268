"""An axis of quantities: its range, the positions of values, and its ticks."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import ceil, floor, log10
from typing import Any

import numpy as np

from viz.text import em_width
from viz.theme import Theme
from words import magnitude, magnitudes, signed

Say = Callable[[float], str]
"""A function that puts a quantity into words."""

TICK, OVERHANG = 15, 9
"""Usual type size of ticks in pixels, and pixels of an axis beyond its first and last value."""

ROW, MOST_UP, MOST_ACROSS = 36, 7, 10
"""Pixels of an upright axis for each of its ticks; greatest numbers of ticks upright and across."""

FEW_PLACES = 12
"""Greatest number of values of a logarithmic axis that all have a tick: they were chosen for measuring."""

BETWEEN = 0.25
"""Em between two ticks of an axis across, besides the margin of `em_width`."""

NEAR, FEW = 0.02, 0.2
"""Shares of an upright axis: how far a value may exceed the last tick, and room given up for a third tick."""

FROM_ZERO = 1 / 3
"""An axis begins at zero if its smallest value is at most this share of its largest."""

ZEROS = re.compile(r"\.0+(?!\d)|(\.\d*?[1-9])0+(?!\d)")
"""Zeros that a tick does not need: 2.00, 0.50, 45.0°."""


@dataclass(frozen=True, kw_only=True)
class Ruler:
    """An axis from `low` to `high` on `length` pixels, logarithmic if `log`, with its ticks."""

    low: float
    high: float
    length: float
    log: bool = False
    ticks: Mapping[float, str] = field(default_factory=dict)
    type_size: float = TICK

    def at(self, value: float) -> float:
        """Return a value in the coordinates in which Plotly places notes on the axis."""
        return log10(value) if self.log else float(value)

    def pixels(self, value: Any) -> Any:
        """Return pixels from the beginning of the axis to a value, or to each of an array."""
        low, high = self.at(self.low), self.at(self.high)
        at = np.log10(value) if self.log else value
        return OVERHANG + (at - low) / (high - low) * (self.length - 2 * OVERHANG)

    def axis(self, theme: Theme) -> dict[str, Any]:
        """Return the axis as Plotly attributes."""
        low, high = self.at(self.low), self.at(self.high)
        room = OVERHANG * (high - low) / max(1.0, self.length - 2 * OVERHANG)
        return {
            "type": "log" if self.log else "linear",
            "range": (low - room, high + room),
            "tickvals": list(self.ticks),
            "ticktext": list(self.ticks.values()),
            "tickangle": 0,
            "tickfont": {"size": self.type_size},
            "linecolor": theme.line,
            "visible": True,
            "showline": True,
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
            "ticks": "",
        }


def upright(
    values: Iterable[float], say: Say, length: float, *, log: bool = False, most: int = MOST_UP
) -> Ruler:
    """Return an axis from a tick below all `values` to one above them, and from zero if that is near.

    A logarithmic axis on which not every decade has a tick begins and ends at a decade instead. The ticks are
    those with room that leave the least of the axis empty, in the words of `say` without superfluous zeros.
    """
    found = [float(value) for value in values if np.isfinite(value) and (value > 0 or not log)]
    low, high = min(found, default=1.0), max(found, default=1.0)
    if not log:
        low = min(low, 0.0) if low <= FROM_ZERO * high else low
        high = max(high, 0.0) if high >= FROM_ZERO * low else high
    if low == high:
        low, high = (low / 2, high * 2) if log else (min(low, 0.0), max(high, 0.0) or 1.0)
    n_most = min(most, max(4, int(length // ROW) + 1))
    fitting = []
    over = NEAR * (log10(high / low) if log else high - low)
    inner = (low * 10**over, high / 10**over) if log else (low + over, high - over)
    for found_ticks in _candidates(*inner, log=log, factors=(1, 2, 4, 5)):
        first, last = _ends(found_ticks, *inner) if log else (found_ticks[0], found_ticks[-1])
        ticks = [tick for tick in found_ticks if first <= tick <= last]
        if len(ticks) < 2:
            continue
        one = Ruler(low=first, high=last, length=length, log=log)
        touch = np.diff([one.pixels(tick) for tick in ticks]).min() < 1.4 * TICK
        if len(ticks) <= n_most and (texts := _texts(ticks, say)):
            free = 1 - (one.at(high) - one.at(low)) / (one.at(one.high) - one.at(one.low))
            loss = round(touch + free + FEW * (len(ticks) < 3), 3)
            fitting.append((loss, -len(ticks), first, last, dict(zip(ticks, texts, strict=True))))
    _, _, first, last, written = min(fitting, key=lambda one: one[:2])
    return Ruler(low=first, high=last, length=length, log=log, ticks=written)


def across(
    values: Iterable[float],
    length: float,
    *,
    log: bool = False,
    names: Mapping[float, str] | None = None,
    smallest: float = TICK,
    most: int = MOST_ACROSS,
) -> Ruler:
    """Return an axis from the first of `values` to the last, both of which have a tick.

    For fractions it runs from a tick before the first to one after the last. If its places have `names`,
    these are its ticks: all in a type of at least `smallest` pixels, or every second, third, … without
    overlaps.
    """
    places = sorted({float(value) for value in values} | set(names or ()))
    low, high = (places[0], places[-1]) if places else (1.0, 2.0)
    if low == high:
        low, high = (low / 2, 2 * low) if log else (low - 1, low + 1)
    one = Ruler(low=low, high=high, length=length, log=log)
    if names is not None:
        return _named(one, names, smallest)
    if len(places) <= (FEW_PLACES if log else 1):
        return _named(one, {place: number(place) for place in places}, TICK)
    is_whole = all(place.is_integer() for place in places)
    for ticks in _candidates(low, high, log=log, factors=(1, 2, 5)):
        if is_whole and not all(tick.is_integer() for tick in ticks):
            continue
        if not is_whole:
            one = Ruler(low=ticks[0], high=ticks[-1], length=length, log=log)
        between = max(one.at(after) - one.at(before) for before, after in pairwise(ticks))
        near = [
            tick
            for tick in ticks
            if min(one.at(tick) - one.at(one.low), one.at(one.high) - one.at(tick)) >= between / 2
        ]
        texts = {tick: number(tick) for tick in (one.low, *near, one.high)}
        if len(texts) <= most and not _touch(one, texts):
            return replace(one, ticks=texts)
    return replace(one, ticks={place: number(place) for place in (one.low, one.high)})


def number(value: float) -> str:
    """Return a number for ticks and hovers of an axis across: 2,048, −16, 0.25."""
    return f"{value:,.10g}".replace("-", "−")


def _candidates(low: float, high: float, *, log: bool, factors: Sequence[int]) -> Iterator[list[float]]:
    """Yield ticks from one at or below `low` to one at or above `high`, fewer and fewer."""
    first = floor(log10(high - low)) - 1
    for power in range(first, first + 4):
        for factor in factors:
            ticks = _multiples(low, high, factor * 10.0**power)
            if not log or ticks[0] > 0:
                yield ticks
    if log:
        decades = floor(log10(low) + 1e-9), ceil(log10(high) - 1e-9)
        for between in ((1, 2, 5), (1, 3)):
            some = [factor * 10.0**power for power in range(*decades) for factor in between]
            some.append(10.0 ** decades[1])
            below = max(at for at, tick in enumerate(some) if tick <= low * (1 + 1e-9))
            above = min(at for at, tick in enumerate(some) if tick >= high * (1 - 1e-9))
            yield some[below : above + 1]
        for step in range(1, max(2, decades[1] - decades[0] + 1)):
            first = step * floor(decades[0] / step)
            yield [10.0**power for power in range(first, decades[1] + step, step)]


def _ends(ticks: Sequence[float], low: float, high: float) -> tuple[float, float]:
    """Return the ends of a logarithmic axis: the outer ticks, or the decades around its values if nearer."""
    below, above = floor(log10(low) + 1e-9), ceil(log10(high) - 1e-9)
    return max(ticks[0], 10.0**below), min(ticks[-1], 10.0**above)


def _multiples(low: float, high: float, step: float) -> list[float]:
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [float(f"{at * step:.10g}") for at in range(first, max(last, first + 1) + 1)]


def _texts(ticks: Sequence[float], say: Say) -> list[str]:
    """Return ticks in words, or as plain numbers if `say` makes some equal."""
    if say is magnitude and ticks[0] > 0:
        return magnitudes(ticks)
    for write in (signed,) if say is magnitude else (say, signed):
        texts = [ZEROS.sub(r"\1", write(tick)) for tick in ticks]
        if len(set(texts)) == len(texts):
            return texts
    return []


def _named(one: Ruler, names: Mapping[float, str], smallest: float) -> Ruler:
    """Write all names, smaller if necessary, or every n-th with the first and the last."""
    for size in range(TICK, ceil(min(smallest, TICK)) - 1, -1):
        if not _touch(one, names, size):
            return replace(one, ticks=names, type_size=size)
    least = min(smallest, TICK)
    places = list(names)
    for step in range(1, len(places) + 1):
        kept = places[::-step][::-1]
        if not _touch(one, {at: names[at] for at in kept}, least):
            break
    if kept[0] != places[0]:
        first = {places[0]: names[places[0]]}
        rest = [at for at in kept if not _touch(one, first | {at: names[at]}, least)]
        kept = [places[0], *rest] if rest else kept
    return replace(one, ticks={at: names[at] for at in kept}, type_size=least)


def _touch(one: Ruler, ticks: Mapping[float, str], size: float = TICK) -> bool:
    """Return whether texts of this size touch on an axis across."""
    order = sorted(ticks)
    halves = {at: (em_width(ticks[at]) + BETWEEN) * size / 2 for at in order}
    return any(
        one.pixels(after) - one.pixels(before) < halves[before] + halves[after]
        for before, after in pairwise(order)
    )
