"""How the parameters of several models are shared out among their parts: a bar for each model."""

from collections.abc import Mapping

import plotly.graph_objects as go

from viz.parts.kept import kept
from viz.parts.sketch import blank, trace_of
from viz.text import em_width, label, plain
from viz.theme import Theme
from viz.units import per_cent, quantity

ROW, TOP, BOTTOM, SIDE = 96, 8, 8, 10
THICKNESS, BAR_MIDDLE = 0.54, 0.16
NAME, INSIDE = 16, 13
"""Type sizes in pixels: of a model's name and total, and of what stands in a bar."""

Counts = Mapping[str, Mapping[str, int]]


@kept
def parameter_bars(counts: Counts, *, theme: Theme, width: float, chosen: str = "") -> go.Figure:
    """A bar for each model from its first part to its last, all on one scale, `width` pixels wide.

    A part is named in its bar where there is room, with its number below. A click reports the part as
    customdata.
    """
    figure = blank(theme, width=round(width), height=TOP + ROW * len(counts) + BOTTOM)
    figure.update_layout(margin={"l": SIDE, "r": SIDE, "t": TOP, "b": BOTTOM}, barmode="overlay")
    most = max(sum(parts.values()) for parts in counts.values())
    figure.layout["xaxis"] |= {"range": (0, most)}
    figure.layout["yaxis"] |= {"range": (len(counts) - 0.5, -0.5)}
    pixels = (width - 2 * SIDE) / most
    for row, (model, parts) in enumerate(counts.items()):
        total = sum(parts.values())
        place = {"x": 0, "y": row - 0.28, "xanchor": "left", "yanchor": "middle", "showarrow": False}
        text = f"<b>{label(model, longest=20)}</b>  {total:,} parameters"
        figure.add_annotation(text=text, font={"size": NAME}, borderpad=0, **place)
        start = 0
        for part, count in parts.items():
            if count:
                figure.add_trace(_bar(model, part, count, start, row, total, pixels, theme, part == chosen))
            start += count
    return figure.finished()


def describe_parameters(counts: Counts) -> str:
    """The alternative text: every model's total and its largest parts."""
    told = []
    for model, parts in counts.items():
        largest = sorted(parts, key=lambda part: -parts[part])[:3]
        listed = ", ".join(f"{part} {parts[part]:,}" for part in largest)
        told.append(f"{plain(model)} {sum(parts.values()):,}, of which {listed}")
    return f"Parameters by part: {'; '.join(told)}."


def _bar(
    model: str,
    part: str,
    count: int,
    start: int,
    row: int,
    total: int,
    pixels: float,
    theme: Theme,
    is_chosen: bool,
) -> dict[str, object]:
    lines = [*part.rsplit(maxsplit=1), quantity(count)]
    fits = max(map(em_width, lines)) * INSIDE + 6 <= count * pixels
    colour = colours(theme).get(part, theme.paper)
    outline = theme.selection if is_chosen else theme.ink
    share = per_cent(count / total)
    return trace_of(
        "bar",
        orientation="h",
        x=[count],
        y=[row + BAR_MIDDLE],
        base=[start],
        width=[THICKNESS],
        marker={"color": colour, "line": {"color": outline, "width": 3 if is_chosen else 1}},
        text=["<br>".join(lines)] if fits else None,
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        constraintext="none",
        textfont={"size": INSIDE, "color": theme.paper if part in colours(theme) else theme.ink},
        customdata=[part],
        hovertext=[f"{label(model, longest=20)}, {part}: {count:,} ({share})"],
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
