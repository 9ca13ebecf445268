"""Small pictures of the views, drawn by `make figures`."""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

GALLERY = Path(__file__).parents[2] / "assets" / "gallery"
GALLERY_ADDRESS = "/gallery/"


def file_of(folder: str, view: str, theme: str) -> Path:
    """Return the file of the picture of a view of the page in `folder`, whether or not it exists."""
    name = re.sub("[^a-z0-9]+", "-", f"{folder} {view} {theme}".lower())
    return GALLERY / f"{name}.webp"


@cache
def address_of(folder: str, view: str, theme: str) -> str:
    """Return the address of a picture, a new one for every version; empty if there is none."""
    file = file_of(folder, view, theme)
    if not file.exists():
        return ""
    return f"{GALLERY_ADDRESS}{file.name}?{sha256(file.read_bytes()).hexdigest()[:8]}"
