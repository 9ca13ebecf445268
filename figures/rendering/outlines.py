"""The letters of an SVG as outlines, for programs that ignore the typeface that it carries.

PowerPoint is one: it would set every word in a typeface of its own, wider than its place.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from math import radians
from typing import Any
from xml.etree import ElementTree

from fontTools.misc.transform import Transform
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

from figures.rendering import fonts
from figures.rendering.frame import SVG

LEANS = 0.25
"""How far upright letters lean as italic ones, as browsers draw them where a typeface has none: a quarter."""

KEPT = ("transform", "opacity", "clip-path")
"""Attributes of a text that its outlines take over."""

Piece = Mapping[str, Any]
"""A piece of a text of one style, as `letters.js` tells it: its letters, their places, size, weight, fill."""


def outlined(svg: str, texts: Sequence[Sequence[Piece] | None]) -> str:
    """The SVG with its texts as outlines; each has the words as its label.

    A text that has a letter outside the typeface stays one, and so does one whose pieces are None.
    """
    root = ElementTree.fromstring(svg)
    found = list(root.iter(f"{{{SVG}}}text"))
    assert len(found) == len(texts), "they were told of this very SVG"
    for text, pieces in zip(found, texts, strict=True):
        if pieces is not None and all(_has_outlines(piece["text"]) for piece in pieces):
            _redraw(text, pieces)
    if not any(True for _ in root.iter(f"{{{SVG}}}text")):
        _without_typeface(root)
    return ElementTree.tostring(root, encoding="unicode")


def _redraw(text: ElementTree.Element, pieces: Sequence[Piece]) -> None:
    """Put paths in the place of a text."""
    kept = {name: value for name in KEPT if (value := text.get(name)) is not None}
    style = [one for one in text.get("style", "").split(";") if one.split(":")[0].strip() in KEPT]
    words = "".join(piece["text"] for piece in pieces)
    text.clear()
    text.tag = f"{{{SVG}}}g"
    text.attrib |= kept | ({"style": ";".join(style)} if style else {}) | {"aria-label": words}
    for piece in pieces:
        path = _path(piece)
        if path:
            drawn = ElementTree.SubElement(text, f"{{{SVG}}}path", {"d": path, "fill": piece["fill"]})
            if piece["opacity"] != 1:
                drawn.set("fill-opacity", f"{piece['opacity']:g}")


def _path(piece: Piece) -> str:
    """The outlines of all letters of a piece."""
    weight = min(max(piece["weight"], fonts.LIGHTEST), fonts.HEAVIEST)
    pen = SVGPathPen(None, ntos=lambda number: f"{number:.2f}".rstrip("0").rstrip("."))
    scale = piece["size"] / _typeface().units_per_em
    for letter, (x, y, turned) in zip(piece["text"], piece["places"], strict=True):
        place = Transform().translate(x, y).rotate(radians(turned)).scale(scale, -scale)
        if piece["italic"]:
            place = place.transform((1, 0, LEANS, 1, 0, 0))
        _typeface().outline(letter, weight).replay(TransformPen(pen, place))
    commands: str = pen.getCommands()
    return commands


class _Typeface:
    """The outlines of the typeface, in its own units, upwards."""

    def __init__(self) -> None:
        font = TTFont(fonts.path())
        self._font, self._names = font, font.getBestCmap()
        self.units_per_em: int = font["head"].unitsPerEm
        self._sets: dict[float, Any] = {}
        self._drawn: dict[tuple[str, float], DecomposingRecordingPen] = {}

    def has(self, letter: str) -> bool:
        """Whether it has the letter."""
        return ord(letter) in self._names

    def outline(self, letter: str, weight: float) -> DecomposingRecordingPen:
        """A pen that has drawn the letter; nothing where the letter is not seen."""
        key = letter, weight
        if key not in self._drawn:
            glyphs = self._sets.setdefault(weight, self._font.getGlyphSet(location={"wght": weight}))
            self._drawn[key] = pen = DecomposingRecordingPen(glyphs)
            if not _is_unseen(letter):
                glyphs[self._names[ord(letter)]].draw(pen)
        return self._drawn[key]


@cache
def _typeface() -> _Typeface:
    return _Typeface()


def _has_outlines(text: str) -> bool:
    """Whether each letter stands for itself: one that joins the letter before it has no place of its own."""
    return all(
        _is_unseen(letter) or (_typeface().has(letter) and not unicodedata.combining(letter))
        for letter in text
    )


def _is_unseen(letter: str) -> bool:
    return letter.isspace() or unicodedata.category(letter) in ("Cf", "Cc")


def _without_typeface(root: ElementTree.Element) -> None:
    for style in root.findall(f"{{{SVG}}}style"):
        root.remove(style)
