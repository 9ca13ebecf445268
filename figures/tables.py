"""Tables of a sheet as figures: the text of their cells, and their layout.

Columns are as wide as their content, texts are wrapped, and numbers stand on the right.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Any

import pandas as pd

from figures.plain import plain as without_markdown
from figures.rendering import fonts
from pages.contract.sheet import Column, Table
from viz.layout.scale import MINUS
from viz.text import plain
from viz.theme import Theme
from words import counted

RULE = re.compile(r":?-+:?")
STROKE = re.compile(r"(?<!\\)\|")

LINE, PADDING, GAP, WIDEST_GAP = 1.25, 0.35, 0.9, 2.5
"""Em: height of a line, space above and below a row, least and greatest space between two columns."""

BAR, BAR_LINE = 0.22, 0.5
"""Em: height of the bar of a share, and the space that it takes below its number."""

LONGEST_WORD = 14
"""Em: a column of text is as wide as its longest word, or at least so wide; longer words are broken."""

LARGEST = (1.5, 1.25, 1.1)
"""Multiples of the least type to try on a sheet with space to fill."""

Node = tuple[str, dict[str, Any], str]


@dataclass(frozen=True, kw_only=True)
class TextTable:
    """A table of text: its heads, its rows, and which columns are numbers.

    The first column names the rows. `shares` has the length of the bar of a cell, from 0 to 1, by row and
    column. `table` and `title` are as in `Picture`, and `alt` is a property.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    are_numbers: tuple[bool, ...]
    shares: dict[tuple[int, int], float] = field(default_factory=dict)
    table: Callable[[], pd.DataFrame]
    title: str = ""

    @property
    def alt(self) -> str:
        """The size of the table, and the names of its columns."""
        size = f"{counted(len(self.rows), 'row')} and {counted(len(self.heads), 'column')}"
        return f"Table of {size}: {', '.join(filter(None, self.heads))}."


def tabled(part: Table) -> TextTable:
    """Return the text of a table of a sheet; it must not be folded."""
    assert not callable(part.data), "a folded table is not a picture"
    return _of_markdown(part, part.data) if isinstance(part.data, str) else _of_frame(part, part.data)


def _of_frame(part: Table, table: pd.DataFrame) -> TextTable:
    """Write numbers in the format of their columns; the names of rows come first."""
    if table.index.name:
        table = table.reset_index()
    known = [part.columns.get(name, Column()) for name in table.columns]
    rows = [
        tuple(_written(value, column) for value, column in zip(row, known, strict=True))
        for row in table.itertuples(index=False)
    ]
    shares = {
        (i, j): min(1.0, max(0.0, float(table.iat[i, j])))
        for j, column in enumerate(known)
        for i in range(len(table))
        if column.is_bar
    }
    return TextTable(
        heads=tuple(column.title or str(name) for name, column in zip(table.columns, known, strict=True)),
        rows=tuple(rows),
        are_numbers=tuple(pd.api.types.is_numeric_dtype(kind) for kind in table.dtypes),
        shares=shares,
        table=lambda: table,
        title=part.title,
    )


def _of_markdown(part: Table, markdown: str) -> TextTable:
    """Write formulas in characters where possible."""
    heads, rule, *rows = (_cells(line) for line in markdown.strip().splitlines())
    assert all(RULE.fullmatch(one) for one in rule), "a rule stands below the heads"
    read = tuple(tuple(map(_read, row)) for row in rows)
    columns = tuple(map(_read, heads))
    numbers = tuple(one.endswith(":") for one in rule)

    def table() -> pd.DataFrame:
        return pd.DataFrame(list(read), columns=list(columns))

    return TextTable(heads=columns, rows=read, are_numbers=numbers, table=table, title=part.title)


def _written(value: Any, column: Column) -> str:
    if pd.api.types.is_number(value):
        if pd.isna(value):
            return ""
        if column.format == "localized":
            return f"{value:,}"
        return ((column.format or ("%d" if float(value).is_integer() else "%.2f")) % value).replace(
            "-", MINUS
        )
    return plain(str(value))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in STROKE.split(line.strip().removeprefix("|").removesuffix("|"))]


def _read(markdown: str) -> str:
    return plain(without_markdown(markdown))


