"""The frame around a figure: its title above, its caption below, and optionally a QR code of its link."""

import re
from collections.abc import Mapping
from xml.etree import ElementTree

import segno

from figures.rendering import fonts
from figures.rendering.job import SheetFrame

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
OURS = "urn:attention-lab"
for prefix, name in (("", SVG), ("xlink", XLINK), ("lab", OURS)):
    ElementTree.register_namespace(prefix, name)

LINE = 1.25
"""Em: height of a line."""

GAP = 0.6
"""Em of title or caption: space between it and the figure."""

QR_GAP = 12
"""Pixels between the figure and the QR code below it."""

QUIET = 2
"""Empty modules around a QR code."""

QR_SHARE, QR_LARGEST = 0.16, 110
"""Width of a QR code: share of the sheet, and pixels at most."""

SHAPES = frozenset({"rect", "path", "circle", "ellipse", "polygon"})
"""Elements of an SVG that are filled, without letters."""

OWN_FAMILY = re.compile(rf"font-family:\s*'{fonts.FAMILY}'[^;]*;?\s*")
"""A style that names our typeface."""

NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def above(frame: SheetFrame) -> float:
    """Return the pixels above the figure."""
    return frame.margin + (len(frame.title) * LINE + GAP) * frame.title_type * bool(frame.title)


def below(frame: SheetFrame) -> float:
    """Return the pixels below the figure."""
    lines = (len(frame.caption) * LINE + GAP) * frame.caption_type * bool(frame.caption)
    return frame.margin + max(lines, qr_size(frame) + QR_GAP if frame.link else 0.0)


def qr_size(frame: SheetFrame) -> float:
    """Return the width of the QR code in pixels."""
    return min(QR_LARGEST, QR_SHARE * frame.width)


def number_type(frame: SheetFrame) -> float:
    """Return the size of a slide's number, which has room in the margin."""
    return min(frame.caption_type, 0.6 * frame.margin)


def drawn_size(figure: str) -> tuple[float, float]:
    """Return width and height of the SVG of a figure in pixels."""
    drawn = ElementTree.fromstring(figure)
    width, height = (float(drawn.get(name, "").removesuffix("px")) for name in ("width", "height"))
    return width, height


def figure_xml(provenance: Mapping[str, str], tag: str = f"{{{OURS}}}figure") -> ElementTree.Element:
    """Return an element with the provenance of a file, in characters that XML allows."""
    kept = ElementTree.Element(tag)
    for name, value in provenance.items():
        ElementTree.SubElement(kept, f"{{{OURS}}}{name}").text = NOT_IN_XML.sub("\ufffd", value)
    return kept


def framed(figure: str, size: tuple[float, float], frame: SheetFrame, provenance: Mapping[str, str]) -> str:
    """Return the SVG of a sheet around the SVG of a figure, which is scaled to `size`."""
    root = _element("svg", None, width=frame.width, height=frame.height)
    root.set("viewBox", f"0 0 {frame.width:g} {frame.height:g}")
    root.set("font-family", fonts.STACK)
    for tag, name in {"title": "title", "desc": "description"}.items():
        _element(tag, root).text = NOT_IN_XML.sub("\ufffd", provenance.get(name, ""))
    root.append(figure_xml(provenance, f"{{{SVG}}}metadata"))
    style = _element("style", root)
    if not frame.transparent:
        _element("rect", root, width=frame.width, height=frame.height, fill=frame.paper)
    bold = {"fill": frame.ink, "font-weight": fonts.BOLD}
    top, bottom = frame.margin + 0.95 * frame.title_type, frame.height - frame.margin
    _write(root, frame.title, frame.margin, top, frame.title_type, **bold)
    drawn = _inner(figure, size)
    if frame.transparent:
        _clear(drawn, frame.paper)
    drawn.set("x", f"{(frame.width - size[0]) / 2:g}")
    room = frame.height - above(frame) - below(frame)
    drawn.set("y", f"{above(frame) + max(0.0, room - size[1]) / 2:g}")
    root.append(drawn)
    first = bottom - (len(frame.caption) * LINE - 1) * frame.caption_type
    _write(root, frame.caption, frame.margin, first, frame.caption_type, fill=frame.muted)
    if frame.link:
        _put_qr(root, frame)
    if frame.number:
        small, right = number_type(frame), frame.width - frame.margin
        y = frame.height - frame.margin / 2 + 0.35 * small
        _write(root, (frame.number,), right, y, small, **{"fill": frame.muted, "text-anchor": "end"})
    style.text = fonts.rules(ElementTree.tostring(root, encoding="unicode"))
    return ElementTree.tostring(root, encoding="unicode")


