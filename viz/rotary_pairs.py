"""Rotary positions: every pair of dimensions as a circle, a query and a key as arrows in it."""

from collections.abc import Sequence
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from viz.parts.canvas import Canvas, canvas
from viz.parts.figure_cache import cached_figure
from viz.parts.line_looks import KEY_DASH
from viz.parts.scale import MINUS
from viz.parts.sketch import Trace, trace_of
from viz.picture import Picture, finished
from viz.text import label
from viz.theme import Theme

SIZE = 560
LARGEST, PADDING, ABOVE, BELOW = 160, 10, 24, 24
"""Pixels: the widest circle, what is free around it, and the lines above and below it."""

TYPE, SMALLEST_TYPE, LEGEND_LINE = 15, 11, 30
HEAD, SMALLEST_HEAD = 0.18, 6
"""The head of an arrow as a share of the radius, and the pixels it has at least."""

COLUMNS = ((3, 3), (6, 3), (8, 4), (12, 4), (16, 6), (24, 6), (32, 8))
"""The most circles that a number of columns is for, and this number."""

DASHED = {"solid": KEY_DASH, "dot": "1px,5px"}
"""The dashes that tell a key from a query where hues cannot, after the last turn and before."""

MIDDLE = {"xanchor": "center", "yanchor": "middle"}

Numbers = NDArray[np.floating]


def rotary_pairs(
    q: ArrayLike,
    k: ArrayLike,
    *,
    before: tuple[ArrayLike, ArrayLike],
    parts: ArrayLike,
    title: str,
    titles: Sequence[str],
    names: tuple[str, str],
    theme: Theme,
    size: int = SIZE,
) -> Picture:
    """The arrows of `q` and `k`, (pair, 2), each in a circle with its title.

    Below the circle stands what the pair adds to the score, one of `parts`. `before` are both as they were
    before the last turn, drawn thin, and `names` say above what the arrows are. The longest arrow of all
    reaches its circle. The figure is at most `size` pixels wide. The table has a row for each pair.
    """
    first, second, added = np.asarray(q), np.asarray(k), np.asarray(parts, dtype=float)
    return finished(
        _drawn(q, k, before=before, parts=parts, titles=titles, names=names, theme=theme, size=size),
        alt=_alt(added, titles),
        table=lambda: _table(first, second, added),
        title=title,
    )


@cached_figure
def _drawn(
    q: ArrayLike,
    k: ArrayLike,
    *,
    before: tuple[ArrayLike, ArrayLike],
    parts: ArrayLike,
    titles: Sequence[str],
    names: tuple[str, str],
    theme: Theme,
    size: int,
) -> go.Figure:
    arrows = [np.asarray(each, dtype=float) for each in (q, k, *before)]
    longest = max(float(np.linalg.norm(each, axis=1).max()) for each in arrows) or 1.0
    middles, radius, width, height = _layout(len(arrows[0]), size)
    drawn = canvas(width, height, theme)
    drawn.figure.layout["xaxis"] = {"range": (0, width), "visible": False, "fixedrange": True}
    drawn.figure.layout["yaxis"] = {"range": (height, 0), "visible": False, "fixedrange": True}
    for middle in middles:
        _circle(drawn, middle, radius)
    looks = [(theme.query, "query", 3.5), (theme.key, "key", 3.5), (theme.query, "", 1), (theme.key, "", 1)]
    for each, look in zip(arrows[::-1], looks[::-1], strict=True):
        head = max(SMALLEST_HEAD, HEAD * radius)
        trace = _arrows(middles, each * radius / longest, each, head, *look)
        drawn.figure.add_trace(trace | {"line": _dashed(trace["line"], theme)})
    _write(drawn, middles, radius, titles, np.asarray(parts, dtype=float))
    _write_names(drawn, names)
    return drawn.finished()


def _table(q: Numbers, k: Numbers, parts: Numbers) -> pd.DataFrame:
    """A table of both arrows of each pair, and what it adds to the score."""
    columns = {"q first": q[:, 0], "q second": q[:, 1], "k first": k[:, 0], "k second": k[:, 1]}
    index = pd.RangeIndex(1, len(q) + 1, name="pair")
    return pd.DataFrame({**columns, "part of the score": parts}, index=index)


