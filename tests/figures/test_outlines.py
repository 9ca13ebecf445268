"""Letters as outlines."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from figures.rendering.frame import SVG
from figures.rendering.outlines import outlined

PLACES = {
    "text": "",
    "size": 100.0,
    "weight": 400.0,
    "italic": False,
    "fill": "rgb(1, 2, 3)",
    "opacity": 1,
}


def piece(text: str, *places: tuple[float, float, float], **look: Any) -> dict[str, Any]:
    return {**PLACES, "text": text, "places": list(places), **look}


def drawn(*pieces: dict[str, Any], inside: str = "") -> ElementTree.Element:
    svg = f"<svg xmlns='{SVG}'><style>@font-face{{}}</style><text {inside}>told</text></svg>"
    return ElementTree.fromstring(outlined(svg, [list(pieces)]))


def box(root: ElementTree.Element) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the ends of all lines of a path."""
    (path,) = root.iter(f"{{{SVG}}}path")
    x = y = 0.0
    places: list[tuple[float, float]] = []
    for command, said in re.findall("([A-Z])([^A-Z]*)", path.get("d", "")):
        numbers = [float(one) for one in re.findall(r"-?[\d.]+", said)]
        if command == "H":
            x = numbers[-1]
        elif command == "V":
            y = numbers[-1]
        elif numbers:
            *before, x, y = numbers
            places += zip(before[::2], before[1::2], strict=True)
        places.append((x, y))
    across, upwards = zip(*places, strict=True)
    return min(across), min(upwards), max(across), max(upwards)


def test_a_letter_stands_on_its_line_where_the_browser_had_it() -> None:
    left, top, right, bottom = box(drawn(piece("H", (200, 300, 0))))

    assert 205 < left < 215
    assert 250 < right < 262
    assert bottom == pytest.approx(300, abs=0.5)
    assert 230 < top < 238, "a capital is two thirds of its type high"


@pytest.mark.parametrize("text", ["日", "e\u0301", "א", "😀"[:1]])
def test_what_the_typeface_has_no_letter_of_stays_a_text(text: str) -> None:
    root = drawn(piece(text, *[(0.0, 0.0, 0.0)] * len(text)))

    (kept,) = root.iter(f"{{{SVG}}}text")

    assert kept.text == "told"
    assert list(root.iter(f"{{{SVG}}}path")) == []
    assert len(list(root.iter(f"{{{SVG}}}style"))) == 1
