"""What tells the curves of a figure apart besides their colours: dashes, and signs at their points."""

from collections.abc import Collection, Sequence
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


class LineLook(NamedTuple):
    """A dash and a symbol; a curve is known by the `sign` too, where it is written before its name."""

    dash: str
    symbol: str
    sign: str

    def mode(self, n_points: int) -> str:
        """Plotly's mode of a curve of so many points."""
        return "lines+markers" if n_points <= FEW_POINTS or self.sign else "lines"

    def marker(self, n_points: int) -> dict[str, Any]:
        """The points of a curve of so many."""
        some = {"maxdisplayed": SOME} if n_points > FEW_POINTS and self.sign else {}
        return {"size": 8, "symbol": self.symbol, **some}


def line_looks(names: Sequence[str], dashed: Collection[str] | None, theme: Theme) -> list[LineLook]:
    """The looks of the curves of a figure.

    Four dashes return after four curves, and all curves that are `dashed`, where that is given, have one:
    hues tell these apart. Without hues every curve has a sign of its own, unless it is alone.
    """
    kinds = [at % len(DASHES) if dashed is None else int(name in dashed) for at, name in enumerate(names)]
    dashes = [DASHES[kind] for kind in kinds]
    if theme.has_hues or len(names) == 1:
        return [LineLook(dash, SYMBOLS[at % len(SYMBOLS)], "") for at, dash in enumerate(dashes)]
    return [LineLook(dash, *sign) for dash, sign in zip(dashes, cycle(IN_GREY.items()), strict=False)]


def role_dash(colour: str, theme: Theme) -> str:
    """The dash of a line in the colour of its role, solid where hues tell the roles apart."""
    dashes = {theme.key: KEY_DASH, theme.muted: FAINT_DASH}
    return "solid" if theme.has_hues else dashes.get(colour, "solid")