def _alt(parts: Numbers, titles: Sequence[str]) -> str:
    """What each pair adds to the score, for those who cannot see the arrows."""
    told = ", ".join(f"{title} {_signed(part)}" for title, part in zip(titles, parts, strict=True))
    return (
        f"Arrows of a query and a key in the plane of each pair of dimensions. They add to the score: {told}."
    )


def _layout(n: int, size: int) -> tuple[Numbers, float, float, float]:
    """The middles of the circles (pair, 2), their radius, and the size of the figure, in pixels."""
    columns = next((columns for most, columns in COLUMNS if n <= most), COLUMNS[-1][1])
    cell = min(LARGEST + 2 * PADDING, size / columns)
    row = cell + ABOVE + BELOW - 2 * PADDING
    at = np.arange(n)
    middles = np.stack(
        [(at % columns + 0.5) * cell, (at // columns) * row + LEGEND_LINE + ABOVE + cell / 2 - PADDING],
        axis=1,
    )
    return middles, cell / 2 - PADDING, columns * cell, LEGEND_LINE + ceil(n / columns) * row


def _circle(drawn: Canvas, middle: Numbers, radius: float) -> None:
    (x, y), look = middle, {"color": drawn.theme.line, "width": 1.5}
    corners = {"x0": x - radius, "x1": x + radius, "y0": y - radius, "y1": y + radius}
    drawn.shape(type="circle", layer="below", line=look, **corners)


def _arrows(
    middles: Numbers, ways: Numbers, values: Numbers, head: float, colour: str, name: str, width: float
) -> Trace:
    """One arrow from each middle; up on the screen is up in the plane, though pixels count downwards."""
    ends = middles + ways * (1, -1)
    gap = np.full_like(middles, np.nan)
    x, y = np.moveaxis(np.stack([middles, ends, gap], axis=1).reshape(-1, 2), -1, 0)
    sizes = np.tile([0.0, head if name else 0.0, 0.0], len(middles))
    said = [f"{name} ({_signed(one)}, {_signed(other)})" for one, other in values]
    return trace_of(
        "scatter",
        x=x,
        y=y,
        mode="lines+markers",
        line={"color": colour, "width": width, "dash": "solid" if name else "dot"},
        marker={
            "symbol": "arrow",
            "angleref": "previous",
            "color": colour,
            "line": {"width": 0},
            "size": sizes,
            "opacity": 1,
        },
        cliponaxis=False,
        hovertext=[text for one in said for text in ("", one, "")],
        hovertemplate="%{hovertext}<extra></extra>" if name else None,
        hoverinfo=None if name else "skip",
    )


def _dashed(line: dict[str, Any], theme: Theme) -> dict[str, Any]:
    """The line of an arrow; without hues the key is dashed, and dotted with wider gaps before its turn."""
    is_key = line["color"] == theme.key and not theme.has_hues
    return {**line, "dash": DASHED[line["dash"]]} if is_key else line


def _write(drawn: Canvas, middles: Numbers, radius: float, titles: Sequence[str], parts: Numbers) -> None:
    size = TYPE if radius > 40 else SMALLEST_TYPE
    for (x, y), title, part in zip(middles, titles, parts, strict=True):
        muted = {"size": size, "color": drawn.theme.muted}
        drawn.note(label(title, longest=14), x, y - radius - ABOVE / 2, font=muted, **MIDDLE)
        drawn.note(_signed(part), x, y + radius + BELOW / 2, font={"size": size}, **MIDDLE)


def _write_names(drawn: Canvas, names: tuple[str, str]) -> None:
    """What the arrows are, each name in their colour, from the left and from the middle on."""
    for at, (name, colour) in enumerate(zip(names, (drawn.theme.query, drawn.theme.key), strict=True)):
        shown = label(name, longest=drawn.width / 2 / TYPE)
        shown += "" if drawn.theme.has_hues else (", solid", ", dashed")[at]
        look = {"xanchor": "left", "yanchor": "middle", "font": {"size": TYPE, "color": colour}}
        drawn.note(f"<b>{shown}</b>", PADDING + at * drawn.width / 2, LEGEND_LINE / 2, **look)


def _signed(number: float) -> str:
    return f"{number:+z.2f}".replace("-", MINUS)
