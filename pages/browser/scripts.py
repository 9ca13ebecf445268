"""Scripts shared by several features of the browser, and addresses of figures' files."""

from pathlib import Path
from urllib.parse import urlencode

from pages.path.stops import NOTES

_HERE = Path(__file__).parent

KEPT = _HERE / "collect" / "kept_lecture.js"
"""Reads and keeps the visitor's own lecture."""

SNAPSHOT = _HERE / "collect" / "snapshot.js"
"""Takes a page as one picture."""

PICTURES = _HERE / "collect" / "kept_pictures.js"
"""Keeps small pictures of links in the browser."""

AT_REST = _HERE.parent / "lecture" / "at_rest.js"
"""Reports when the page in a frame is drawn."""

DRAW_LATER = _HERE / "collect" / "draw_later.js"
"""Draws small pictures of links that the browser has not seen yet."""

SMALL_PICTURES = (SNAPSHOT, PICTURES, AT_REST, DRAW_LATER)
"""The scripts that show a small picture of a link, in the order of their use."""

LINK_HERE = _HERE / "collect" / "link_here.js"
"""Returns the link of the present page."""

FILES = _HERE / "saving" / "files.js"
"""Fetches a file."""

PAPER = _HERE / "saving" / "paper.js"
"""Lays out a sheet that is printed in place of the app."""

QUESTIONS = tuple(
    _HERE / "questions" / name for name in ("questions.css", "prose.js", "fields.js", "resolution.js")
)
"""Ask and resolve a question, with their style sheet."""


NOTES_AS_PDF = "Notes as PDF"


def file_address(link: str, kind: str) -> str:
    """Return the address of a file of all that a link shows."""
    return f"/figures/file?{urlencode({'link': link, 'format': kind})}"


def notes_address() -> str:
    """Return the address of the notes of the path, in greys for any printer."""
    return f"{file_address('/', 'pdf')}&{urlencode({'key': NOTES, 'theme': 'grey'})}"
