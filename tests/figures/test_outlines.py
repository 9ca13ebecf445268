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
    "halo": None,
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


def test_a_letter_has_the_browsers_place_on_its_line() -> None:
    left, top, right, bottom = box(drawn(piece("H", (200, 300, 0))))

    assert 205 < left < 215
    assert 250 < right < 262
    assert bottom == pytest.approx(300, abs=0.5)
    assert 230 < top < 238, "a capital is two thirds of its type high"


@pytest.mark.parametrize("foreign", ["日", "日本", "e\u0301", "日\u0301"])
def test_letters_that_the_typeface_lacks_stay_text_and_the_others_are_outlines(foreign: str) -> None:
    text = f"H{foreign}T"
    places = [(10.0 * at, 50.0, 30.0) for at in range(len(text))]

    root = drawn(piece(text, *places, weight=600))

    group = root[-1]
    (kept,) = root.iter(f"{{{SVG}}}text")
    assert group.get("aria-label") == text
    assert kept.text == foreign
    assert kept.get("transform") == "translate(10.00 50.00) rotate(30)"
    assert kept.get("font-size") == "100"
    assert kept.get("font-weight") == "600"
    assert len(list(root.iter(f"{{{SVG}}}path"))) == 2


def test_a_text_from_the_right_stays_whole_and_keeps_the_typeface() -> None:
    root = drawn(piece("a א", *[(0.0, 0.0, 0.0)] * 3))

    (kept,) = root.iter(f"{{{SVG}}}text")

    assert kept.text == "told"
    assert list(root.iter(f"{{{SVG}}}path")) == []
    assert len(list(root.iter(f"{{{SVG}}}style"))) == 1


def test_a_halo_lies_below_its_letters() -> None:
    halo = {"stroke": "rgb(9, 9, 9)", "stroke-width": "5px"}
    below, above = drawn(piece("H", (0, 9, 0), halo=halo)).iter(f"{{{SVG}}}path")
    assert below.get("d") == above.get("d")
    assert (below.get("fill"), below.get("stroke")) == ("none", "rgb(9, 9, 9)")
    assert (above.get("fill"), above.get("stroke")) == ("rgb(1, 2, 3)", None)


def test_without_text_the_typeface_is_left_out() -> None:
    assert list(drawn(piece("H", (0, 9, 0))).iter(f"{{{SVG}}}style")) == []
