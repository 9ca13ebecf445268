"""What a file remembers of itself, written into it and read from it again.

What is drawn is written here. A presentation and an HTML page are only read, for who makes them has them
remember it; CSV has no room for it.
"""

from collections.abc import Mapping
from html.parser import HTMLParser
from io import BytesIO
from xml.etree import ElementTree
from zipfile import ZipFile

from PIL import Image, PngImagePlugin
from pypdf import PdfReader, PdfWriter

from figures.rendering.frame import OURS

NAMED = {"title": "Title", "description": "Description", "link": "Source"}
"""What PNG calls some of it by a name that every reader knows."""

PREFIX = "attention-lab:"
"""What the names of all of it begin with, in a PNG and, as /AttentionLab…, in a PDF."""

IN_PDF = {"title": "/Title", "description": "/Subject", "link": "/Keywords"}
SOFTWARE = "Attention Lab"

IN_PPTX = "customXml/item1.xml"
"""The part of a presentation that has all of it."""

IN_HTML = "attention-lab-"
"""What the names of the meta elements of a page begin with."""

UNREADABLE = (
    "This file cannot be read as SVG, PNG, PDF, PPTX or HTML; one of CSV does not say where it comes from, "
    "and in a ZIP README.txt does."
)

MOST = 2**20
"""Bytes of what a file remembers; more is not ours."""


def in_png(png: bytes, remembered: Mapping[str, str], dots_per_inch: float) -> bytes:
    """The picture with its memory, and with how large it is on paper."""
    said = PngImagePlugin.PngInfo()
    for name, value in remembered.items():
        said.add_itxt(NAMED.get(name, PREFIX + name), value)
    said.add_itxt("Software", SOFTWARE)
    written = BytesIO()
    Image.open(BytesIO(png)).save(written, "png", pnginfo=said, dpi=(dots_per_inch, dots_per_inch))
    return written.getvalue()


def in_pdf(pdf: bytes, remembered: Mapping[str, str]) -> bytes:
    """The document with its memory."""
    writer = PdfWriter(clone_from=BytesIO(pdf))
    said = {_pdf_name(name): value for name, value in remembered.items()}
    writer.add_metadata({**said, "/Creator": SOFTWARE})
    written = BytesIO()
    writer.write(written)
    return written.getvalue()


def remembered(content: bytes) -> dict[str, str]:
    """What a file of one of these kinds remembers. Raises ValueError where it is none, or is not ours."""
    try:
        found = _read(content)
    except Exception as error:  # each library has its own errors
        raise ValueError(UNREADABLE) from error
    if "link" not in found:
        raise ValueError("This file does not say which link it was made of.")
    return found


def _read(content: bytes) -> dict[str, str]:
    if content.startswith(b"\x89PNG"):
        image = Image.open(BytesIO(content))
        image.load()
        known = {shown: name for name, shown in NAMED.items()}
        texts = {str(name): str(value) for name, value in getattr(image, "text", {}).items()}
        return {
            known.get(name, name.removeprefix(PREFIX)): value
            for name, value in texts.items()
            if name in known or name.startswith(PREFIX)
        }
    if content.startswith(b"%PDF"):
        known = {shown: name for name, shown in IN_PDF.items()}
        said: Mapping[str, object] = PdfReader(BytesIO(content)).metadata or {}
        ours = _pdf_name("")
        return {
            known.get(name, name.removeprefix(ours).lower()): str(value)
            for name, value in said.items()
            if name in known or name.startswith(ours)
        }
    if content.startswith(b"PK"):
        with ZipFile(BytesIO(content)) as archive, archive.open(IN_PPTX) as part:
            return _in_xml(part.read(MOST))
    if content.lstrip()[:15].lower() == b"<!doctype html>":
        page = _Memory()
        page.feed(content.decode("utf-8").partition("</head>")[0])
        return page.found
    return _in_xml(content)


def _in_xml(content: bytes) -> dict[str, str]:
    root = ElementTree.fromstring(content)
    return {
        one.tag.removeprefix(f"{{{OURS}}}"): one.text or ""
        for one in root.iter()
        if str(one.tag).startswith(f"{{{OURS}}}") and one is not root
    }


class _Memory(HTMLParser):
    """What the meta elements of a page say."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in one of them."""
        said = dict(attrs)
        name = said.get("name") or ""
        if tag == "meta" and name.startswith(IN_HTML):
            self.found[name.removeprefix(IN_HTML)] = said.get("content") or ""


def _pdf_name(name: str) -> str:
    return IN_PDF.get(name, f"/AttentionLab{name.capitalize()}")
