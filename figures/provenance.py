"""Provenance of a figure: the metadata of its file, and the file's name."""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tomllib import loads
from urllib.parse import quote

LONGEST_NAME = 80
"""Characters of a file's name without its ending."""

FIRST_WORDS = 4
"""Number of words of a sentence in its file's name."""

URL_SIGNS = "/?&=%+~-_.,:;!*'()"
"""Characters that a link keeps unquoted in an address."""

DASHES = re.compile("[\u2010-\u2015\u2212]")
"""Signs that become a hyphen; they would be dropped with all that ASCII lacks."""

NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


def provenance(*, title: str, description: str, link: str = "", **more: object) -> Mapping[str, str]:
    """Return the metadata of a file as text by names, without empty values and None.

    The `link` is whole if a server is known, else a path of the app; a picture of a notebook has none. In
    `more`, `weights` names the model and `checkpoint` is the SHA-256 of its file, if there is only one;
    `call` has the lines of Python that made the picture in a notebook. Without a `seed` nothing is drawn at
    random. A `moment` describes a training or a measurement, which is made anew when the link is opened.
    Without one the link shows the same numbers.
    """
    said = {"title": title, "description": description, "link": link, "version": version(), **more}
    return {name: str(value) for name, value in said.items() if value not in (None, "")}


@cache
def version() -> str:
    """Return the version of the app."""
    project = Path(__file__).parents[1] / "pyproject.toml"
    return str(loads(project.read_text("utf-8"))["project"]["version"])


def address(link: str, origin: str = "") -> str:
    """Return a link as a browser accepts it, with its server if that is known."""
    return origin + quote(link, safe=URL_SIGNS)


def file_name(*said: str, sentence: str = "") -> str:
    """Return a file's name without its ending: page, view and the like, and the first words of a sentence.

    It has only letters without marks, digits and hyphens: no system takes it for a path or an option.
    """
    words = " ".join(sentence.split()[:FIRST_WORDS])
    parts = [_slug(part) for part in (*said, words)]
    return "-".join(filter(None, parts))[:LONGEST_NAME].strip("-") or "figure"


def _slug(text: str) -> str:
    text = DASHES.sub("-", text)
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return NOT_IN_NAMES.sub("-", plain).strip("-")
