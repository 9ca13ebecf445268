"""A table as it is set: columns as wide as what is in them, texts wrapped, numbers on the right."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import inf
from typing import Any

from figures.rendering import fonts
from figures.tables.tabled import Tabled
from viz.theme import Theme

LINE, PADDING, GAP = 1.25, 0.35, 0.9
"""Em: how high a line is, the room above and below a row, and between two columns."""

BAR, BAR_LINE = 0.22, 0.5
"""Em: how high the bar of a share is, and the room that it takes below its number."""

LONGEST_WORD = 14
"""Em that a column of text has at least, if its longest word wants them; longer words are broken."""

LARGEST = (1.5, 1.25, 1.1, 1.0)
"""By what the least type is multiplied where there is room."""

Node = tuple[str, dict[str, Any], str]


@dataclass(frozen=True)
class Setting:
    """Some columns of a table in a type of so many pixels, at most so wide."""

    tabled: Tabled
    columns: tuple[int, ...]
    size: float
    width: float

    @cached_property
    def least(self) -> list[float]:
        """Pixels that each column needs: numbers are not broken, and words only where they are very long."""
        return [self._least(column) for column in self.columns]

    @cached_property
    def widths(self) -> list[float]:
        """Pixels of each column: what is left goes to those whose lines are broken for want of it."""
        wanted = [
            max(self._wanted(column), least) for column, least in zip(self.columns, self.least, strict=True)
        ]
        short = [want - least for want, least in zip(wanted, self.least, strict=True)]
        share = min(1.0, max(0.0, self.width - self.taken) / (sum(short) or 1.0))
        return [least + share * more for least, more in zip(self.least, short, strict=True)]

    @property
    def taken(self) -> float:
        """Pixels that the columns need with what is between them."""
        return sum(self.least) + self.gap * (len(self.columns) - 1)

    @property
    def gap(self) -> float:
        return GAP * self.size

    @cached_property
    def heads(self) -> list[tuple[str, ...]]:
        """The lines of each head."""
        return [
            self._broken(self.tabled.heads[column], at, fonts.BOLD) for at, column in enumerate(self.columns)
        ]

    @cached_property
    def rows(self) -> list[list[tuple[str, ...]]]:
        """The lines of each cell."""
        return [
            [self._broken(row[column], at) for at, column in enumerate(self.columns)]
            for row in self.tabled.rows
        ]

    def height(self, row: Sequence[tuple[str, ...]], number: int | None = None) -> float:
        """Pixels of a row with these cells."""
        has_bar = number is not None and any(
            (number, column) in self.tabled.shares for column in self.columns
        )
        return (LINE * max(map(len, row)) + 2 * PADDING + BAR_LINE * has_bar) * self.size

    def _broken(self, text: str, at: int, weight: int = fonts.REGULAR) -> tuple[str, ...]:
        # Half a pixel more than measured: rounded, a text would not fit into its own width.
        return fonts.broken(text, self.widths[at] + 0.5, self.size, weight=weight) or ("",)

    def _least(self, column: int) -> float:
        texts = [row[column] for row in self.tabled.rows]
        if not self.tabled.are_numbers[column]:
            texts = [word for text in texts for word in text.split()]
        longest = max((fonts.width(text, self.size) for text in texts), default=0.0)
        heads = (
            fonts.width(word, self.size, weight=fonts.BOLD) for word in self.tabled.heads[column].split()
        )
        most = inf if self.tabled.are_numbers[column] else LONGEST_WORD * self.size
        return min(max(longest, *heads, 0.0), most)

    def _wanted(self, column: int) -> float:
        texts = [row[column] for row in self.tabled.rows]
        head = fonts.width(self.tabled.heads[column], self.size, weight=fonts.BOLD)
        return max([head, *(fonts.width(text, self.size) for text in texts)])


def set_table(
    tabled: Tabled, width: float, height: float, *, least_type: float, theme: Theme
) -> dict[str, Any]:
    """The nodes of a table that is at most so wide and so high, as `nodes.js` draws them.

    Its type is as large as there is room for, and never below `least_type`. Columns that have no room beside
    the others stand below them, with those that name a row once more; rows that have none are
    counted in a last line.
    """
    for times in LARGEST:
        blocks = _blocks(tabled, least_type * times, width)
        if times == LARGEST[-1] or (len(blocks) == 1 and _high(blocks) <= height):
            break
    n_rows = _fitting(blocks, height)
    nodes, top = [], 0.0
    for block in blocks:
        drawn, top = _set(block, n_rows, top, theme)
        nodes += drawn
    if n_rows < len(tabled.rows):
        size = blocks[0].size
        left_out = f"… and {len(tabled.rows) - n_rows} more rows"
        nodes.append(_text(left_out, 0, top + size, size, theme.muted))
        top += LINE * size
    return {"nodes": nodes, "width": width, "height": round(top, 2)}


def _blocks(tabled: Tabled, size: float, width: float) -> list[Setting]:
    """The columns in as few groups as there is room for side by side; each begins with what names a row."""
    names = (0,)
    groups: list[tuple[int, ...]] = [names]
    for column in range(1, len(tabled.heads)):
        wider = Setting(tabled, (*groups[-1], column), size, width)
        if wider.taken <= width or groups[-1] == names:
            groups[-1] = wider.columns
        else:
            groups.append((*names, column))
    return [Setting(tabled, group, size, width) for group in groups]


def _high(blocks: Sequence[Setting], n_rows: int | None = None) -> float:
    return sum(
        block.height(block.heads)
        + sum(block.height(row, i) for i, row in enumerate(block.rows[:n_rows]))
        + block.gap
        for block in blocks
    )


def _fitting(blocks: Sequence[Setting], height: float) -> int:
    """How many rows there is room for, if need be above the line that counts the others."""
    n_rows = len(blocks[0].rows)
    if _high(blocks) <= height:
        return n_rows
    below = LINE * blocks[0].size
    return next((n for n in range(n_rows - 1, 1, -1) if _high(blocks, n) + below <= height), 1)


def _set(block: Setting, n_rows: int, top: float, theme: Theme) -> tuple[list[Node], float]:
    """The nodes of a block from `top` on, and where it ends."""
    nodes = list(_row(block, block.heads, top, theme, weight=fonts.BOLD))
    top += block.height(block.heads)
    nodes.append(_rule(top, block, theme.muted))
    for i, row in enumerate(block.rows[:n_rows]):
        nodes += _row(block, row, top, theme)
        nodes += _bars(block, i, top, theme)
        top += block.height(row, i)
        nodes.append(_rule(top, block, theme.line))
    return nodes, top + block.gap


def _edges(block: Setting) -> list[tuple[float, float]]:
    """Where each column begins and ends."""
    starts = [0.0]
    for width in block.widths:
        starts.append(starts[-1] + width + block.gap)
    return [(start, after - block.gap) for start, after in pairwise(starts)]


def _row(
    block: Setting, row: Sequence[tuple[str, ...]], top: float, theme: Theme, weight: int = fonts.REGULAR
) -> Iterator[Node]:
    """Lines of text; heads stand above the rule together, at the foot of their row."""
    most = max(map(len, row))
    for lines, (left, right), column in zip(row, _edges(block), block.columns, strict=True):
        is_number = block.tabled.are_numbers[column]
        first = most - len(lines) if weight == fonts.BOLD else 0
        for at, line in enumerate(lines):
            y = top + (PADDING + 0.95 + LINE * (first + at)) * block.size
            look = {"font-weight": weight} | ({"text-anchor": "end"} if is_number else {})
            yield _text(line, right if is_number else left, y, block.size, theme.ink, **look)


def _bars(block: Setting, number: int, top: float, theme: Theme) -> Iterator[Node]:
    for (left, right), column in zip(_edges(block), block.columns, strict=True):
        share = block.tabled.shares.get((number, column))
        if share is not None:
            y = top + (PADDING + LINE + 0.1) * block.size
            place = {"x": round(left, 2), "y": round(y, 2), "height": round(BAR * block.size, 2)}
            yield "rect", {**place, "width": round(right - left, 2), "fill": theme.line}, ""
            yield "rect", {**place, "width": round((right - left) * share, 2), "fill": theme.attention}, ""


def _rule(y: float, block: Setting, colour: str) -> Node:
    right = _edges(block)[-1][1]
    return (
        "line",
        {"x1": 0, "x2": round(right, 2), "y1": round(y, 2), "y2": round(y, 2), "stroke": colour},
        "",
    )


def _text(text: str, x: float, y: float, size: float, colour: str, **look: Any) -> Node:
    place = {"x": round(x, 2), "y": round(y, 2), "font-size": round(size, 2), "fill": colour}
    return "text", {**place, "style": "font-variant-numeric: tabular-nums", **look}, text
