"""The numbers of a picture, as CSV without formulas for a spreadsheet and as a table of HTML."""

import pandas as pd

BEGINS_A_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
"""Signs with which a formula of a spreadsheet begins; some spreadsheets accept the wide signs too."""

MARKED = "utf-8-sig"
"""UTF-8 with a byte order mark, without which Excel assumes another encoding."""

MOST_ROWS = 2000
"""Rows that a page shows; a CSV file has all."""


def csv(table: pd.DataFrame) -> bytes:
    """Return a table as CSV, with its index if that has a name; numbers have all their digits."""
    flat = _flat(table)
    harmless = flat.astype(object).map(_harmless)
    written: str = harmless.to_csv(
        header=list(map(_harmless, flat.columns)), index=False, lineterminator="\r\n"
    )
    return written.encode(MARKED)


def html(table: pd.DataFrame) -> str:
    """Return a table as HTML with six significant digits, cut to `MOST_ROWS` rows."""
    flat = _flat(table)
    first = flat.head(MOST_ROWS).astype(object).map(_spelt)
    written: str = first.to_html(index=False, border=0, justify="left")
    if len(flat) <= MOST_ROWS:
        return written
    return f"{written}<p>The first {MOST_ROWS:,} of {len(flat):,} rows; the CSV file has all of them.</p>"


def _flat(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose index is a column, if it has a name, and whose columns have one name each."""
    has_index = any(name is not None for name in table.index.names)
    flat = table.reset_index(allow_duplicates=True) if has_index else table.copy()
    flat.columns = pd.Index(
        [" ".join(map(str, one)).strip() if isinstance(one, tuple) else one for one in flat.columns]
    )
    return flat


def _harmless(cell: object) -> object:
    """Return a text so that no spreadsheet takes it for a formula; anything else as it is."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(BEGINS_A_FORMULA) else cell


def _spelt(cell: object) -> str:
    if cell is None or cell is pd.NA or cell != cell:
        return ""
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
