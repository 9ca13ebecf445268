"""A table of sentences and links."""

from collections.abc import Sequence

from pages.contract.sheet import TextTable


def table(key: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> TextTable:
    """Rows of Markdown below a head; what somebody else has written in them is escaped already."""
    lines = [head, [":--" for _ in head], *rows]
    return TextTable(key, "\n".join(f"| {' | '.join(line)} |" for line in lines))
