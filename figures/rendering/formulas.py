"""Formulas on paper: the KaTeX that comes with Streamlit, its style and its typefaces.

KaTeX is under the MIT licence, its typefaces under the SIL Open Font License, which allows documents to embed
them. A page of the app sets its formulas with the same style and typefaces.
"""

import re
from base64 import b64encode
from functools import cache
from pathlib import Path

from figures.rendering import fonts

FACE = re.compile(r"@font-face\{[^{}]*font-family:KaTeX_[^{}]*\}")
RULE = re.compile(r"[^{}]*\.katex[^{}]*\{[^{}]*\}")
"""A rule for formulas or their typefaces in the minified styles of Streamlit."""

CLASSES = re.compile(r'class="([^"]*)"')
PREFIX = "katex-"

TYPEFACE = re.compile(r"url\(\.\./media/([^()]+\.woff2)\)")


@cache
def script() -> str:
    """Return KaTeX, a module whose default export sets formulas."""
    return _file("js", "katex.*.js").read_text("utf-8")


@cache
def style() -> str:
    """Return the rules of formulas, with their typefaces inside."""
    all_rules = _file("css", "index.*.css").read_text("utf-8")
    faces = "".join(FACE.findall(all_rules))
    return TYPEFACE.sub(_embedded, faces) + "".join(RULE.findall(FACE.sub("", all_rules)))


def styled(html: str) -> str:
    """Return a formula with the class names of the style sheet.

    Streamlit (1.67) brings two versions of KaTeX. The module that loads alone begins some class
    names with `katex-`; the style sheet belongs to the other version.
    """
    return CLASSES.sub(lambda found: f'class="{" ".join(map(_known, found[1].split()))}"', html)


def _known(name: str) -> str:
    """Return the name of a class in the style sheet."""
    short = name.removeprefix(PREFIX)
    return short if name not in _named() and short in _named() else name


@cache
def _named() -> frozenset[str]:
    return frozenset(re.findall(r"\.([a-zA-Z][\w-]*)", FACE.sub("", style())))


def _embedded(found: re.Match[str]) -> str:
    content = (_folder() / "media" / found[1]).read_bytes()
    return f"url(data:font/woff2;base64,{b64encode(content).decode('ascii')})"


def _file(folder: str, pattern: str) -> Path:
    found = next((_folder() / folder).glob(pattern), None)
    assert found is not None, f"this version of Streamlit has no {pattern}"
    return found


def _folder() -> Path:
    return fonts.path().parents[1]
