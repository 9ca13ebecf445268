"""Sections of pages in docs/, each written by a command."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"


def section(page: str, title: str) -> str:
    """Return a section of a page with its title; empty if the page has none of this title."""
    found = _find(page, title)
    return found[0].strip() if found else ""


def with_section(page: str, text: str) -> str:
    """Return the page with a section in place of one with the same title, or at its end.

    Raises ValueError for a text that does not begin with a title of the second level.
    """
    title = text.strip().partition("\n")[0]
    if not title.startswith("## "):
        raise ValueError(f"a section must begin with ## and its title, got {title!r}")
    found = _find(page, title)
    if found is None:
        return f"{page.rstrip()}\n\n{text.strip()}\n".lstrip()
    after = page[found.end() :]
    return f"{page[: found.start()]}{text.strip()}\n" + (f"\n{after}" if after else "")


def _find(page: str, title: str) -> re.Match[str] | None:
    return re.search(rf"^{re.escape(title)}$.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
