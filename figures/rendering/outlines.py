"""Letters of an SVG as outlines, for programs that ignore the typeface inside the file.

PowerPoint, Inkscape, LibreOffice and librsvg replace the typeface with a wider one.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
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
"""Slant of italic letters: a browser leans the upright ones by a quarter, as the typeface has no others."""

KEPT = ("transform", "opacity", "clip-path")
"""Attributes of a text that its outlines keep."""

FROM_THE_RIGHT = frozenset({"R", "AL"})
"""Directions of Unicode in which a letter is not placed by its left edge."""

Piece = Mapping[str, Any]
"""A piece of a text in one style from `letters.js`: letters, their places, size, weight, fill."""


Letter = tuple[str, tuple[float, float, float]]
"""A letter with the marks above it, and its place: x, y and degrees."""


def outlined(svg: str, texts: Sequence[Sequence[Piece] | None]) -> str:
    """Return the SVG with its texts as outlines; each has its words as its label.

    Letters that the typeface lacks stay text, each run in its place. A text stays text if its pieces are
    None or if it is written from the right.
    """
    root = ElementTree.fromstring(svg)
    found = list(root.iter(f"{{{SVG}}}text"))
    assert len(found) == len(texts), "the pieces are of the same SVG"
    for text, pieces in zip(found, texts, strict=True):
        if pieces is not None and not any(_is_from_the_right(piece["text"]) for piece in pieces):
            _redraw(text, pieces)
    if next(root.iter(f"{{{SVG}}}text"), None) is None:
        for style in root.findall(f"{{{SVG}}}style"):
            root.remove(style)
    return ElementTree.tostring(root, encoding="unicode")


def _redraw(text: ElementTree.Element, pieces: Sequence[Piece]) -> None:
    kept = {name: value for name in KEPT if (value := text.get(name)) is not None}
    style = [one for one in text.get("style", "").split(";") if one.split(":")[0].strip() in KEPT]
    words = "".join(piece["text"] for piece in pieces)
    text.clear()
    text.tag = f"{{{SVG}}}g"
    text.attrib |= kept | ({"style": ";".join(style)} if style else {}) | {"aria-label": words}
    for piece in pieces:
        look = {"fill": piece["fill"]} | (
            {} if piece["opacity"] == 1 else {"fill-opacity": f"{piece['opacity']:g}"}
        )
        for has_outlines, run in groupby(_letters(piece), lambda letter: _has_outlines(letter[0])):
            if not has_outlines:
                _keep(text, list(run), piece, look)
            elif path := _path(run, piece):
                for one in (piece["halo"] and {"fill": "none", **piece["halo"]}, look):
                    if one:  # a halo lies below its letters
                        ElementTree.SubElement(text, f"{{{SVG}}}path", {"d": path, **one})


def _letters(piece: Piece) -> list[Letter]:
    letters: list[Letter] = []
    for sign, place in zip(piece["text"], piece["places"], strict=True):
        if letters and unicodedata.combining(sign):
            before, stood = letters[-1]
            letters[-1] = before + sign, stood
        else:
            letters.append((sign, place))
    return letters


def _keep(parent: ElementTree.Element, run: Sequence[Letter], piece: Piece, look: Mapping[str, str]) -> None:
    x, y, turned = run[0][1]
    place = {"transform": f"translate({x:.2f} {y:.2f}) rotate({turned:g})", "text-anchor": "start"}
    letters = {f"font-{name}": f"{piece[name]:g}" for name in ("size", "weight")}
    kept = ElementTree.SubElement(parent, f"{{{SVG}}}text", {**place, **letters, **look})
    kept.text = "".join(letter for letter, _ in run)


def _path(run: Any, piece: Piece) -> str:
    weight = min(max(piece["weight"], fonts.LIGHTEST), fonts.HEAVIEST)
    pen = SVGPathPen(None, ntos=lambda number: f"{number:.2f}".rstrip("0").rstrip("."))
    scale = piece["size"] / _font()["head"].unitsPerEm
    for letter, (x, y, turned) in run:
        place = Transform().translate(x, y).rotate(radians(turned)).scale(scale, -scale)
        if piece["italic"]:
            place = place.transform((1, 0, LEANS, 1, 0, 0))
        _outline(letter, weight).replay(TransformPen(pen, place))
    commands: str = pen.getCommands()
    return commands


@cache
def _font() -> TTFont:
    return TTFont(fonts.path())


@lru_cache(maxsize=2048)
def _outline(letter: str, weight: float) -> DecomposingRecordingPen:
    """Return a pen that has drawn the letter upwards; it is empty for an invisible letter."""
    glyphs = _font().getGlyphSet(location={"wght": weight})
    pen = DecomposingRecordingPen(glyphs)
    if not _is_unseen(letter):
        glyphs[_font().getBestCmap()[ord(letter)]].draw(pen)
    return pen


def _has_outlines(letter: str) -> bool:
    """Return whether the typeface has the letter; the browser draws letters with a mark above."""
    return _is_unseen(letter) or letter in fonts.supported_characters()


def _is_unseen(letter: str) -> bool:
    return letter.isspace() or unicodedata.category(letter[0]) in ("Cf", "Cc")


def _is_from_the_right(text: str) -> bool:
    return any(unicodedata.bidirectional(sign) in FROM_THE_RIGHT for sign in text)