def _element(tag: str, parent: ElementTree.Element | None, **attributes: object) -> ElementTree.Element:
    said = {
        name: f"{value:g}" if isinstance(value, float) else str(value) for name, value in attributes.items()
    }
    if parent is None:
        return ElementTree.Element(f"{{{SVG}}}{tag}", said)
    return ElementTree.SubElement(parent, f"{{{SVG}}}{tag}", said)


def _inner(figure: str, size: tuple[float, float]) -> ElementTree.Element:
    """Return the SVG of a figure, scaled to a size by its box."""
    drawn = ElementTree.fromstring(figure)
    if not drawn.get("viewBox"):
        width, height = drawn_size(figure)
        drawn.set("viewBox", f"0 0 {width:g} {height:g}")
    for name, value in zip(("width", "height"), size, strict=True):
        drawn.set(name, f"{value:g}")
    drawn.attrib.pop("style", None)
    for node in drawn.iter():  # texts inherit the font family of the sheet, which lists more names
        if "style" in node.attrib:
            node.set("style", OWN_FAMILY.sub("", node.get("style", "")))
    return drawn


def _clear(drawn: ElementTree.Element, paper: str) -> None:
    """Fill no shape in the colour of the paper, so that a slide below the sheet shows through."""
    red, green, blue = (int(paper[at : at + 2], 16) for at in (1, 3, 5))
    filled = re.compile(rf"fill:\s*(?:rgb\({red}, ?{green}, ?{blue}\)|{paper})", re.IGNORECASE)
    for node in drawn.iter():
        if node.tag.rpartition("}")[2] not in SHAPES:
            continue  # letters in the colour of the paper stand on a dark shape
        if node.get("fill", "").lower() in (paper.lower(), f"rgb({red}, {green}, {blue})"):
            node.set("fill", "none")
        if "style" in node.attrib:
            node.set("style", filled.sub("fill: none", node.get("style", "")))


def _write(
    root: ElementTree.Element, lines: tuple[str, ...], x: float, y: float, size: float, **look: object
) -> None:
    for line in lines:
        _element("text", root, x=x, y=y, **{"font-size": float(size)}, **look).text = line
        y += LINE * size


def _put_qr(root: ElementTree.Element, frame: SheetFrame) -> None:
    """Draw the code on white, whatever the paper: phones read dark on light."""
    code = segno.make(frame.link, micro=False, error="m")
    side = qr_size(frame)
    modules = code.symbol_size(border=QUIET)[0]
    x, y = frame.width - frame.margin - side, frame.height - frame.margin - side
    group = _element("g", root, transform=f"translate({x:g} {y:g}) scale({side / modules:g})", role="img")
    _element("title", group).text = "QR code of the link"
    _element("rect", group, width=modules, height=modules, fill="#FFFFFF")
    dark = [
        f"M{column} {row}h1v1h-1z"
        for row, line in enumerate(code.matrix_iter(border=QUIET))
        for column, is_dark in enumerate(line)
        if is_dark
    ]
    _element("path", group, d="".join(dark), fill="#000000", **{"shape-rendering": "crispEdges"})
