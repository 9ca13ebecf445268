"""The frame of a figure: its lines, its code, and its provenance."""

from xml.etree import ElementTree

import pytest

from figures.rendering.frame import SVG, above, below, framed, qr_size
from tests.covering import each
from tests.figures.sheets import HOSTILE, frame

DRAWN = f'<svg xmlns="{SVG}" width="200" height="100"><text x="5" y="50">tea</text></svg>'


def sheet(drawn: str = DRAWN, **changes: object) -> ElementTree.Element:
    return ElementTree.fromstring(framed(drawn, (300, 150), frame(**changes), {"link": "/a", "title": "T"}))


def test_the_figure_stands_between_title_and_caption_and_touches_neither() -> None:
    root = sheet()
    texts = {one.text: float(one.get("y", 0)) for one in root.findall(f"{{{SVG}}}text")}
    inner = root.find(f"{{{SVG}}}svg")
    assert inner is not None
    assert float(inner.get("x", 0)) == (400 - 300) / 2, "it stands in the middle"
    top = float(inner.get("y", 0))
    free = top - above(frame())  # as much above it as below
    assert texts["Attention weights"] < above(frame()) <= top
    assert top + 150 + free == pytest.approx(300 - below(frame()))
    assert 300 - below(frame()) < texts["“hot tea” · trained weights"] - 12 * 0.7
    assert texts["“hot tea” · trained weights"] < 300 - 10 + 1


@each("paper", ["fill='#FFFFFF'", "style='fill: rgb(255, 255, 255); stroke: none'"])
def test_on_a_transparent_sheet_shapes_in_the_papers_colour_are_clear_and_letters_stay(paper: str) -> None:
    inside = f"<path d='M0 0h9v9z' {paper}/><rect fill='#000' width='9' height='9'/><text {paper}>1.00</text>"
    drawn = f"<svg xmlns='{SVG}' width='200' height='100'>{inside}</svg>"
    root = ElementTree.fromstring(framed(drawn, (200, 100), frame(transparent=True), {}))
    (path,) = root.iter(f"{{{SVG}}}path")
    (number,) = [one for one in root.iter(f"{{{SVG}}}text") if one.text == "1.00"]
    assert "none" in (path.get("fill"), path.get("style", "").removeprefix("fill: ")[:4])
    assert any(colour in f"{number.attrib}" for colour in ("#FFFFFF", "255, 255, 255"))
    assert "#000" in [one.get("fill") for one in root.iter(f"{{{SVG}}}rect")]


def test_our_texts_take_the_typeface_of_the_sheet_and_others_keep_theirs() -> None:
    look = "font-family: 'Source Sans', Arial; font-size: 9px"
    texts = f'<text style="{look}">tea</text><text style="font-family: monospace; fill: red">x</text>'
    root = sheet(f"<svg xmlns='{SVG}' width='200' height='100'>{texts}</svg>")
    styles = {one.text: one.get("style") for one in root.iter(f"{{{SVG}}}text")}
    assert styles["tea"] == "font-size: 9px"
    assert styles["x"] == "font-family: monospace; fill: red"
    assert "'Source Sans 3'" in root.get("font-family", ""), "the name under which it is installed today"


def test_the_code_is_of_the_link_and_stands_below_the_figure_in_the_corner() -> None:
    link = "https://lab.example/masking?view=paint"
    with_code = frame(link=link)
    side = qr_size(with_code)
    assert below(with_code) >= side
    group = sheet(link=link).find(f"{{{SVG}}}g")
    assert group is not None
    assert group.get("transform", "").startswith(f"translate({400 - 10 - side:g} {300 - 10 - side:g})")
    assert sheet().find(f"{{{SVG}}}g") is None


def test_the_number_of_a_slide_stands_in_the_lower_margin_at_the_right() -> None:
    (number,) = [one for one in sheet(number="12").iter(f"{{{SVG}}}text") if one.text == "12"]
    size, y = float(number.get("font-size", "")), float(number.get("y", ""))
    assert (number.get("x"), number.get("text-anchor")) == ("390", "end")
    assert 300 - 10 <= y - 0.7 * size < y < 300, "digits are 0.7 em high"


def test_hostile_text_stays_text() -> None:
    said = {"title": HOSTILE, "description": HOSTILE, "link": f"/a?text={HOSTILE}"}
    root = ElementTree.fromstring(
        framed(DRAWN, (300, 150), frame(title=(HOSTILE.replace("\x07", ""),)), said)
    )
    assert next(root.iter(f"{{{SVG}}}script"), None) is None
    assert "<script>alert(1)</script>" in "".join(root.itertext())
    assert "\x07" not in "".join(root.itertext())
