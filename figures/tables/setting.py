"""Layout of a table: columns as wide as their content, wrapped texts, numbers on the right."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf
from typing import Any

from figures.rendering import fonts
from figures.tables.tabled import Tabled
from viz.theme import Theme

LINE, PADDING, GAP, WIDEST_GAP = 1.25, 0.35, 0.9, 2.5
"""Em: height of a line, space above and below a row, least and greatest space between two columns."""

BAR, BAR_LINE = 0.22, 0.5
"""Em: height of the bar of a share, and the space that it takes below its number."""

LONGEST_WORD = 14
"""Em that a column of text has at least if its longest word needs them; longer words are broken."""

LARGEST = (1.5, 1.25, 1.1)
"""Multiples of the least type that are tried on a sheet with space to fill."""

Node = tuple[str, dict[str, Any], str]
Cells = Sequence[tuple[str, ...]]
"""The lines of each cell of a row."""


@dataclass(frozen=True)
class Setting:
    """Some columns of a table in a type of `size` pixels, at most `width` pixels wide."""

    tabled: Tabled
    columns: tuple[int, ...]
    size: float
    width: float

    @cached_property
    def least(self) -> list[float]:
        """Width that each column needs: numbers are not broken, and words only if they are very long."""
        return [self._least(column) for column in self.columns]

    @cached_property
    def taken(self) -> float:
        """Width that the columns need, with the space between them."""
        return sum(self.least) + GAP * self.size * (len(self.columns) - 1)

    @cached_property
    def edges(self) -> list[tuple[float, float]]:
        """Left and right end of each column; the width that is left goes to texts, then between columns."""
        wanted = [max(map(self._width_of, self._texts(column))) for column in self.columns]
        missing = [max(0.0, want - least) for want, least in zip(wanted, self.least, strict=True)]
        left_over = max(0.0, self.width - self.taken)
        share = min(1.0, left_over / (sum(missing) or 1.0))
        between = max(0.0, left_over - sum(missing)) / max(1, len(self.columns) - 1)
        gap = min(WIDEST_GAP * self.size, GAP * self.size + between)
        edges, left = [], 0.0
        for least, more in zip(self.least, missing, strict=True):
            edges.append((left, left + least + share * more))
            left = edges[-1][1] + gap
        return edges

    @cached_property
    def heads(self) -> Cells:
        """The names of the columns."""
        return self._broken(self.tabled.heads, fonts.BOLD)

    @cached_property
    def rows(self) -> list[Cells]:
        """The rows."""
        return [self._broken(row, fonts.REGULAR) for row in self.tabled.rows]

    def height(self, row: Cells, number: int | None = None) -> float:
        """Return the height of the row of this number, or of the heads."""
        has_bar = any((number, column) in self.tabled.shares for column in self.columns)
        return (LINE * max(map(len, row)) + 2 * PADDING + BAR_LINE * has_bar) * self.size

    def whole_height(self, n_rows: int | None = None) -> float:
        """Return the height of the heads and the first rows, with the space below them."""
        rows = enumerate(self.rows[:n_rows])
        return self.height(self.heads) + sum(self.height(row, i) for i, row in rows) + GAP * self.size

    def _broken(self, row: Sequence[str], weight: int) -> Cells:
        # Half a pixel more than measured: rounded, a text would not fit into its own width.
        return [
            fonts.broken(row[column], right - left + 0.5, self.size, weight=weight) or ("",)
            for column, (left, right) in zip(self.columns, self.edges, strict=True)
        ]

    def _texts(self, column: int) -> Iterator[tuple[str, int]]:
        yield self.tabled.heads[column], fonts.BOLD
        yield from ((row[column], fonts.REGULAR) for row in self.tabled.rows)

    def _width_of(self, text: tuple[str, int]) -> float:
        return fonts.width(text[0], self.size, weight=text[1])

    def _least(self, column: int) -> float:
        is_number = self.tabled.are_numbers[column]
        parts = (
            (part, weight)
            for text, weight in self._texts(column)
            for part in ([text] if is_number and weight == fonts.REGULAR else text.split())
        )
        longest = max(map(self._width_of, parts), default=0.0)
        return min(longest, inf if is_number else LONGEST_WORD * self.size)


def set_table(
    tabled: Tabled, width: float, height: float, *, least_type: float, theme: Theme, fills: bool = True
) -> dict[str, Any]:
    """Return the nodes of a table that is at most `width` × `height` large, as `nodes.js` draws them.

    If it `fills` its room, its type is as large as the room allows, and never below `least_type`. Columns
    without room stand below the others, with the names of the rows once more. Rows without room are counted
    in a last line.
    """
    for times in (*(LARGEST if fills else ()), 1.0):
        size = least_type * times
        blocks = _blocks(tabled, size, width)
        if len(blocks) == 1 and blocks[0].whole_height() <= height:
            break
    n_rows = _fitting(blocks, height)
    nodes: list[Node] = []
    top = 0.0
    for block in blocks:
        nodes += _set(block, n_rows, top, theme)
        top += block.whole_height(n_rows)
    if n_rows < len(tabled.rows):
        left_out = f"… and {len(tabled.rows) - n_rows} more rows"
        nodes.append(_text(left_out, 0, top + size, size, theme.muted))
        top += LINE * size
    return {"nodes": nodes, "width": width, "height": round(top, 2)}


def _blocks(tabled: Tabled, size: float, width: float) -> list[Setting]:
    """Return the columns in as few groups as possible; each begins with the names of the rows."""
    groups: list[tuple[int, ...]] = [(0,)]
    for column in range(1, len(tabled.heads)):
        wider = (*groups[-1], column)
        if groups[-1] == (0,) or Setting(tabled, wider, size, width).taken <= width:
            groups[-1] = wider
        else:
            groups.append((0, column))
    return [Setting(tabled, group, size, width) for group in groups]


def _fitting(blocks: Sequence[Setting], height: float) -> int:
    """Return how many rows have room, above the line that counts the others if there are any."""
    n_rows = len(blocks[0].rows)
    if sum(block.whole_height() for block in blocks) <= height:
        return n_rows
    room = height - LINE * blocks[0].size
    fits = (n for n in range(n_rows - 1, 1, -1) if sum(block.whole_height(n) for block in blocks) <= room)
    return next(fits, 1)


def _set(block: Setting, n_rows: int, top: float, theme: Theme) -> Iterator[Node]:
    yield from _row(block, block.heads, top, theme, fonts.BOLD)
    top += block.height(block.heads)
    rule = partial(_node, "line", x1=0, x2=block.edges[-1][1])
    yield rule(y1=top, y2=top, stroke=theme.muted)
    for i, row in enumerate(block.rows[:n_rows]):
        yield from _row(block, row, top, theme, fonts.REGULAR)
        yield from _bars(block, i, top, theme)
        top += block.height(row, i)
        yield rule(y1=top, y2=top, stroke=theme.line)


def _row(block: Setting, row: Cells, top: float, theme: Theme, weight: int) -> Iterator[Node]:
    """Yield lines of text; heads stand at the foot of their row."""
    most = max(map(len, row))
    for lines, (left, right), column in zip(row, block.edges, block.columns, strict=True):
        is_number = block.tabled.are_numbers[column]
        first = most - len(lines) if weight == fonts.BOLD else 0
        for at, line in enumerate(lines):
            y = top + (PADDING + 0.95 + LINE * (first + at)) * block.size
            look = {"font-weight": weight} | ({"text-anchor": "end"} if is_number else {})
            yield _text(line, right if is_number else left, y, block.size, theme.ink, **look)


def _bars(block: Setting, number: int, top: float, theme: Theme) -> Iterator[Node]:
    y = top + (PADDING + LINE + 0.1) * block.size
    for (left, right), column in zip(block.edges, block.columns, strict=True):
        share = block.tabled.shares.get((number, column))
        if share is not None:
            for part, colour in ((1.0, theme.line), (share, theme.attention)):
                wide, high = part * (right - left), BAR * block.size
                yield _node("rect", x=left, y=y, width=wide, height=high, fill=colour)


def _text(text: str, x: float, y: float, size: float, colour: str, **look: Any) -> Node:
    digits = {"style": "font-variant-numeric: tabular-nums"}
    return _node("text", text, x=x, y=y, fill=colour, **{"font-size": size}, **digits, **look)


def _node(name: str, text: str = "", **said: Any) -> Node:
    rounded = {key: round(value, 2) if isinstance(value, float) else value for key, value in said.items()}
    return name, rounded, text
