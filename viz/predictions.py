"""What a model expects: the likeliest words as bars, with all of its heads and with some knocked out."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.words import probability
from viz.parts.canvas import HEADLINE_LINE, LEGEND_LINE, MARGIN, Box, canvas
from viz.parts.figure_cache import cached_figure
from viz.parts.sketch import Trace, trace_of
from viz.picture import Picture, finished
from viz.text import em_width, label, plain, shortened
from viz.theme import Theme

SHOWN = 8
"""How many words have a bar."""

SIZE = 420
"""The default width of a figure in pixels: a column beside a matrix."""

ROW, BREAK = 28, 0.35
"""Height of a row in pixels, and in rows the space before an answer that is not among the likeliest."""

WORD, NUMBER, BESIDE = 16, 12, 8
"""Type sizes of words and numbers, and the space beside them, in pixels."""

ALONE, PAIRED, APART = 0.62, 0.36, 0.2
"""Thickness in rows of a bar alone and of one of two, and how far each of two is from the middle."""

ANSWER = "← in the sentence"
BEFORE = "all heads"
LONGEST_NAME = 22


@cached_figure
def prediction_bars(
    table: pd.DataFrame,
    *,
    title: str,
    theme: Theme,
    short: str = "",
    before: str = BEFORE,
    after: str = "",
    answer: str = ANSWER,
    size: int = SIZE,
    colour: str = "",
    answers: bool = False,
) -> go.Figure:
    """The likeliest words of a distribution, then the word that the sentence has if it is not among them.

    `table` has a row for each word, the likeliest first, with the columns `word`, `before`, `after` and
    `answer`. Each word has one bar, or two where `after` says what the second stands for, and `before` the
    first. Bars always run from 0 to 1, in this `colour` or that of attention. `answer` stands beside the bar
    of the answer. The figure is `size` pixels wide. With `answers`, a click anywhere in the row of a bar
    reports its word as customdata. A `short` title is drawn where it has no room for the whole one.
    """
    rows = likeliest(table)
    places = np.arange(len(rows)) + BREAK * (rows.index >= SHOWN)
    height = round((places[-1] + 1) * ROW)
    box = _box(rows, height, size, answer)
    foot = LEGEND_LINE + MARGIN if after else MARGIN
    drawn = canvas(size, box.bottom + foot, theme, title=title, short=short)
    across, upwards = drawn.domains(box, 0)
    drawn.figure.layout["xaxis"] = {"visible": False, "fixedrange": True, "domain": across, "range": (0, 1)}
    drawn.figure.layout["yaxis"] = _word_axis(rows, places, theme) | {"domain": upwards}
    drawn.figure.update_layout(barmode="overlay")
    for bars in _bars(rows, places, theme, answer, colour=colour or theme.attention, paired=bool(after)):
        drawn.figure.add_trace(bars)
    if answers:
        drawn.figure.add_trace(_answering(rows, places))
    if after:
        key = _key(before, after, colour or theme.attention, theme.selection)
        drawn.legend([key], box.left, box.bottom + MARGIN)
    return drawn.finished()


def prediction(
    table: pd.DataFrame,
    *,
    title: str,
    theme: Theme,
    before: str = BEFORE,
    after: str = "",
    behind: Callable[[], pd.DataFrame] | None = None,
    **look: Any,
) -> Picture:
    """The likeliest words of `table` as bars, told from the same rows; `look` is what else `prediction_bars`
    takes. The table behind the picture has all words, unless `behind` makes another.
    """
    rows = likeliest(table)
    return finished(
        prediction_bars(rows, title=title, theme=theme, before=before, after=after, **look),
        alt=describe_prediction(rows, title=title, before=before, after=after),
        table=behind or (lambda: table),
        title=title,
    )


def describe_prediction(table: pd.DataFrame, *, title: str, before: str = BEFORE, after: str = "") -> str:
    """The alternative text of `prediction_bars`: its words with their probabilities, and the answer."""
    rows = likeliest(table)
    told = [
        f"{plain(word)} {probability(one)}{f' to {probability(other)}' if after else ''}"
        for word, one, other in zip(rows["word"], rows["before"], rows["after"], strict=True)
    ]
    answer = [plain(word) for word in rows["word"][rows["answer"]]]
    here = f" In the sentence: {answer[0]}." if answer else ""
    change = f" First {plain(before)}, then {plain(after)}." if after else ""
    return f"{plain(title)}: {', '.join(told)}.{change}{here}"


def likeliest(table: pd.DataFrame) -> pd.DataFrame:
    """The rows that have bars: the likeliest words and the answer, which has an index of `SHOWN` or more
    where it is none of them. Figures are kept by what they are given, so hand over these, not all words.
    """
    rows = table.reset_index(drop=True)
    return rows[(rows.index < SHOWN) | rows["answer"]]


def _box(rows: pd.DataFrame, height: float, size: int, answer: str) -> Box:
    """The rectangle of the bars: right of the words, and left of room for the numbers at their ends."""
    left = max(em_width(shortened(word)) for word in rows["word"]) * WORD + 2 * BESIDE
    right = em_width(f"0.000 {answer}") * NUMBER + BESIDE
    return Box(left, HEADLINE_LINE, size - left - right, height)


def _word_axis(rows: pd.DataFrame, places: Sequence[float], theme: Theme) -> dict[str, Any]:
    """The words beside their bars, the answer in the colour of what is chosen."""
    words = [
        f'<b><span style="color:{theme.selection}">{label(word)}</span></b>' if answer else label(word)
        for word, answer in zip(rows["word"], rows["answer"], strict=True)
    ]
    look = {"fixedrange": True, "showgrid": False, "zeroline": False, "ticks": "", "tickfont": {"size": WORD}}
    look["ticklabelstandoff"] = BESIDE
    return {**look, "tickvals": places, "ticktext": words, "range": (places[-1] + 0.5, -0.5)}


def _bars(
    rows: pd.DataFrame, places: np.ndarray, theme: Theme, answer: str, *, colour: str, paired: bool
) -> list[Trace]:
    answers = [f" {answer}" if is_answer else "" for is_answer in rows["answer"]]
    look = {"color": colour}
    if not paired:
        return [_bar(rows, "before", places, ALONE, answers, look)]
    hatched = {"shape": "/", "fgcolor": theme.selection, "bgcolor": theme.paper, "size": 5}
    outlined = {"pattern": hatched, "line": {"color": theme.selection, "width": 1}}
    return [
        _bar(rows, "before", places - APART, PAIRED, answers, look),
        _bar(rows, "after", places + APART, PAIRED, [""] * len(rows), outlined),
    ]


def _bar(
    rows: pd.DataFrame,
    column: str,
    places: np.ndarray,
    thickness: float,
    notes: Sequence[str],
    look: dict[str, Any],
) -> Trace:
    values = rows[column]
    return trace_of(
        "bar",
        x=values.to_numpy(),
        y=places,
        width=thickness,
        orientation="h",
        marker=look,
        text=[f"{probability(value)}{note}" for value, note in zip(values, notes, strict=True)],
        textposition="outside",
        constraintext="none",
        textfont={"size": NUMBER},
        cliponaxis=False,
        # A click on the bar itself reports the word too, and not only one beside it.
        customdata=list(rows["word"]),
        hovertemplate="%{x:.2e}<extra></extra>",
    )


def _answering(rows: pd.DataFrame, places: np.ndarray) -> Trace:
    """Bars that nobody sees, as long as the axis: that of a word that is hardly likely is no target."""
    return trace_of(
        "bar",
        x=np.ones(len(rows)),
        y=places,
        width=1.0,
        orientation="h",
        marker={"opacity": 0},
        # A list: of a NumPy array a click would report an object with the keys 0 and 1.
        customdata=list(rows["word"]),
        hovertext=[
            f"{label(word)}: {probability(value)}"
            for word, value in zip(rows["word"], rows["before"], strict=True)
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _key(before: str, after: str, colour: str, other_colour: str) -> str:
    """What the two kinds of bars stand for."""
    one, other = (
        f'<span style="color:{look}">{sign}</span>' for look, sign in ((colour, "■"), (other_colour, "▨"))
    )
    return f"{one} {label(before)}   {other} {label(after, longest=LONGEST_NAME)}"
