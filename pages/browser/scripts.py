"""Scripts shared by several features of the browser, and addresses of figures' files."""

from pathlib import Path
from urllib.parse import urlencode

from pages.path.stops import NOTES

_HERE = Path(__file__).parent

_COLLECT, _SAVING = _HERE / "collect", _HERE / "saving"

KEPT = _COLLECT / "kept_lecture.js"
PICTURES = _COLLECT / "kept_pictures.js"
LINK_HERE = _COLLECT / "link_here.js"
AT_REST = _HERE.parent / "lecture" / "at_rest.js"
FILES = _SAVING / "files.js"
PAPER = _SAVING / "paper.js"

SMALL_PICTURES = (_COLLECT / "snapshot.js", PICTURES, AT_REST, _COLLECT / "draw_later.js")
"""The scripts that show a small picture of a link, in the order of their use."""

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
