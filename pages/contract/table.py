"""A table of sentences and links."""

from collections.abc import Sequence

from pages.contract.sheet import Table


def table(key: str, head: Sequence[str], rows: Sequence[Sequence[str]], *, is_saved: bool = False) -> Table:
    """Return rows of sentences and links below a head; text from outside is already escaped."""
    lines = [head, [":--" for _ in head], *rows]
    return Table(key, "\n".join(f"| {' | '.join(line)} |" for line in lines), is_saved=is_saved)
