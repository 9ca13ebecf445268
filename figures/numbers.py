"""The numbers of a picture as CSV, which a spreadsheet opens and takes nothing of for a formula."""

import pandas as pd

BEGINS_A_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
"""What a spreadsheet takes a text for a formula by, if it begins so; some know the wide signs too."""

MARKED = "utf-8-sig"
"""UTF-8 with a mark at the beginning, without which Excel reads it as something else."""


def csv(table: pd.DataFrame) -> bytes:
    """A table with its index, where that has a name; numbers in full."""
    has_index = any(name is not None for name in table.index.names)
    flat = table.reset_index(allow_duplicates=True) if has_index else table
    harmless = flat.astype(object).map(_harmless)
    heads = [
        _harmless(" ".join(map(str, name)) if isinstance(name, tuple) else name) for name in flat.columns
    ]
    written: str = harmless.to_csv(header=heads, index=False, lineterminator="\r\n")
    return written.encode(MARKED)


def _harmless(cell: object) -> object:
    """A text that no spreadsheet reckons with; anything else as it is."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(BEGINS_A_FORMULA) else cell
