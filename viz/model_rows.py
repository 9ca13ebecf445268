"""A row for each model: its verdict as a bar, and beside it its accuracies with their errors as dots."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from viz.parts.figure_cache import cached_figure
from viz.parts.sketch import Sketch, Trace, blank, trace_of
from viz.picture import Picture
from viz.text import em_width, label, plain, shortened
from viz.theme import Theme
from viz.units import per_cent, probability

NAME, NUMBER, TITLE, TICK = 16, 14, 15, 14
"""Type sizes in pixels."""

ROW, TOP, BOTTOM, BESIDE = 40, 96, 40, 14
"""Height of a row in pixels, the room for titles and signs above, for ticks below, and beside names."""

TOP_NARROW, LINE = 30, 24
"""Pixels of a title, and of a line of signs below it, where the two parts stand below each other."""

PARTS = LEFT_PART, RIGHT_PART = (0.0, 0.46), (0.54, 1.0)
"""The shares of the width that the bars and the dots take."""

THICKNESS, SPREAD = 0.6, 0.64
"""Thickness of a bar in rows, and how far its dots are spread."""

EVEN = 0.5
OVERHANG = 0.16
"""How much further than 0 and 1 the axis of the bars goes on: their numbers stand at their ends."""

SYMBOLS, SIGNS = ("circle", "circle-open", "diamond", "square", "triangle-up"), "●○◆■▲"
"""The signs of the kinds as Plotly calls them, and as they are written."""

LONGEST_KIND = 30.0
"""Em that a title or a kind may take."""


def model_rows(
    verdicts: Mapping[str, float],
    accuracies: pd.DataFrame,
    *,
    ends: tuple[str, str],
    title: str,
    titles: tuple[str, str],
    colours: Mapping[str, str],
    theme: Theme,
    narrow: bool = False,
) -> Picture:
    """A bar for each of `verdicts`, from an even chance to the left or the right, named by its model.

    `ends` are the labels that probabilities 0 and 1 stand for, `titles` those of the two parts.
    `accuracies` has the columns model, kind, share, low and high; a kind has one of `colours` and a sign of
    its own, and a dot has a line from low to high. A model without a verdict, which is a baseline, has a row
    without a bar below the others. Where the figure is `narrow` the two parts stand below each other.
    """
    look: dict[str, Any] = {
        "ends": ends,
        "titles": titles,
        "colours": colours,
        "theme": theme,
        "narrow": narrow,
    }
    return Picture(
        _drawn(verdicts, accuracies, **look),
        alt=_alt(verdicts, accuracies, what=titles[0]),
        table=lambda: _by_model(verdicts, accuracies, list(colours), what=titles[0]),
        title=title,
    )


@cached_figure
def _drawn(
    verdicts: Mapping[str, float],
    accuracies: pd.DataFrame,
    *,
    ends: tuple[str, str],
    titles: tuple[str, str],
    colours: Mapping[str, str],
    theme: Theme,
    narrow: bool,
) -> go.Figure:
    models = _models(verdicts, accuracies)
    figure = _axes(models, accuracies, ends, theme)
    _write_titles(figure, titles, colours, narrow=narrow)
    figure.add_trace(_bars(verdicts, theme))
    for at, (kind, colour) in enumerate(colours.items()):
        figure.add_trace(
            _dots(accuracies[accuracies["kind"] == kind], models, at, len(colours), kind, colour)
        )
    if narrow:
        _put_below(figure, len(colours))
    return figure.finished()


def _put_below(figure: Sketch, n_kinds: int) -> None:
    """Move the second part below the first, on rows of its own with the same names."""
    layout = figure.layout
    head = TOP_NARROW + LINE * n_kinds
    high = layout["height"] - TOP - BOTTOM
    whole = TOP_NARROW + high + BOTTOM + head + high + BOTTOM
    inside = whole - TOP_NARROW - BOTTOM
    layout["height"], layout["margin"] = whole, {**layout["margin"], "t": TOP_NARROW}
    for number, part in (("", (1 - high / inside, 1.0)), ("2", (0.0, high / inside))):
        layout[f"xaxis{number}"] |= {"domain": (0.0, 1.0), "anchor": f"y{number}"}
        layout[f"yaxis{number}"] = {**layout["yaxis"], "domain": part, "anchor": f"x{number}"}
    layout["yaxis"] = {**layout["yaxis"], "domain": (1 - high / inside, 1.0)}
    layout["shapes"] = [{**line, "yref": "y domain"} for line in layout["shapes"]]
    for trace in figure.data[1:]:
        trace["yaxis"] = "y2"
    second = layout["annotations"][1]
    layout["annotations"][1] = {**second, "x": 0, "y": high / inside, "yshift": head - 4}


def _alt(verdicts: Mapping[str, float], accuracies: pd.DataFrame, *, what: str) -> str:
    """Every verdict, and the lowest and the highest accuracy of each kind; those of a baseline one by one."""
    told = ", ".join(f"{plain(name)} {probability(value)}" for name, value in verdicts.items())
    of_models = accuracies[accuracies["model"].isin(list(verdicts))]
    spans = [
        f"{plain(kind)} {per_cent(shares.min())} to {per_cent(shares.max())}"
        for kind, shares in of_models.groupby("kind", sort=False)["share"]
    ]
    alone = [
        f" {plain(name)}: {_listed(rows)}."
        for name, rows in accuracies.drop(of_models.index).groupby("model", sort=False)
    ]
    return f"{what}: {told}. Accuracies: {'; '.join(spans)}.{''.join(alone)}"


def _by_model(
    verdicts: Mapping[str, float], accuracies: pd.DataFrame, kinds: list[str], *, what: str
) -> pd.DataFrame:
    """A row for each model: its verdict, and its accuracies; a baseline has no probability."""
    shares = accuracies.pivot(index="model", columns="kind", values="share")
    listed: pd.DataFrame = shares.loc[_models(verdicts, accuracies), kinds]
    listed.insert(0, what.lower(), pd.Series(verdicts))
    return listed


def _listed(rows: pd.DataFrame) -> str:
    """The accuracy of each kind in these rows."""
    pairs = zip(rows["kind"], rows["share"], strict=True)
    return "; ".join(f"{plain(kind)} {per_cent(share)}" for kind, share in pairs)


def _models(verdicts: Mapping[str, float], accuracies: pd.DataFrame) -> list[str]:
    """The names of the rows: of those with a verdict, and of those with accuracies alone."""
    return list(dict.fromkeys([*verdicts, *accuracies["model"]]))


def _axes(
    models: Sequence[str],
    accuracies: pd.DataFrame,
    ends: tuple[str, str],
    theme: Theme,
) -> Sketch:
    """An empty figure with the names of the models, and an axis below either part."""
    figure = blank(theme, height=TOP + ROW * len(models) + BOTTOM)
    left = ceil(max(em_width(shortened(name)) for name in models) * NAME) + 2 * BESIDE
    figure.update_layout(margin={"l": left, "r": BESIDE, "t": TOP, "b": BOTTOM})
    lowest = min(EVEN, float(accuracies["low"].min())) if len(accuracies) else EVEN
    ticks = [tick for tick in (0.0, 0.25, 0.5, 0.75, 1.0) if tick >= lowest]
    figure.layout["xaxis"] = {
        **_quiet([0.0, EVEN, 1.0], [label(ends[0]), "0.5", label(ends[1])]),
        "domain": LEFT_PART,
        "range": (-OVERHANG, 1 + OVERHANG),
    }
    room = 0.03 * (1 - lowest)
    figure.layout["xaxis2"] = {
        **_quiet(ticks, [per_cent(tick) for tick in ticks]),
        "domain": RIGHT_PART,
        "range": (lowest - room, 1 + room),
        "anchor": "y",
    }
    names = {"tickfont": {"size": NAME}, "ticklabelstandoff": BESIDE, "range": (len(models) - 0.5, -0.5)}
    figure.layout["yaxis"] = _quiet(list(range(len(models))), [label(name) for name in models]) | names
    _line_even(figure, theme)
    return figure


def _quiet(ticks: Sequence[float], texts: Sequence[str]) -> dict[str, Any]:
    look = {"visible": True, "fixedrange": True, "showgrid": False, "zeroline": False, "ticks": ""}
    return {**look, "tickvals": list(ticks), "ticktext": list(texts), "tickfont": {"size": TICK}}


def _write_titles(
    figure: Sketch, titles: tuple[str, str], colours: Mapping[str, str], *, narrow: bool
) -> None:
    """The titles at the top, and below the second one the signs of the kinds, two in a line or one."""
    keys = [
        f'<span style="color:{colour}">{SIGNS[at % len(SIGNS)]}</span> {label(kind, longest=LONGEST_KIND)}'
        for at, (kind, colour) in enumerate(colours.items())
    ]
    abreast = 1 if narrow else 2
    lines = ["   ".join(keys[at : at + abreast]) for at in range(0, len(keys), abreast)]
    headed = [f"<b>{label(title, longest=LONGEST_KIND)}</b>" for title in titles]
    for text, (start, _) in zip((headed[0], "<br>".join([headed[1], *lines])), PARTS, strict=True):
        place = {"x": start, "xref": "paper", "xanchor": "left", "y": 1, "yref": "paper", "yanchor": "top"}
        note = {
            "showarrow": False,
            "borderpad": 0,
            "align": "left",
            "yshift": (TOP_NARROW if narrow else TOP) - 4,
        }
        figure.add_annotation(text=text, font={"size": TITLE}, **place, **note)


def _line_even(figure: Sketch, theme: Theme) -> None:
    line = {"color": theme.muted, "width": 1}
    figure.add_shape(type="line", x0=EVEN, x1=EVEN, y0=0, y1=1, yref="paper", layer="below", line=line)


def _bars(verdicts: Mapping[str, float], theme: Theme) -> Trace:
    """Bars from an even chance to the probability, each direction in a colour of its own."""
    values = np.array(list(verdicts.values()))
    low, high = theme.signs
    return trace_of(
        "bar",
        x=values - EVEN,
        base=[EVEN] * len(values),
        y=np.arange(len(values)),
        width=THICKNESS,
        orientation="h",
        marker={"color": [high if value >= EVEN else low for value in values]},
        text=[probability(value) for value in values],
        textposition="outside",
        textfont={"size": NUMBER},
        constraintext="none",
        cliponaxis=False,
        hovertext=[f"{label(name)}: {probability(value)}" for name, value in verdicts.items()],
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _dots(rows: pd.DataFrame, models: Sequence[str], at: int, n_kinds: int, kind: str, colour: str) -> Trace:
    """The accuracies of one kind, in every row at the same height."""
    offset = SPREAD * ((at + 0.5) / n_kinds - 0.5)
    shares, low, high = (rows[name].to_numpy(dtype=float) for name in ("share", "low", "high"))
    said = [
        f"{label(model)}, {label(kind)}: {per_cent(share)} ± {100 * (top - share):.1f}"
        for model, share, top in zip(rows["model"], shares, high, strict=True)
    ]
    error = {"type": "data", "array": high - shares, "arrayminus": shares - low}
    return trace_of(
        "scatter",
        x=shares,
        y=np.array([models.index(model) + offset for model in rows["model"]]),
        xaxis="x2",
        mode="markers",
        marker={"size": 8, "symbol": SYMBOLS[at % len(SYMBOLS)], "color": colour},
        error_x={**error, "thickness": 2, "width": 0, "color": colour},
        hovertext=said,
        hovertemplate="%{hovertext}<extra></extra>",
    )
