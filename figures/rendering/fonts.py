"""The typeface of figures: the width of lines in it, and the part of it inside a file.

It is the Source Sans of Streamlit, under the SIL Open Font License, which allows documents to embed it.
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
"""Weights of the typeface."""

WEIGHTS = {
    REGULAR: re.compile(""),
    BOLD: re.compile(r"font-weight(:\s*|=\")600"),
    700: re.compile(r"font-weight(:\s*|=\")(700|bold)"),
}
"""Weights in figures, and a pattern that finds each in an SVG."""

FEATURES = (b"kern", b"mark", b"mkmk", b"ccmp", b"locl")
"""Features of OpenType that a browser uses in a line; digits have one width without any."""

ITEMS = re.compile(" · (?![^“]*”)")
"""The dot between two items of a line, outside a quoted sentence."""

NUMBER = re.compile(r"\(?[0-9][0-9.,]*(?<![.,])")
"""A number, which a unit may follow."""

WITHOUT_UNIT = frozenset({"of", "and", "or", "to"})
"""Words behind a number that are not units."""

COUNTED = re.compile(r"(?:layer|head|word|step|seed) [0-9]+\b\S*")
"""A word and its number, such as `head 3`."""

UNSEEN = frozenset({"Cc", "Cf", "Cs", "Mn", "Mc", "Me", "Zs", "Zl", "Zp"})
"""Categories of Unicode whose characters are not drawn alone: controls, marks, spaces."""

MEASURED_AT = 64
"""Pixels of the type in which lines are measured."""


@cache
def path() -> Path:
    """Return the file of the typeface: upright, in all weights."""
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
    """Return the width of a line in pixels, in type of `size` pixels."""
    return _measure(weight).getlength(text) * size / MEASURED_AT


def broken(text: str, at_most: float, size: float, *, weight: int = REGULAR) -> tuple[str, ...]:
    """Break a text into lines between words; a wider word is broken, a number stays with its unit."""
    lines: list[str] = []
    line = ""
    for word in _unbroken(text, at_most, size, weight):
        longer = f"{line} {word}".strip()
        if width(longer, size, weight=weight) <= at_most:
            line = longer
            continue
        if line:
            lines.append(line)
        *whole, line = _cut(word, at_most, size, weight)
        lines += whole
    return tuple([*lines, line] if line else lines)


def _unbroken(text: str, at_most: float, size: float, weight: int) -> list[str]:
    """Return the words of a text; a number stays with its unit or its name if both fit into a line."""
    found: list[str] = []
    for word in text.split():
        both = f"{found[-1]} {word}" if found else word
        number = both.split()[-2] if found else ""
        is_unit = NUMBER.fullmatch(number) and word not in WITHOUT_UNIT
        if (is_unit or COUNTED.fullmatch(both)) and width(both, size, weight=weight) <= at_most:
            found[-1] = both
        else:
            found.append(word)
    return found


def balanced(text: str, at_most: float, size: float) -> tuple[str, ...]:
    """Break a bold title into as few lines as `broken` does, but of similar length."""
    lines = broken(text, at_most, size, weight=BOLD)
    narrow, wide = at_most / max(1, len(lines)), at_most
    while wide - narrow > 1:
        middle = (narrow + wide) / 2
        found = broken(text, middle, size, weight=BOLD)
        if len(found) > len(lines):
            narrow = middle
        else:
            lines, wide = found, middle
    return lines


def broken_items(text: str, at_most: float, size: float) -> tuple[str, ...]:
    """Break a line between items, without the dot there; an item wider than a line is broken too."""
    lines: list[str] = []
    for item in ITEMS.split(text):
        longer = f"{lines[-1]} · {item}" if lines else item
        if lines and width(longer, size) <= at_most:
            lines[-1] = longer
        else:
            lines += broken(item, at_most, size)
    return tuple(lines)


def _cut(word: str, at_most: float, size: float, weight: int) -> list[str]:
    """Cut a word into pieces of at most this width, each of at least one character."""
    pieces = [""]
    for character in word:
        if pieces[-1] and width(pieces[-1] + character, size, weight=weight) > at_most:
            pieces.append("")
        pieces[-1] += character
    return pieces


COMMON = frozenset(map(chr, range(0x20, 0x7F))) | frozenset(
    "“”‘’…–—·×÷±−≤≥≈≠∞√∂‖→←↑↓†°αβγδεθλμπσφωΔΣ⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᵀᵏₖᵢⱼₙ₀₁₂₃₄₅₆₇₈₉₋′⋯│━■□▨▲◆○●☐✓\u00a0"
)
"""Characters of the words of the app."""


def rules(svg: str) -> str:
    """Return CSS with the part of the typeface that an SVG needs: its characters, in its weights.

    It always has the common characters, so that most figures share a part, which is cut once.
    """
    characters = COMMON | (supported_characters() & frozenset(svg))
    weights = [weight for weight, said in WEIGHTS.items() if said.search(svg)]
    return "".join(rule(weight, characters) for weight in weights)


@cache
def supported_characters() -> frozenset[str]:
    """Return the characters of the typeface."""
    return frozenset(map(chr, TTFont(BytesIO(_unpacked())).getBestCmap()))


def unsupported_characters(svg: str) -> str:
    """Return the characters that the typeface lacks, each once, without those that are not drawn alone."""
    others = frozenset(svg) - supported_characters() - COMMON
    return "".join(sorted(one for one in others if unicodedata.category(one) not in UNSEEN))


@lru_cache(maxsize=64)
def rule(weight: int, characters: frozenset[str]) -> str:
    """Return CSS with the typeface in one weight, with these characters.

    A PDF would contain a typeface of variable weight as drawings (Type 3), which publishers refuse.
    """
    # HarfBuzz cuts in a twentieth of the time of fontTools, which only packs here.
    wanted, whole = uharfbuzz.SubsetInput(), uharfbuzz.Face(_unpacked())
    wanted.unicode_set.update(map(ord, characters))
    wanted.layout_feature_tag_set.clear()
    wanted.layout_feature_tag_set.update(int.from_bytes(tag, "big") for tag in FEATURES)
    wanted.flags = uharfbuzz.SubsetFlags.NOTDEF_OUTLINE
    wanted.pin_axis_location(whole, "wght", weight)
    return _face(_packed(uharfbuzz.subset(whole, wanted).blob.data, "woff2"), str(weight))


@cache
def whole() -> str:
    """Return CSS with the whole typeface in all weights, for the page that draws figures."""
    return _face(path().read_bytes(), "200 900")


def _face(woff2: bytes, weight: str) -> str:
    data = b64encode(woff2).decode("ascii")
    source = f"url(data:font/woff2;base64,{data}) format('woff2')"
    return f"@font-face{{font-family:'{FAMILY}';font-weight:{weight};src:{source}}}"


@cache
def _unpacked() -> bytes:
    """Return the typeface as OpenType; cached, because unpacking takes longest."""
    return _packed(path().read_bytes(), None)


def _packed(font: bytes, flavor: str | None) -> bytes:
    """Return a font file in another flavor: `woff2`, or None for plain OpenType."""
    read = TTFont(BytesIO(font), recalcTimestamp=False)
    read.flavor = flavor
    kept = BytesIO()
    read.save(kept)
    return kept.getvalue()
