"""A beam search as a tree: a column for each word, with its hypotheses one below the other."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from viz.layout.boxes import RotatedRect
from viz.layout.figure import Figure
from viz.layout.pen import REACH, Pen
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, label, plain, shortened
from words import counted, two_decimals

WORD, NUMBER = 15, 12
ROW, ABOVE, SIDE = 54, 30, 14
APART, FURTHEST = 26, 80
"""Least and greatest distance of two columns, for the branches."""

BESIDE = 8
LONGEST = 11.0
"""Greatest width of a written word in em."""

BRANCH, GREEDY_BRANCH, BEST_BRANCH = 1, 2, 3

BOLDER = 1.25
"""Width of bold letters and a gap, in widths of usual letters."""

LEGEND = 30
"""Height of the legend below a tree."""

MEANING = "number: sum of log-probabilities"
RESULT, GREEDY = "result of the beam", "greedy decoding"
"""Texts of the legend."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BeamTree(Picture):
    """The hypotheses that a beam has kept, joined with their parents; the result is highlighted.

    `hypotheses` has a row for each with the columns word, step (from 1), rank (0 for the best of its step,
    missing for a dropped one), parent (the rank of its parent), log_probability, total and best. The number
    under a word is its total. The words of `greedy` search that the beam keeps have another colour. `step`
    is the chosen column; as many columns around it are drawn as fit. A click on a word reports its step as
    customdata.
    """

    hypotheses: pd.DataFrame
    step: int = 1
    greedy: Sequence[str] = ()

    def draw(self, room: Room) -> Figure:
        rows = self.hypotheses[self.hypotheses["rank"].notna()]
        rows = rows.assign(greedy=_on_the_way(rows, self.greedy) & ~rows["best"])
        bottom, widths = ABOVE + ROW * int(rows["rank"].max() + 1), _widths(rows)
        height = bottom + LEGEND
        here = _around(widths, self.step, room.width)
        pen = Pen.in_room(
            room, lambda _: height, fits=lambda width: _around(widths, self.step, width) == here, dashes=False
        )
        first, last = _around(widths, self.step, pen.width)
        rows, widths = rows[rows["step"].between(first, last)], widths[first - 1 : last]
        free = pen.width - 2 * SIDE - sum(widths)
        apart = min(FURTHEST, max(APART, free / max(1, len(widths) - 1)))
        lefts = [SIDE + sum(widths[:at]) + apart * at for at in range(len(widths))]
        pen.width = lefts[-1] + widths[-1] + SIDE
        columns = {
            at: RotatedRect(left + width / 2, 0, width, ROW)
            for at, left, width in zip(range(first, last + 1), lefts, widths, strict=True)
        }
        theme = pen.theme
        for drawn, colour, stroke in (
            (rows[~(rows["best"] | rows["greedy"])], theme.muted, BRANCH),
            (rows[rows["greedy"]], theme.recurrence, GREEDY_BRANCH),
            (rows[rows["best"]], theme.attention, BEST_BRANCH),
        ):
            _draw_branches(pen, drawn, columns, colour, stroke)
        _write_words(pen, rows, columns)
        _write_legend(pen, bottom + 20, has_greedy=bool(rows["greedy"].any()))
        for at, column in columns.items():
            is_chosen = at == self.step and not room.is_printed
            colour = pen.theme.selection if is_chosen else pen.theme.muted
            pen.write(_bold(str(at), is_chosen), column.x, ABOVE / 2, size=NUMBER, colour=colour)
        return pen.finished()

    def alt(self) -> str:
        table = self.hypotheses
        best = table[table["best"]]
        words = " ".join(plain(word) for word in best["word"])
        return (
            f"Beam search over {counted(int(table['step'].max()), 'step')}, {len(table)} beginnings weighed. "
            f"Found: {words}, log-probability {best['total'].iloc[-1]:.3f}."
        )

    def table(self) -> pd.DataFrame:
        return self.hypotheses


