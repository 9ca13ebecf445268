"""Looks of the curves of a figure besides their colours: dashes, and signs at their points."""

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import cycle
from typing import Any, NamedTuple

from viz.theme import Theme

DASHES = ("solid", "dash", "dot", "dashdot")
SYMBOLS = ("circle", "square", "diamond", "cross")

IN_GREY = {
    "circle": "●",
    "square": "■",
    "triangle-up": "▲",
    "diamond-open": "◇",
    "circle-open": "○",
    "square-open": "□",
    "triangle-down": "▼",
    "diamond": "◆",
}
"""Signs of curves in grey, by their Plotly names and as characters."""

KEY_DASH, FAINT_DASH = "5px,3px", "2px,2px"
"""Dashes of keys and recurrence, and of faint lines; queries and highlighted lines are solid."""

FEW_POINTS = 16
"""Greatest number of points that are all marked; longer curves are lines."""

SOME = 8
"""Number of signs on a longer curve that dashes alone would not identify."""

SIZE, BOLD, FINE = 8, 3, 2
"""Pixels of a sign, of a line with hues or few points, and of a longer line identified by its signs."""


class LineLook(NamedTuple):
    """A dash and a symbol; a curve's `sign`, if it has one, is also written before its name.

    It is the curve number `at` of `of` in a figure.
    """

    dash: str
    symbol: str
    sign: str
    at: int = 0
    of: int = 1

    def drawn(self, n_points: int, colour: str, paper: str, line_scale: float = 1.0) -> dict[str, Any]:
        """Return mode, line and points of a curve with `n_points`, as Plotly attributes.

        Its line is `line_scale` times as thick as on a page. A longer curve has a few signs at places that
        differ from other curves, each with a rim of `paper`, so that none covers another's sign.
        """
        is_long = n_points > FEW_POINTS
        look: dict[str, Any] = {"mode": "lines" if is_long and not self.sign else "lines+markers"}
        width = line_scale * (FINE if is_long and self.sign else BOLD)
        look["line"] = {"color": colour, "width": width, "dash": self.dash}
        if not is_long or not self.sign:
            return {**look, "marker": {"size": SIZE, "symbol": self.symbol}}
        apart = n_points / SOME
        first = (self.at + 0.5) / self.of * apart
        marked = {min(n_points - 1, int(first + step * apart)) for step in range(SOME)}
        fill, rim = (paper, colour) if self.symbol.endswith("-open") else (colour, paper)
        look["marker"] = {
            "size": [SIZE + 2 if at in marked else 0 for at in range(n_points)],
            "symbol": self.symbol.removesuffix("-open"),
            "color": fill,
            "opacity": 1,
            "line": {"color": rim, "width": [1.5 * (at in marked) for at in range(n_points)]},
        }
        return look


def line_looks(colours: Mapping[str, str], dashed: Collection[str] | None, theme: Theme) -> list[LineLook]:
    """Return the looks of the curves of a figure, which are named in `colours`.

    Four dashes return after four curves. If `dashed` is given, all other curves are solid, and those `dashed`
    have one dash, or several if they have one colour: hues distinguish the rest. Without hues every curve has
    a different sign, unless it is alone.
    """
    names = list(colours)
    kinds = list(range(len(names))) if dashed is None else _dashed(colours, dashed)
    dashes = [DASHES[kind % len(DASHES)] for kind in kinds]
    if theme.has_hues or len(names) == 1:
        return [LineLook(dash, SYMBOLS[at % len(SYMBOLS)], "") for at, dash in enumerate(dashes)]
    signs = zip(dashes, cycle(IN_GREY.items()), strict=False)
    return [LineLook(dash, *sign, at, len(names)) for at, (dash, sign) in enumerate(signs)]


def _dashed(colours: Mapping[str, str], dashed: Collection[str]) -> list[int]:
    """Return the dash of each curve, counted from solid; dashed curves of one colour differ."""
    before: Counter[str] = Counter()
    kinds = []
    for name, colour in colours.items():
        before[colour] += name in dashed
        kinds.append(before[colour] if name in dashed else 0)
    return kinds


def role_dash(colour: str, theme: Theme) -> str:
    """Return the dash of a line in the colour of its role, solid if hues distinguish the roles."""
    dashes = {theme.key: KEY_DASH, theme.muted: FAINT_DASH}
    return "solid" if theme.has_hues else dashes.get(colour, "solid")
