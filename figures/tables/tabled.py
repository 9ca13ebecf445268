"""The cells of a table of a sheet as text."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from figures.plain import plain as without_markdown
from pages.contract.sheet import Column, Table
from viz.layout.scale import MINUS
from viz.text import plain
from words import counted

RULE = re.compile(r":?-+:?")
STROKE = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, kw_only=True)
class Tabled:
    """A table of text: its heads, its rows, and which columns are of numbers.

    The first column names the rows. `shares` has the length of the bar of a cell, from 0 to 1, by row and
    column. `alt`, `table` and `title` are as those of a picture.
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


def tabled(part: Table) -> Tabled:
    """Return the text of a table of a sheet that does not fold."""
    assert not callable(part.data), "a table that folds is no picture"
    return _of_markdown(part, part.data) if isinstance(part.data, str) else _of_frame(part, part.data)


def _of_frame(part: Table, table: pd.DataFrame) -> Tabled:
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
    return Tabled(
        heads=tuple(column.title or str(name) for name, column in zip(table.columns, known, strict=True)),
        rows=tuple(rows),
        are_numbers=tuple(pd.api.types.is_numeric_dtype(kind) for kind in table.dtypes),
        shares=shares,
        table=lambda: table,
        title=part.title,
    )


def _of_markdown(part: Table, markdown: str) -> Tabled:
    """Write formulas in characters as far as there are some."""
    heads, rule, *rows = (_cells(line) for line in markdown.strip().splitlines())
    assert all(RULE.fullmatch(one) for one in rule), "a rule stands below the heads"
    read = tuple(tuple(map(_read, row)) for row in rows)
    columns = tuple(map(_read, heads))
    numbers = tuple(one.endswith(":") for one in rule)

    def table() -> pd.DataFrame:
        return pd.DataFrame(list(read), columns=list(columns))

    return Tabled(heads=columns, rows=read, are_numbers=numbers, table=table, title=part.title)


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
    """Return the characters of a cell."""
    return plain(without_markdown(markdown))
