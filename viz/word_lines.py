"""Attention as lines from queries on the left to keys on the right, and a table of the strongest lines."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float
from numpy.typing import ArrayLike

from viz.layout.boxes import RotatedRect
from viz.layout.cells import Numbers, checked, visible
from viz.layout.figure import Figure
from viz.layout.grid import KEY_TITLE, QUERY_TITLE
from viz.layout.pen import Pen
from viz.picture import Picture
from viz.room import LEAST_TYPE, Room
from viz.tables import matrix_table
from viz.text import em_width, label, plain, shortened, unique_words
from words import counted

ROW, TYPE, TITLE = 24, 16, 15
"""Distance of two words in units, and type of words and of titles."""

LEAST_ROW = 1.15
"""The least distance of two words, in em."""

ABOVE, BELOW, BESIDE = 34, 30, 10
"""Units above and below the words, and between words and lines."""

WIDEST = 560
"""Greatest distance of the two columns of words in units."""

SMALLEST = 0.005
"""Smallest weight with a line; smaller ones are in the table."""

MOST_LINES = 1500
"""Greatest number of lines of a picture: of more, the largest weights have one."""

THINNEST, THICKEST = 0.6, 7.0
"""Widths of lines of hardly any weight, and of full weight."""

FAINTEST, STEPS = 0.12, 20
"""Opacity of the faintest line, and number of different looks."""

TOLD = 3
"""Number of keys that a word's hover lists, the heaviest first."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WordLines(Picture):
    """The weights of a head, `pattern` (query, key), as lines with width and opacity by weight.

    `words` name the queries, and the keys too unless these have `keys`; each stands for a `unit`. A cell that
    `allowed` forbids, or that is NaN, has no line.
    """

    pattern: ArrayLike
    words: Sequence[str]
    keys: Sequence[str] | None = None
    allowed: ArrayLike | None = None
    unit: str = "word"

    @property
    def weights(self) -> Numbers:
        """The pattern, NaN where masked."""
        return checked(visible(self.pattern, self.allowed), self.words, self.read)

    @property
    def read(self) -> Sequence[str]:
        """The words of the keys."""
        return self.words if self.keys is None else self.keys

    def draw(self, room: Room) -> Figure:
        weights = np.nan_to_num(self.weights)
        n_rows = max(weights.shape)
        free = (room.tallest - ABOVE - BELOW) / n_rows
        least = max(LEAST_TYPE, room.smallest_type)
        size = max(least, min(TYPE, free / LEAST_ROW))
        row = max(LEAST_ROW * size, min(ROW, free))
        pen = Pen.in_room(room, lambda _: ABOVE + n_rows * row + BELOW, dashes=False)
        longest = [max(em_width(shortened(word)) for word in words) for words in (self.words, self.read)]
        left, right = (one * size + BESIDE for one in longest)
        apart = min(WIDEST, pen.width - left - right - 2 * BESIDE)
        start = (pen.width - left - apart - right) / 2 + left
        columns = (start, start + apart)
        heights = [[ABOVE + (at + 0.5) * row for at in range(n)] for n in weights.shape]
        self._draw_lines(pen, weights, (columns[0] + BESIDE, columns[1] - BESIDE), heights)
        titles = (QUERY_TITLE.rstrip(" ↓"), KEY_TITLE.rstrip(" →"))
        for at, (words, ys) in enumerate(zip((self.words, self.read), heights, strict=True)):
            anchor, role = ("right", "query") if at == 0 else ("left", "key")
            colour = pen.theme.query if role == "query" else pen.theme.key
            wide = em_width(titles[at]) * TITLE
            x = max(columns[0], wide) if at == 0 else min(columns[1], pen.width - wide)
            pen.write(titles[at], x, ABOVE / 2 - 2, size=TITLE, colour=colour, xanchor=anchor)
            for word, y in zip(words, ys, strict=True):
                pen.write(label(word), columns[at], y, size=size, xanchor=anchor)
        said = "Thicker and stronger: a larger attention weight"
        if (weights >= SMALLEST).sum() > MOST_LINES:
            said = f"The {MOST_LINES:,} largest weights. {said}"
        pen.write(said, pen.width / 2, pen.height - BELOW / 2 + 4, size=least, colour=pen.theme.muted)
        return pen.finished()

    def alt(self) -> str:
        weights, names = self.weights, (unique_words(self.words), unique_words(self.read))
        size = " by ".join(
            counted(n, f"{role} {self.unit}") for n, role in zip(weights.shape, ("query", "key"), strict=True)
        )
        details = f"{plain(self.title)}: lines of attention, {size}."
        if np.isnan(weights).all():
            return f"{details} All of it is masked."
        query, key = np.unravel_index(int(np.nanargmax(weights)), weights.shape)
        return (
            f"{details} The thickest runs from {names[0][query]} to {names[1][key]}, "
            f"weight {weights[query, key]:.2f}."
        )

    def table(self) -> pd.DataFrame:
        return matrix_table(self.weights, self.words, keys=self.keys)

    def _draw_lines(
        self, pen: Pen, weights: Numbers, ends: tuple[float, float], heights: list[list[float]]
    ) -> None:
        """Draw lines of equal looks together, the strongest last, and let each end show its weight."""
        drawn = weights >= SMALLEST
        if drawn.sum() > MOST_LINES:
            largest = np.argsort(-weights, axis=None, kind="stable")[:MOST_LINES]
            drawn = np.isin(np.arange(weights.size), largest).reshape(weights.shape)
        looks = np.ceil(np.clip(weights, 0, 1) * STEPS) / STEPS
        for share in np.unique(looks[drawn]):
            cells = np.argwhere((looks == share) & drawn)
            lines = [[(ends[0], heights[0][q]), (ends[1], heights[1][k])] for q, k in cells]
            width = THINNEST + (THICKEST - THINNEST) * float(share)
            strength = FAINTEST + (1 - FAINTEST) * float(share)
            pen.line(lines, pen.theme.attention, width=width, opacity=strength)
        for query, y in enumerate(heights[0]):
            top = np.argsort(-weights[query], kind="stable")[:TOLD]
            best = ", ".join(f"{label(self.read[key])} {weights[query, key]:.2f}" for key in top)
            pen.add_hit_area(
                RotatedRect(ends[0] - BESIDE, y, 1, 1), "", f"{label(self.words[query])} → {best}"
            )


