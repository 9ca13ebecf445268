"""A table of numbers as HTML."""

from collections.abc import Iterator
from html import escape

import pandas as pd

MOST_ROWS = 2000
"""Rows that a page shows: a file of CSV has all."""


def rows(table: pd.DataFrame) -> str:
    """The table with its index, where that has a name; what is too long for a page is cut, and says so."""
    has_index = any(name is not None for name in table.index.names)
    flat = table.reset_index(allow_duplicates=True) if has_index else table
    return f"<table>{''.join(_lines(flat.head(MOST_ROWS)))}</table>{_cut(len(flat))}"


def _lines(table: pd.DataFrame) -> Iterator[str]:
    heads = "".join(f"<th scope='col'>{escape(_spelt(name))}</th>" for name in table.columns)
    yield f"<thead><tr>{heads}</tr></thead><tbody>"
    for row in table.itertuples(index=False, name=None):
        yield f"<tr>{''.join(map(_cell, row))}</tr>"
    yield "</tbody>"


def _cut(n_rows: int) -> str:
    if n_rows <= MOST_ROWS:
        return ""
    return f"<p>The first {MOST_ROWS:,} of {n_rows:,} rows; the numbers as CSV have all of them.</p>"


def _cell(value: object) -> str:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"<td class='number'>{_spelt(value)}</td>" if is_number else f"<td>{escape(_spelt(value))}</td>"


def _spelt(value: object) -> str:
    """A number with six digits that count; what is not there is not written."""
    if isinstance(value, tuple):
        return " ".join(map(str, value)).strip()
    if value is None or value is pd.NA or value != value:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