@dataclass(frozen=True)
class TableLayout:
    """Some columns of a table in a type of `size` pixels, at most `width` pixels wide.

    Its rows begin with the heads, in bold.
    """

    tabled: TextTable
    columns: tuple[int, ...]
    size: float
    width: float

    @cached_property
    def texts(self) -> list[tuple[Sequence[str], int]]:
        """The cells of each row, and the weight of their letters."""
        return [(self.tabled.heads, fonts.BOLD), *((row, fonts.REGULAR) for row in self.tabled.rows)]

    @cached_property
    def least(self) -> list[float]:
        """Width that each column needs: only very long words are broken, and no numbers."""
        least = []
        for column in self.columns:
            is_number = self.tabled.are_numbers[column]
            parts = (
                (part, weight)
                for row, weight in self.texts
                for part in ([row[column]] if is_number and weight == fonts.REGULAR else row[column].split())
            )
            longest = max((self._width_of(*part) for part in parts), default=0.0)
            least.append(min(longest, inf if is_number else LONGEST_WORD * self.size))
        return least

    @cached_property
    def taken(self) -> float:
        """Width that the columns need, with the space between them."""
        return sum(self.least) + GAP * self.size * (len(self.columns) - 1)

    @cached_property
    def edges(self) -> list[tuple[float, float]]:
        """Left and right end of each column; spare width goes to texts, then between columns."""
        wanted = [max(self._width_of(row[one], weight) for row, weight in self.texts) for one in self.columns]
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
    def rows(self) -> list[list[tuple[str, ...]]]:
        """The lines of each cell of each row."""
        # Half a pixel more than measured: rounded, a text would not fit into its own width.
        return [
            [
                fonts.broken(row[column], right - left + 0.5, self.size, weight=weight) or ("",)
                for column, (left, right) in zip(self.columns, self.edges, strict=True)
            ]
            for row, weight in self.texts
        ]

    @cached_property
    def heights(self) -> list[float]:
        """Height of each row."""
        bars = [
            any((at - 1, one) in self.tabled.shares for one in self.columns) for at in range(len(self.rows))
        ]
        return [
            (LINE * max(map(len, row)) + 2 * PADDING + BAR_LINE * has_bar) * self.size
            for row, has_bar in zip(self.rows, bars, strict=True)
        ]

    def height(self, n_rows: int) -> float:
        """Return the height of the heads and the first `n_rows` rows, with the space below them."""
        return sum(self.heights[: n_rows + 1]) + GAP * self.size

    def _width_of(self, text: str, weight: int) -> float:
        return fonts.width(text, self.size, weight=weight)


def set_table(
    tabled: TextTable, width: float, height: float, *, least_type: float, theme: Theme, fills: bool = True
) -> dict[str, Any]:
    """Return the nodes of a table that is at most `width` × `height` large, as `nodes.js` draws them.

    If it `fills` its room, it stands in the middle, with type as large as the room allows, at least
    `least_type`. Columns without room stand below the others, with the names of the rows again. A last line
    counts the rows without room.
    """
    n_all = len(tabled.rows)
    for times in (*(LARGEST if fills else ()), 1.0):
        size = least_type * times
        blocks = _blocks(tabled, size, width)
        if len(blocks) == 1 and blocks[0].height(n_all) <= height:
            break
    n_rows = n_all
    if _height(blocks, n_all) > height:  # the last line counts the others
        room = height - LINE * size
        n_rows = next((n for n in range(n_all - 1, 1, -1) if _height(blocks, n) <= room), 1)
    left = (width - max(block.edges[-1][1] for block in blocks)) / 2 if fills else 0.0
    nodes: list[Node] = []
    for at, block in enumerate(blocks):
        nodes += _set(block, n_rows, (left, _height(blocks[:at], n_rows)), theme)
    top = _height(blocks, n_rows)
    if n_rows < n_all:
        nodes.append(
            _text(f"… and {counted(n_all - n_rows, 'more row')}", left, top + size, size, theme.muted)
        )
        top += LINE * size
    return {"nodes": nodes, "width": width, "height": round(top, 2)}


def _blocks(tabled: TextTable, size: float, width: float) -> list[TableLayout]:
    """Divide the columns into as few groups as possible; each begins with the names of the rows."""
    groups: list[tuple[int, ...]] = [(0,)]
    for column in range(1, len(tabled.heads)):
        wider = (*groups[-1], column)
        if groups[-1] == (0,) or TableLayout(tabled, wider, size, width).taken <= width:
            groups[-1] = wider
        else:
            groups.append((0, column))
    return [TableLayout(tabled, group, size, width) for group in groups]


def _height(blocks: Sequence[TableLayout], n_rows: int) -> float:
    return sum(block.height(n_rows) for block in blocks)


def _set(block: TableLayout, n_rows: int, corner: tuple[float, float], theme: Theme) -> Iterator[Node]:
    """Yield the texts, bars and rules of rows from an upper left `corner` on; short heads stand low."""
    first, top = corner
    edges = [(first + left, first + right) for left, right in block.edges]
    for number, (row, high) in enumerate(zip(block.rows[: n_rows + 1], block.heights, strict=False)):
        weight, rule = block.texts[number][1], theme.line if number else theme.muted
        most = max(map(len, row))
        for lines, (left, right), column in zip(row, edges, block.columns, strict=True):
            is_number = block.tabled.are_numbers[column]
            look = {"font-weight": weight} | ({"text-anchor": "end"} if is_number else {})
            for at, line in enumerate(lines, 0 if number else most - len(lines)):
                y = top + (PADDING + 0.95 + LINE * at) * block.size
                yield _text(line, right if is_number else left, y, block.size, theme.ink, **look)
        for (left, right), column in zip(edges, block.columns, strict=True):
            share = block.tabled.shares.get((number - 1, column))
            for part, colour in ((1.0, theme.line), (share, theme.attention)) if share is not None else ():
                y = top + (PADDING + LINE + 0.1) * block.size
                wide, bar = part * (right - left), BAR * block.size
                yield _node("rect", x=left, y=y, width=wide, height=bar, fill=colour)
        top += high
        yield _node("line", x1=first, x2=edges[-1][1], y1=top, y2=top, stroke=rule)


def _text(text: str, x: float, y: float, size: float, colour: str, **look: Any) -> Node:
    digits = {"style": "font-variant-numeric: tabular-nums"}
    return _node("text", text, x=x, y=y, fill=colour, **{"font-size": size}, **digits, **look)


def _node(name: str, text: str = "", **said: Any) -> Node:
    rounded = {key: round(value, 2) if isinstance(value, float) else value for key, value in said.items()}
    return name, rounded, text
