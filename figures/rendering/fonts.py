"""The typeface of figures: how wide a line is set in it, and the part of it that a file takes along.

It is the Source Sans that Streamlit brings, under the SIL Open Font License, which lets documents embed it.
"""

from base64 import b64encode
from functools import cache, lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from PIL import ImageFont

FAMILY = "Source Sans"
REGULAR, BOLD = 400, 600
LIGHTEST, HEAVIEST = 200, 900
"""The weights that the typeface has."""

MEASURED_AT = 64
"""Pixels of type at which lines are measured."""


@cache
def path() -> Path:
    """The file of the typeface: upright, in all weights."""
    streamlit = find_spec("streamlit")
    assert streamlit is not None, "requirements.txt has Streamlit"
    assert streamlit.origin is not None, "Streamlit is a package of files"
    folder = Path(streamlit.origin).parent / "static" / "static" / "media"
    return next(folder.glob("SourceSansVF-Upright.*.woff2"))


@cache
def _measure(weight: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.truetype(path(), MEASURED_AT)
    font.set_variation_by_axes([weight])
    return font


def width(text: str, size: float, *, weight: int = REGULAR) -> float:
    """Pixels that a line takes in a type of this size."""
    return _measure(weight).getlength(text) * size / MEASURED_AT


def broken(text: str, at_most: float, size: float, *, weight: int = REGULAR) -> tuple[str, ...]:
    """The lines into which a text is broken between words, and inside those that no line has room for."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if width(longer, size, weight=weight) <= at_most:
            line = longer
            continue
        if line:
            lines.append(line)
        *whole, line = _cut(word, at_most, size, weight)
        lines += whole
    return tuple([*lines, line] if line else lines)


def _cut(word: str, at_most: float, size: float, weight: int) -> list[str]:
    """A word in pieces of this width; each has one character at least."""
    pieces = [""]
    for character in word:
        if pieces[-1] and width(pieces[-1] + character, size, weight=weight) > at_most:
            pieces.append("")
        pieces[-1] += character
    return pieces


@lru_cache(maxsize=64)
def embedded(characters: frozenset[str]) -> str:
    """The part of the typeface that has these characters, all its weights, as a CSS rule that carries it."""
    font = TTFont(path())
    options = Options()
    options.flavor = "woff2"
    options.layout_features = ["kern", "mark", "mkmk", "ccmp", "locl", "tnum"]
    options.notdef_outline = True
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=sorted(map(ord, characters)))
    subsetter.subset(font)
    font.flavor = "woff2"
    kept = BytesIO()
    font.save(kept)
    data = b64encode(kept.getvalue()).decode("ascii")
    source = f"url(data:font/woff2;base64,{data}) format('woff2')"
    return f"@font-face{{font-family:'{FAMILY}';font-weight:200 900;src:{source}}}"


@cache
def whole() -> str:
    """The whole typeface as such a rule, for the page that draws."""
    data = b64encode(path().read_bytes()).decode("ascii")
    source = f"url(data:font/woff2;base64,{data}) format('woff2')"
    return f"@font-face{{font-family:'{FAMILY}';font-weight:200 900;src:{source}}}"
