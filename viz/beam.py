"""A beam search as a tree: a column for each word, the hypotheses kept there below each other."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.words import counted
from viz.parts.figure_cache import cached_figure
from viz.parts.sketch import Trace, blank, trace_of
from viz.picture import Picture, finished
from viz.text import em_width, label, plain, shortened
from viz.theme import Theme

WORD, NUMBER = 15, 12
ROW, ABOVE, SIDE = 54, 30, 14
APART = 26
"""Pixels between two columns, for the branches."""
BESIDE = 8
SIZE = 980
"""The default greatest width of the figure in pixels."""
LONGEST = 11.0
"""Em of a word that are written at most."""
BRANCH, BEST_BRANCH = 1, 3


def beam_tree(table: pd.DataFrame, *, theme: Theme, step: int = 1, size: int = SIZE) -> Picture:
    """The hypotheses that a beam has kept, joined with those they continue; the sentence found is lit.

    `table` has a row for each hypothesis with the columns word, step (from 1), rank (0 for the best of its
    step, missing for one that was dropped), parent (the rank of what it continues), log_probability, total
    and best. The number under a word is its total. `step` is the chosen column; around it as many are
    drawn as fit `size` pixels. A click on a word reports its step as customdata.
    """
    return finished(
        _beam_tree(table, theme=theme, step=step, size=size),
        alt=_alt(table),
        table=lambda: table,
        title="Hypotheses of a beam search with their log-probabilities",
    )


@cached_figure
def _beam_tree(table: pd.DataFrame, *, theme: Theme, step: int, size: int) -> go.Figure:
    rows = table[table["rank"].notna()]
    first, last = _around(_widths(rows), step, size)
    rows = rows[rows["step"].between(first, last)]
    rows = rows.assign(step=rows["step"] - first + 1, number=rows["step"])
    lefts, widths = _columns(rows)
    height, right = ABOVE + ROW * int(rows["rank"].max() + 1), round(lefts[-1] + widths[-1] + SIDE)
    figure = blank(theme, height=height, width=right)
    figure.update_layout(margin={"l": 0, "r": 0, "t": 0, "b": 0}, hovermode="closest")
    figure.layout["xaxis"] = {"visible": False, "fixedrange": True, "range": (0, right)}
    figure.layout["yaxis"] = {"visible": False, "fixedrange": True, "range": (height, 0)}
    figure.add_trace(_branches(rows[~rows["best"]], lefts, widths, theme.muted, BRANCH))
    figure.add_trace(_branches(rows[rows["best"]], lefts, widths, theme.attention, BEST_BRANCH))
    figure.add_trace(_words(rows, lefts, widths, theme))
    for at, (left, width) in enumerate(zip(lefts, widths, strict=True), start=first):
        colour = theme.selection if at == step else theme.muted
        figure.add_annotation(
            text=f"<b>{at}</b>" if at == step else str(at),
            x=left + width / 2,
            y=ABOVE / 2,
            showarrow=False,
            font={"size": NUMBER, "color": colour},
        )
    return figure.finished()


def _alt(table: pd.DataFrame) -> str:
    """The sentence found, and how many hypotheses were weighed."""
    best = table[table["best"]]
    words = " ".join(plain(word) for word in best["word"])
    return (
        f"Beam search over {counted(int(table['step'].max()), 'step')}, {len(table)} hypotheses weighed. "
        f"Found: {words}, log-probability {best['total'].iloc[-1]:.3f}."
    )


def _columns(rows: pd.DataFrame) -> tuple[list[float], list[float]]:
    """The left edges and the widths of the columns, in pixels."""
    widths = _widths(rows)
    lefts = [SIDE + sum(widths[:at]) + APART * at for at in range(len(widths))]
    return lefts, widths


def _widths(rows: pd.DataFrame) -> list[float]:
    """The width of the column of every step: that of its longest word, or of a number."""
    least = em_width("−00.00") * NUMBER
    words = [column["word"] for _, column in rows.groupby("step")]
    return [max(least, *(em_width(_written(word)) * WORD for word in column)) + BESIDE for column in words]


def _around(widths: Sequence[float], step: int, size: int) -> tuple[int, int]:
    """The first and the last step that are drawn: the chosen one, and those around it that fit."""
    first = last = step
    left = size - 2 * SIDE - widths[step - 1]
    while True:
        # What was written before comes first: it is what the step follows from.
        nearest = [at for at in (last + 1, first - 1) if 1 <= at <= len(widths)]
        fitting = [at for at in nearest if widths[at - 1] + APART <= left]
        if not fitting:
            return first, last
        at = min(fitting, key=lambda one: abs(one - step))
        left -= widths[at - 1] + APART
        first, last = min(first, at), max(last, at)


def _written(word: str) -> str:
    return shortened(word, longest=LONGEST)


def _middle(rank: float) -> float:
    return ABOVE + ROW * (rank + 0.5)


def _branches(
    rows: pd.DataFrame, lefts: Sequence[float], widths: Sequence[float], colour: str, width: int
) -> Trace:
    """A line from the right of each parent to the left of its child; the first words have none."""
    x: list[float] = []
    y: list[float] = []
    for row in rows[rows["step"] > 1].itertuples():  # the parents of the first are not drawn
        before, here = lefts[row.step - 2] + widths[row.step - 2], lefts[row.step - 1]
        x += [before, before + APART / 3, here - APART / 3, here, np.nan]
        y += [_middle(row.parent), _middle(row.parent), _middle(row.rank), _middle(row.rank), np.nan]
    line = {"color": colour, "width": width, "shape": "linear"}
    return trace_of("scatter", x=x, y=y, mode="lines", line=line, hoverinfo="skip")


def _words(rows: pd.DataFrame, lefts: Sequence[float], widths: Sequence[float], theme: Theme) -> Trace:
    """Each word over its total; those on the way to the sentence found are bold."""
    written = [
        f"{_bold(label(word, longest=LONGEST), best)}"
        f'<br><span style="font-size:{NUMBER}px">{_number(total)}</span>'
        for word, total, best in zip(rows["word"], rows["total"], rows["best"], strict=True)
    ]
    hovers = [
        f"{label(row.word)}: {_number(row.log_probability)} here, {_number(row.total)} in all"
        for row in rows.itertuples()
    ]
    return trace_of(
        "scatter",
        x=[lefts[step - 1] + widths[step - 1] / 2 for step in rows["step"]],
        y=[_middle(rank) for rank in rows["rank"]],
        mode="text",
        text=written,
        textfont={"size": WORD, "color": [theme.attention if best else theme.ink for best in rows["best"]]},
        customdata=rows["number"].tolist(),
        hovertext=hovers,
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _bold(text: str, is_bold: bool) -> str:
    return f"<b>{text}</b>" if is_bold else text


def _number(value: float) -> str:
    return f"{value:z.2f}".replace("-", "−")