ROUNDING = 1e-6
"""Share of a query's attention by which float32 may miss the requested mass."""


def strongest(pattern: Float[np.ndarray, "query key"], *, mass: float) -> pd.DataFrame:
    """Return the fewest keys of each query that hold `mass` of its attention, as a tidy table.

    With hidden keys a row sums to less than 1, and `mass` is a share of that sum. Columns: query, key
    (positions counted from 0) and weight, heaviest first within a query, the earlier key first among equals.
    A mass of 1 keeps every key with any weight. Raises ValueError unless 0 < mass ≤ 1.
    """
    if not 0 < mass <= 1:
        raise ValueError(f"mass must be above 0 and at most 1, got {mass}")
    order = np.argsort(-pattern, axis=1, kind="stable")
    weights = np.take_along_axis(pattern, order, axis=1).astype(np.float64)
    # A key is needed if the heavier keys do not hold the mass yet.
    held_before = weights.cumsum(axis=1) - weights
    held = held_before >= (mass - ROUNDING) * weights.sum(axis=1, keepdims=True)
    needed = (weights > 0) & (~held | (mass == 1))
    queries, ranks = np.nonzero(needed)
    return pd.DataFrame({"query": queries, "key": order[queries, ranks], "weight": weights[queries, ranks]})


def describe_lines(lines: pd.DataFrame, words: Sequence[str], *, title: str, unit: str = "word") -> str:
    """Return a description of the lines of `strongest`; each of `words` is called `unit`."""
    extent = f"{plain(title)}: {counted(len(lines), 'line')} between {counted(len(words), unit)}."
    if lines.empty:
        return extent
    names = unique_words(words)
    top = lines.loc[lines["weight"].idxmax()]
    query, key = names[int(top["query"])], names[int(top["key"])]
    return f"{extent} The thickest runs from query {query} to key {key}, weight {top['weight']:.2f}."
