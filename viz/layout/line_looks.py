"""What tells the curves of a figure apart besides their colours: dashes, and signs at their points."""

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
"""The signs of curves where there are no hues, as Plotly calls them and as they are written."""

KEY_DASH, FAINT_DASH = "5px,3px", "2px,2px"
"""Dashes of a key, or of what is recurrent, and of what is only there: a query and what is lit are solid."""

FEW_POINTS = 16
"""Most points that are marked each; more make a line."""

SOME = 8
"""How many points of a longer curve have a sign where dashes alone would not tell it."""

SIZE, BOLD, FINE = 8, 3, 2
"""Pixels of a sign, and of a line with hues or few points, and of a longer one that only its signs tell."""


class LineLook(NamedTuple):
    """A dash and a symbol; a curve is known by the `sign` too, where it is written before its name.

    It is the curve number `at` of so many `of` a figure.
    """

    dash: str
    symbol: str
    sign: str
    at: int = 0
    of: int = 1

    def drawn(self, n_points: int, colour: str, paper: str, line_scale: float = 1.0) -> dict[str, Any]:
        """Return mode, line and points, as Plotly calls them, of a curve of so many points.

        Its line is `line_scale` times as thick as on a page.

        Of a longer curve some have a sign, each elsewhere than those of the other curves, and with a rim of
        `paper`, so that none covers another's sign.
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
    """The looks of the curves of a figure, of which `colours` has the names.

    Four dashes return after four curves. Where `dashed` is given, all other curves are solid, and those
    `dashed` have one dash, or several if they have one colour: hues tell the rest apart. Without hues every
    curve has a sign of its own, unless it is alone.
    """
    names = list(colours)
    kinds = list(range(len(names))) if dashed is None else _dashed(colours, dashed)
    dashes = [DASHES[kind % len(DASHES)] for kind in kinds]
    if theme.has_hues or len(names) == 1:
        return [LineLook(dash, SYMBOLS[at % len(SYMBOLS)], "") for at, dash in enumerate(dashes)]
    signs = zip(dashes, cycle(IN_GREY.items()), strict=False)
    return [LineLook(dash, *sign, at, len(names)) for at, (dash, sign) in enumerate(signs)]


def _dashed(colours: Mapping[str, str], dashed: Collection[str]) -> list[int]:
    """The dash of each curve, counted from solid; the dashed ones of one colour differ."""
    before: Counter[str] = Counter()
    kinds = []
    for name, colour in colours.items():
        before[colour] += name in dashed
        kinds.append(before[colour] if name in dashed else 0)
    return kinds


def role_dash(colour: str, theme: Theme) -> str:
    """The dash of a line in the colour of its role, solid where hues tell the roles apart."""
    dashes = {theme.key: KEY_DASH, theme.muted: FAINT_DASH}
    return "solid" if theme.has_hues else dashes.get(colour, "solid")
