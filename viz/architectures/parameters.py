"""How the parameters of several models are shared out among their parts: a bar for each model."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

import plotly.graph_objects as go

from viz.parts.figure_cache import cached_figure
from viz.parts.sketch import Sketch, Trace, blank, trace_of
from viz.picture import Picture
from viz.text import em_width, enumerated, label, plain
from viz.theme import Theme
from viz.units import per_cent, quantity

ROW, TOP, BOTTOM, SIDE = 96, 8, 8, 10
THICKNESS, BAR_BELOW, NAME_ABOVE = 0.54, 0.16, 0.28
"""Shares of a row: the thickness of a bar, and how far below and above its middle bar and name are."""

NAME, INSIDE = 16, 13
"""Type sizes in pixels: of a model's name and total, and of what stands in a bar."""

BESIDE = 6
"""Pixels that stay free beside what stands in a bar, on both sides together."""

LETTERS = {"queries": "Q", "keys": "K", "values": "V", "attention output": "O"}
"""What formulas call the parts whose bars are often too narrow for a name."""

Counts = Mapping[str, Mapping[str, int]]


def parameter_bars(counts: Counts, *, theme: Theme, width: float, chosen: str = "") -> Picture:
    """A bar for each model from its first part to its last, all on one scale, `width` pixels wide.

    A part is named in its bar where there is room, with its number below, or has its letter there. A click
    reports the part as customdata.
    """
    title = f"Parameters of {enumerated(list(counts))}, by part"
    return Picture(_bars(counts, theme=theme, width=width, chosen=chosen), alt=_alt(counts), title=title)


@cached_figure
def _bars(counts: Counts, *, theme: Theme, width: float, chosen: str) -> go.Figure:
    figure = blank(theme, width=round(width), height=TOP + ROW * len(counts) + BOTTOM)
    figure.update_layout(margin={"l": SIDE, "r": SIDE, "t": TOP, "b": BOTTOM}, barmode="overlay")
    most = max(sum(parts.values()) for parts in counts.values())
    figure.layout["xaxis"] |= {"range": (0, most)}
    figure.layout["yaxis"] |= {"range": (len(counts) - 0.5, -0.5)}
    pixels = (width - 2 * SIDE) / most
    for row, (model, parts) in enumerate(counts.items()):
        _name(figure, model, sum(parts.values()), row)
        for piece in _pieces(model, parts):
            figure.add_trace(_bar(piece, row, pixels, theme, is_chosen=piece.part == chosen))
    return figure.finished()


def _alt(counts: Counts) -> str:
    """Every model's total and its largest parts."""
    told = []
    for model, parts in counts.items():
        largest = sorted(parts, key=lambda part: -parts[part])[:3]
        listed = ", ".join(f"{part} {parts[part]:,}" for part in largest)
        told.append(f"{plain(model)} {sum(parts.values()):,}, of which {listed}")
    return f"Parameters by part: {'; '.join(told)}."


@dataclass(frozen=True)
class Piece:
    """A part of a model: how many parameters it has, how many come before it, and how many there are."""

    model: str
    part: str
    count: int
    start: int
    total: int

    @property
    def said(self) -> str:
        """The text for the pointer."""
        share = per_cent(self.count / self.total)
        return f"{label(self.model, longest=20)}, {self.part}: {self.count:,} ({share})"


def _pieces(model: str, parts: Mapping[str, int]) -> list[Piece]:
    """The parts that have any parameters, one after the other."""
    starts = accumulate(parts.values(), initial=0)
    total = sum(parts.values())
    shared = zip(parts.items(), starts, strict=False)  # the last start is the end
    return [Piece(model, part, count, start, total) for (part, count), start in shared if count]


def _name(figure: Sketch, model: str, total: int, row: int) -> None:
    """Write a model's name and number of parameters above its bar."""
    place = {"x": 0, "y": row - NAME_ABOVE, "xanchor": "left", "yanchor": "middle", "showarrow": False}
    text = f"<b>{label(model, longest=20)}</b>  {total:,} parameters"
    figure.add_annotation(text=text, font={"size": NAME}, borderpad=0, **place)


def _inside(piece: Piece, width: float) -> list[str] | None:
    """What there is room for in a bar `width` pixels wide: name and number, a letter, or nothing."""
    whole = [*piece.part.rsplit(maxsplit=1), quantity(piece.count)]
    for lines in (whole, LETTERS.get(piece.part, "")):
        if lines and max(map(em_width, lines)) * INSIDE + BESIDE <= width:
            return ["<br>".join(lines)]
    return None


def _bar(piece: Piece, row: int, pixels: float, theme: Theme, *, is_chosen: bool) -> Trace:
    """A piece of the bar in this row, with `pixels` for a parameter."""
    colour = colours(theme).get(piece.part)
    outline = {"color": theme.selection if is_chosen else theme.ink, "width": 3 if is_chosen else 1}
    return trace_of(
        "bar",
        orientation="h",
        x=[piece.count],
        y=[row + BAR_BELOW],
        base=[piece.start],
        width=[THICKNESS],
        marker={"color": colour or theme.paper, "line": outline},
        text=_inside(piece, piece.count * pixels),
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        constraintext="none",
        textfont={"size": INSIDE, "color": theme.paper if colour else theme.ink},
        customdata=[piece.part],
        hovertext=[piece.said],
        hovertemplate="%{hovertext}<extra></extra>",
    )


def colours(theme: Theme) -> dict[str, str]:
    """The parts that have a colour: queries, keys, values and the output of attention have their roles'."""
    return {
        "queries": theme.query,
        "keys": theme.key,
        "values": theme.value,
        "attention output": theme.output,
        "feed-forward": theme.muted,
    }
