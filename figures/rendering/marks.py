"""Provenance inside a file: written into PNG and PDF, and read from each format but CSV.

`frame.py` writes it into an SVG; the modules that make presentations and HTML pages write it there.
"""

import re
from collections.abc import Mapping
from html import unescape
from io import BytesIO
from xml.etree import ElementTree
from zipfile import ZipFile

from PIL import Image, PngImagePlugin
from pypdf import PdfReader, PdfWriter
from pypdf.generic import RectangleObject

from figures.rendering.frame import OURS

IN_PNG = {"title": "Title", "description": "Description", "link": "Source"}
IN_PDF = {"title": "/Title", "description": "/Subject", "link": "/Keywords"}
"""Standard names in a PNG and in a PDF."""

PNG_PREFIX, PDF_PREFIX = "attention-lab:", "/AttentionLab"
"""Prefixes of all other names."""

SOFTWARE = "Attention Lab"

IN_PPTX = "customXml/item1.xml"
"""The part of a presentation with its provenance."""

IN_HTML = "attention-lab-"
"""The beginning of the names of meta elements in a page."""

META = re.compile(rf'<meta name="{IN_HTML}([^"]*)" content="([^"]*)">')

UNREADABLE = (
    "This file cannot be read as SVG, PNG, PDF, PPTX or HTML. A CSV file does not contain its link; "
    "in a ZIP, README.txt does."
)

POINTS = 72 / 96
"""Points of a pixel."""

MOST = 2**20
"""The most bytes of provenance that are read from a presentation."""


def in_png(png: bytes, provenance: Mapping[str, str], dots_per_inch: float) -> bytes:
    """Return the picture with its provenance and its size on paper."""
    said = PngImagePlugin.PngInfo()
    for name, value in provenance.items():
        said.add_itxt(IN_PNG.get(name, PNG_PREFIX + name), value)
    said.add_itxt("Software", SOFTWARE)
    written = BytesIO()
    Image.open(BytesIO(png)).save(written, "png", pnginfo=said, dpi=(dots_per_inch, dots_per_inch))
    return written.getvalue()


def in_pdf(pdf: bytes, provenance: Mapping[str, str], size: tuple[float, float] | None = None) -> bytes:
    """Return the document with its provenance, its pages cut to `size` in pixels if it is given.

    Chromium makes a page up to a fifth of a millimetre too large.
    """
    writer = PdfWriter(clone_from=BytesIO(pdf))
    if size is not None:
        width, height = (POINTS * pixels for pixels in size)
        for page in writer.pages:
            left, top = page.mediabox.left, page.mediabox.top
            page.mediabox = page.cropbox = RectangleObject((left, top - height, left + width, top))
    said = {IN_PDF.get(name, PDF_PREFIX + name.capitalize()): value for name, value in provenance.items()}
    writer.add_metadata({**said, "/Creator": SOFTWARE})
    written = BytesIO()
    writer.write(written)
    return written.getvalue()


def read_provenance(content: bytes) -> dict[str, str]:
    """Return the provenance inside a file, with its `link` or `call`. Raises ValueError without either."""
    try:
        found = _read(content)
    except Exception as error:  # each library has its own errors
        raise ValueError(UNREADABLE) from error
    if not {"link", "call"} & found.keys():
        raise ValueError("This file does not say which link it was made from.")
    return found


def _read(content: bytes) -> dict[str, str]:
    if content.startswith(b"\x89PNG"):
        image = Image.open(BytesIO(content))
        image.load()
        return _ours(getattr(image, "text", {}), IN_PNG, PNG_PREFIX)
    if content.startswith(b"%PDF"):
        return _ours(PdfReader(BytesIO(content)).metadata or {}, IN_PDF, PDF_PREFIX)
    if content.startswith(b"PK"):
        with ZipFile(BytesIO(content)) as archive, archive.open(IN_PPTX) as part:
            return _in_xml(part.read(MOST))
    if content.lstrip()[:15].lower() == b"<!doctype html>":
        head = content.decode("utf-8").partition("</head>")[0]
        return {unescape(name): unescape(value) for name, value in META.findall(head)}
    return _in_xml(content)


def _ours(said: Mapping[str, object], known: Mapping[str, str], prefix: str) -> dict[str, str]:
    """Return the values whose names are in `known` or begin with `prefix`, under our names."""
    names = {shown: name for name, shown in known.items()}
    return {
        names.get(shown, shown.removeprefix(prefix).lower()): str(value)
        for shown, value in said.items()
        if shown in names or shown.startswith(prefix)
    }


def _in_xml(content: bytes) -> dict[str, str]:
    ours = f"{{{OURS}}}"
    root = ElementTree.fromstring(content)
    return {one.tag.removeprefix(ours): one.text or "" for one in root.findall(f".//{ours}*")}
