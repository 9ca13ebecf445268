"""Scripts that more than one feature of the browser is built on, and the address of a file of figures."""

from pathlib import Path
from urllib.parse import urlencode

_HERE = Path(__file__).parent

KEPT = _HERE / "collect" / "kept_lecture.js"
"""Reads and keeps the lecture that somebody collects."""

LINK_HERE = _HERE / "collect" / "link_here.js"
"""Says the link of what is seen."""

FILES = _HERE / "saving" / "files.js"
"""Fetches a file."""


def file_address(link: str, kind: str) -> str:
    """Return the address of a file of all that a link shows."""
    return f"/figures/file?{urlencode({'link': link, 'format': kind})}"
