"""The numbers of a picture: as CSV, which no spreadsheet takes for formulas, and as a table of HTML."""

import pandas as pd

BEGINS_A_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
"""Signs with which a formula of a spreadsheet begins; some know the wide ones too."""

MARKED = "utf-8-sig"
"""UTF-8 with a mark at the beginning, without which Excel reads it as something else."""

MOST_ROWS = 2000
"""Rows that a page shows: a file of CSV has all."""


def csv(table: pd.DataFrame) -> bytes:
    """Return a table with its index, if that has a name; numbers in full."""
    flat = _flat(table)
    harmless = flat.astype(object).map(_harmless)
    written: str = harmless.to_csv(
        header=list(map(_harmless, flat.columns)), index=False, lineterminator="\r\n"
    )
    return written.encode(MARKED)


def html(table: pd.DataFrame) -> str:
    """Return the same for a page, with six digits that count; a page has the first rows of a long one."""
    flat = _flat(table)
    first = flat.head(MOST_ROWS).astype(object).map(_spelt)
    written: str = first.to_html(index=False, border=0, justify="left")
    if len(flat) <= MOST_ROWS:
        return written
    return (
        f"{written}<p>The first {MOST_ROWS:,} of {len(flat):,} rows; the numbers as CSV have all of them.</p>"
    )


def _flat(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose index is a column, if it has a name, and whose columns have one name each."""
    has_index = any(name is not None for name in table.index.names)
    flat = table.reset_index(allow_duplicates=True) if has_index else table.copy()
    flat.columns = pd.Index(
        [" ".join(map(str, one)).strip() if isinstance(one, tuple) else one for one in flat.columns]
    )
    return flat


def _harmless(cell: object) -> object:
    """Return a text that no spreadsheet reckons with; anything else as it is."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(BEGINS_A_FORMULA) else cell


def _spelt(cell: object) -> str:
    if cell is None or cell is pd.NA or cell != cell:
        return ""
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
