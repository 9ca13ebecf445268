"""The typeface of figures: how wide a line is set in it, and the part of it that a file takes along.

It is the Source Sans that Streamlit brings, under the SIL Open Font License, which lets documents embed it.
"""

import re
import unicodedata
from base64 import b64encode
from functools import cache, lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

import uharfbuzz
from fontTools.ttLib import TTFont
from PIL import ImageFont

FAMILY = "Source Sans"
STACK = "'Source Sans', 'Source Sans 3', 'Source Sans Pro', Arial, sans-serif"
REGULAR, BOLD = 400, 600
LIGHTEST, HEAVIEST = 200, 900
"""The weights that the typeface has."""

WEIGHTS = {
    REGULAR: re.compile(""),
    BOLD: re.compile(r"font-weight(:\s*|=\")600"),
    700: re.compile(r"font-weight(:\s*|=\")(700|bold)"),
}
"""The weights that figures have, and how an SVG says that it has them."""

FEATURES = (b"kern", b"mark", b"mkmk", b"ccmp", b"locl")
"""The features of OpenType that a browser uses in a line; the digits are of one width without any."""

ITEMS = re.compile(" · (?![^“]*”)")
"""What stands between the items of a line, and not inside of a sentence that is quoted."""

UNSEEN = frozenset({"Cc", "Cf", "Cs", "Mn", "Mc", "Me", "Zs", "Zl", "Zp"})
"""Categories of Unicode whose characters have no shape of their own: controls, marks, spaces."""

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


def balanced(text: str, at_most: float, size: float, *, weight: int = REGULAR) -> tuple[str, ...]:
    """The lines of a text that is broken, as equally long as their number allows: no word is left alone."""
    lines = broken(text, at_most, size, weight=weight)
    narrow, wide = at_most / max(1, len(lines)), at_most
    while wide - narrow > 1:
        middle = (narrow + wide) / 2
        found = broken(text, middle, size, weight=weight)
        if len(found) > len(lines):
            narrow = middle
        else:
            lines, wide = found, middle
    return lines


def broken_items(text: str, at_most: float, size: float) -> tuple[str, ...]:
    """The lines into which items with dots between them are broken: between two, where the dot is left out.

    Only an item that no line has room for is broken between words.
    """
    lines: list[str] = []
    for item in ITEMS.split(text):
        longer = f"{lines[-1]} · {item}" if lines else item
        if lines and width(longer, size) <= at_most:
            lines[-1] = longer
        else:
            lines += broken(item, at_most, size)
    return tuple(lines)


def _cut(word: str, at_most: float, size: float, weight: int) -> list[str]:
    """A word in pieces of this width; each has one character at least."""
    pieces = [""]
    for character in word:
        if pieces[-1] and width(pieces[-1] + character, size, weight=weight) > at_most:
            pieces.append("")
        pieces[-1] += character
    return pieces


COMMON = frozenset(map(chr, range(0x20, 0x7F))) | frozenset(
    "“”‘’…–—·×÷±−≤≥≈≠∞√∂‖→←↑↓†°αβγδεθλμπσφωΔΣ⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᵀᵏₖᵢⱼₙ₀₁₂₃₄₅₆₇₈₉₋′⋯│━■□▨▲◆○●☐✓\u00a0"
)
"""What the words of the app itself are written in."""


def rules(svg: str) -> str:
    """CSS that carries the part of the typeface which an SVG is set in: its characters, in its weights.

    What is common is always among them: most figures share their part, which is cut once.
    What the typeface has not is left to others, and makes no part of its own.
    """
    characters = COMMON | (held() & frozenset(svg))
    weights = [weight for weight, said in WEIGHTS.items() if said.search(svg)]
    return "".join(rule(weight, characters) for weight in weights)


@cache
def held() -> frozenset[str]:
    """The characters that the typeface has."""
    return frozenset(map(chr, TTFont(BytesIO(_unpacked())).getBestCmap()))


def foreign(svg: str) -> str:
    """Return the characters of a text that the typeface has not, each once: other fonts have to draw them.

    Left out are marks, spaces and signs that nobody sees: they have no shape of their own.
    """
    others = frozenset(svg) - held() - COMMON
    return "".join(sorted(one for one in others if unicodedata.category(one) not in UNSEEN))


@lru_cache(maxsize=64)
def rule(weight: int, characters: frozenset[str]) -> str:
    """CSS that carries the typeface in one weight, with these characters.

    The weight is cut out of the typeface that has all of them: a PDF would hold such a one as drawings
    (Type 3), which publishers refuse.
    """
    # HarfBuzz takes a twentieth of the time that fontTools does, whose part is to pack what is left.
    wanted, whole = uharfbuzz.SubsetInput(), uharfbuzz.Face(_unpacked())
    wanted.unicode_set.update(map(ord, characters))
    wanted.layout_feature_tag_set.clear()
    wanted.layout_feature_tag_set.update(int.from_bytes(tag, "big") for tag in FEATURES)
    wanted.flags = uharfbuzz.SubsetFlags.NOTDEF_OUTLINE
    wanted.pin_axis_location(whole, "wght", weight)
    return _face(_packed(uharfbuzz.subset(whole, wanted).blob.data, "woff2"), str(weight))


@cache
def whole() -> str:
    """The whole typeface in all its weights as such a rule, for the page that draws."""
    return _face(path().read_bytes(), "200 900")


def _face(woff2: bytes, weight: str) -> str:
    data = b64encode(woff2).decode("ascii")
    source = f"url(data:font/woff2;base64,{data}) format('woff2')"
    return f"@font-face{{font-family:'{FAMILY}';font-weight:{weight};src:{source}}}"


@cache
def _unpacked() -> bytes:
    """The typeface as OpenType: to unpack it takes longer than all else."""
    return _packed(path().read_bytes(), None)


def _packed(font: bytes, flavor: str | None) -> bytes:
    """A font file in another flavor: `woff2`, or None for plain OpenType."""
    read = TTFont(BytesIO(font))
    read.flavor = flavor
    kept = BytesIO()
    read.save(kept)
    return kept.getvalue()
