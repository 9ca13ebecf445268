"""Curves over sentence length, each named at its end in its own colour."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import ceil, inf
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.words import quantity
from viz.parts.curve_names import BESIDE, LINE, NAME, SAMPLE, TOP, curve_names, write_curve_name
from viz.parts.figure_cache import cached_figure
from viz.parts.line_looks import LineLook, line_looks
from viz.parts.marks import draw_level, draw_mark
from viz.parts.ruler import STANDOFF, TICK, TITLE, Ruler, ruler
from viz.parts.sketch import Sketch, Trace, blank, trace_of
from viz.picture import Picture, finished
from viz.text import em_width, label, plain, shortened
from viz.theme import Theme

NARROWEST, NARROW = 480, 300
"""The width in pixels that must be enough, and that of a narrow figure; it takes what its container gives."""

BOTTOM = 52
"""Pixels below the axes."""

LEAST = 0.5
"""The share of the width that names beside the curves have to leave; else they stand above."""

THIS = "this sentence"
Say = Callable[[float], str]
"""Puts a quantity into words."""

PLURAL = re.compile(r"s\b")
"""How a noun ends that more than one is meant by."""

Log = bool | Literal["x", "y"]
"""The axes that are logarithmic: both, none, or one of them."""


@cached_figure
def curves(
    table: pd.DataFrame,
    *,
    x: str,
    y: str,
    by: str,
    colours: Mapping[str, str],
    theme: Theme,
    x_title: str,
    y_title: str,
    x_ticks: Mapping[float, str],
    y_ticks: Mapping[float, str],
    log: Log = False,
    mark: float | None = None,
    mark_name: str = THIS,
    level: tuple[float, str] | None = None,
    say: Say = quantity,
    spread: tuple[str, str] | None = None,
    dashed: Collection[str] | None = None,
    height: int = 240,
    narrow: bool = False,
    width: int = NARROWEST,
) -> go.Figure:
    """One curve for each name in `colours`, from the rows of `table` whose column `by` has that name.

    The axes run from the first of their ticks to the last, or as far as the curves; `log` makes both
    logarithmic, or one. Where ticks would touch, only every second, third … is written. A place on the
    `x` axis is called as its tick is. `mark` draws an upright line, called `mark_name`, if the axis reaches
    it, `level` a named one across, and `say` puts the values of `y` into words. `spread` names the columns
    between which an upright bar is drawn at every point. The curves named in `dashed`, where it is given,
    are dashed, those of one colour each in its own way, and all others solid; else each has a dash of its
    own. Names without rows have no curve yet.
    Names have the dashes of their curves before them where two have one colour, and in a theme without hues
    the signs of their points too. In a `narrow` figure they stand above the axes. The figure has `width`
    pixels, which tells how much room there is for ticks and for the name of a `level`.
    """
    across = ruler(x_ticks, table[x], log=log in (True, "x"))
    up = ruler(y_ticks, table[y], log=log in (True, "y"))
    told_apart = len(set(colours.values())) if theme.has_hues else 1
    sampled = narrow or told_apart < len(colours)
    figure = _axes(
        across, up, x_title, y_title, theme, names=list(colours), height=height, narrow=narrow, width=width
    )
    if sampled and not narrow:
        figure.layout["margin"]["r"] += SAMPLE
    named = {name: table[table[by] == name].sort_values(x) for name in colours}
    lines = [(name, line[x], line[y]) for name, line in named.items() if len(line)]
    looks = line_looks({name: colours[name] for name, *_ in lines}, dashed, theme)
    for look, (name, along, values) in zip(looks, lines, strict=True):
        called = label(name)
        hovers = [
            f"{called}: {say(value)} at {_so_many(x_ticks.get(at, f'{at:g}'), x)}"
            for at, value in zip(along, values, strict=True)
        ]
        curve = _curve(along, values, hovers, colours[name], look, theme)
        if spread is not None:
            curve["error_y"] = _bars(named[name], y, spread)
        figure.add_trace(curve)
    names = curve_names(lines, across, up, length=height - TOP - BOTTOM, narrow=narrow)
    for end, look in zip(names, looks, strict=True):
        line = {"color": colours[end.text], "dash": look.dash}
        write_curve_name(figure, end, line, sampled=sampled, sign=look.sign)
    if mark is not None and across.low <= mark <= across.high:
        draw_mark(figure, mark, mark_name, across, theme)
    if level is not None:
        courses = [
            (np.array([*map(across.place, along)]), np.array([*map(up.place, values)]))
            for _, along, values in lines
        ]
        draw_level(figure, *level, up, courses, theme, width=width, rows=len(lines) * narrow)
    return figure.finished()


def chart(
    table: pd.DataFrame,
    *,
    title: str,
    x: str,
    y: str,
    by: str,
    theme: Theme,
    say: Say = quantity,
    alt: str | None = None,
    told_at: Mapping[float, str] | None = None,
    behind: Callable[[], pd.DataFrame] | None = None,
    within: float = inf,
    narrow: bool | None = None,
    **look: Any,
) -> Picture:
    """The curves of `table`, told and listed from the same rows; `look` is what else `curves` takes.

    Unless it is told, the figure is `narrow` where in so many pixels of width, `within`, names would leave
    curves no room beside them.

    The alternative text says below the `title` where the curves end or, with `told_at`, what they are at each
    of these ticks, unless `alt` is given. The table behind the picture has a row for each value of `x` and a
    column for each curve, unless `behind` makes another.
    """
    axes: dict[str, Any] = {"x": x, "y": y, "by": by, "say": say}
    if narrow is None:
        narrow = _left(look["y_ticks"].values()) + _right(look["colours"]) > (1 - LEAST) * within
    return finished(
        curves(table, **axes, theme=theme, narrow=narrow, **look),
        alt=alt or describe_curves(table, **axes, title=title, x_ticks=told_at),
        table=behind or (lambda: _side_by_side(table, x, y, by)),
        title=title,
    )


def _side_by_side(table: pd.DataFrame, x: str, y: str, by: str) -> pd.DataFrame:
    names = list(dict.fromkeys(table[by]))
    return table.pivot(index=x, columns=by, values=y)[names]


def describe_curves(
    table: pd.DataFrame,
    *,
    x: str,
    y: str,
    by: str,
    title: str,
    say: Say = quantity,
    x_ticks: Mapping[float, str] | None = None,
) -> str:
    """The ends of the curves, for those who cannot see them; with `x_ticks` all points, by their ticks."""
    if table.empty:
        return f"{title}: nothing yet."
    if x_ticks is not None:
        told = [
            f"{plain(name)} "
            + ", ".join(f"{say(row[y])} at {x_ticks[row[x]]}" for _, row in line.sort_values(x).iterrows())
            for name, line in table.groupby(by, sort=False)
        ]
        return f"{title}. {'; '.join(told)}."
    ends = table.sort_values(x).groupby(by, sort=False).last()
    last = "; ".join(
        f"{plain(name)} {say(end[y])} at {_so_many(f'{end[x]:g}', x)}" for name, end in ends.iterrows()
    )
    return f"{title}. The curves end at: {last}."


def _so_many(number: str, what: str) -> str:
    """A number of what an axis counts, whose noun comes first: `1 word back`, `2 words back`.

    What is numbered instead is named in the singular: `step 2`.
    """
    if not PLURAL.search(what):
        return f"{what} {number}"
    noun = PLURAL.sub("", what, count=1) if number == "1" else what
    return f"{number} {noun}"


def _axes(
    across: Ruler,
    up: Ruler,
    x_title: str,
    y_title: str,
    theme: Theme,
    *,
    names: Sequence[str],
    height: int,
    narrow: bool,
    width: int,
) -> Sketch:
    """An empty figure with both axes, and room for their ticks at the left and for names at the right.

    A `narrow` one has the room for names above, by which it is higher.
    """
    top = TOP + LINE * len(names) * narrow
    figure = blank(theme, height=height + top - TOP)
    left, right = _left(up.ticks.values()), _right(names)
    widths = [em_width(text) * TICK + TICK / 2 for text in across.ticks.values()]
    if narrow:
        right = ceil(widths[-1] / 2)
    figure.update_layout(margin={"l": left, "r": right, "t": top, "b": BOTTOM}, hovermode="closest")
    heights = [1.3 * TICK] * len(up.ticks)
    room = (NARROW if narrow else width) - left - right
    ticks = across.written(room, widths), up.written(height - TOP - BOTTOM, heights)
    figure.layout["xaxis"] = across.axis(ticks[0], x_title, theme, longest=room + 2 * right)
    figure.layout["yaxis"] = up.axis(ticks[1], y_title, theme)
    return figure


def _left(ticks: Iterable[str]) -> int:
    """Pixels for the ticks and the title of the upright axis."""
    return ceil(max(map(em_width, ticks)) * TICK + STANDOFF + 2 * TITLE)


def _right(names: Iterable[str]) -> int:
    """Pixels for names beside their curves."""
    return ceil(max((em_width(shortened(name)) for name in names), default=0) * NAME + BESIDE + TITLE / 2)


def _curve(
    x: pd.Series, y: pd.Series, hovers: Sequence[str], colour: str, look: LineLook, theme: Theme
) -> Trace:
    return trace_of(
        "scatter",
        x=x.to_numpy(),
        y=y.to_numpy(),
        mode=look.mode(len(x)),
        line={"color": colour, "width": look.width(len(x)), "dash": look.dash},
        marker=look.marker(len(x), colour, theme.paper),
        hovertext=hovers,
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _bars(line: pd.DataFrame, y: str, spread: tuple[str, str]) -> dict[str, Any]:
    """Upright bars from the one column to the other, around the points of a curve."""
    low, high = (line[column].to_numpy() for column in spread)
    values = line[y].to_numpy()
    return {"type": "data", "array": high - values, "arrayminus": values - low, "thickness": 2, "width": 4}