def _widths(rows: pd.DataFrame) -> list[float]:
    """Return the width of every step's column, for its longest word or a number."""
    least = em_width("−00.00") * NUMBER
    words = [column["word"] for _, column in rows.groupby("step")]
    return [
        max(least, *(em_width(shortened(word, longest=LONGEST)) * WORD for word in column)) + BESIDE
        for column in words
    ]


def _around(widths: Sequence[float], step: int, size: float) -> tuple[int, int]:
    """Return the first and the last step that are drawn: the chosen one, and those around it that fit."""
    first = last = step
    left = size - 2 * SIDE - widths[step - 1]
    while True:
        # Of two steps equally near, the later comes first.
        nearest = [at for at in (last + 1, first - 1) if 1 <= at <= len(widths)]
        fitting = [at for at in nearest if widths[at - 1] + APART <= left]
        if not fitting:
            return first, last
        at = min(fitting, key=lambda one: abs(one - step))
        left -= widths[at - 1] + APART
        first, last = min(first, at), max(last, at)


def _middle(rank: float) -> float:
    return ABOVE + ROW * (rank + 0.5)


def _on_the_way(rows: pd.DataFrame, words: Sequence[str]) -> pd.Series:
    """Return which rows are the first of these words, each the child of the one before, as far as kept."""
    found, parent = pd.Series(data=False, index=rows.index), 0.0
    for step, word in enumerate(words, 1):
        here = rows[(rows["step"] == step) & (rows["parent"] == parent) & (rows["word"] == word)]
        if here.empty:
            break
        found[here.index[0]], parent = True, float(here["rank"].iloc[0])
    return found


def _draw_branches(
    pen: Pen, rows: pd.DataFrame, columns: dict[int, RotatedRect], colour: str, width: float
) -> None:
    """Draw a line from the right of each parent to the left of its child; the first words have none."""
    for row in rows[rows["step"] > min(columns)].itertuples():  # the first column's parents are not drawn
        before, here = columns[row.step - 1].right, columns[row.step].left
        aside, start, end = (here - before) / 3, _middle(row.parent), _middle(row.rank)
        way = [(before, start), (before + aside, start), (here - aside, end), (here, end)]
        pen.line(way, colour, width=width)


def _write_words(pen: Pen, rows: pd.DataFrame, columns: dict[int, RotatedRect]) -> None:
    """Write each word over its total; words on the way to the result are bold."""
    for row in rows.itertuples():
        x, y, word = columns[row.step].x, _middle(row.rank), label(row.word, longest=LONGEST)
        on_a_way = pen.theme.attention if row.best else pen.theme.recurrence
        colour = on_a_way if row.best or row.greedy else pen.theme.ink
        pen.write(_bold(word, row.best), x, y - 9, size=WORD, colour=colour)
        pen.write(two_decimals(row.total), x, y + 10, size=NUMBER, colour=colour)
        said = (
            f"{label(row.word)}: {two_decimals(row.log_probability)} here, {two_decimals(row.total)} in all"
        )
        pen.add_hit_area(RotatedRect(x, y, REACH, ROW), row.step, said)


def _write_legend(pen: Pen, y: float, *, has_greedy: bool) -> None:
    """Write what the numbers are and, if greedy search takes another path, the colour of each path."""
    texts = [(MEANING, pen.theme.ink, False)]
    if has_greedy:
        texts = [(RESULT, pen.theme.attention, True), (GREEDY, pen.theme.recurrence, False), *texts]
    x = float(SIDE)
    for text, colour, is_bold in texts:
        width = em_width(text) * NUMBER * BOLDER
        if x > SIDE and x + width > pen.width:
            break
        pen.write(_bold(text, is_bold), x, y, size=NUMBER, colour=colour, xanchor="left")
        x += width


def _bold(text: str, is_bold: bool) -> str:
    return f"<b>{text}</b>" if is_bold else text
