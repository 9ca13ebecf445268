"""What a file remembers of itself, written into it and read from it again: SVG, PNG and PDF."""

from collections.abc import Mapping
from io import BytesIO
from xml.etree import ElementTree

from PIL import Image, PngImagePlugin
from pypdf import PdfReader, PdfWriter

from figures.rendering.frame import OURS

NAMED = {"title": "Title", "description": "Description", "link": "Source"}
"""What PNG calls some of it by a name that every reader knows."""

PREFIX = "attention-lab:"
"""What the names of all of it begin with, in a PNG and, as /AttentionLab…, in a PDF."""

IN_PDF = {"title": "/Title", "description": "/Subject", "link": "/Keywords"}
SOFTWARE = "Attention Lab"


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
        raise ValueError("This file cannot be read as SVG, PNG or PDF.") from error
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
    root = ElementTree.fromstring(content)
    return {
        one.tag.removeprefix(f"{{{OURS}}}"): one.text or ""
        for one in root.iter()
        if str(one.tag).startswith(f"{{{OURS}}}")
    }


def _pdf_name(name: str) -> str:
    return IN_PDF.get(name, f"/AttentionLab{name.capitalize()}")
