"""A file contains its provenance, which can be read again."""

from io import BytesIO

import pytest
from PIL import Image
from pypdf import PdfWriter

from figures.rendering import marks
from figures.rendering.frame import framed
from tests.covering import each
from tests.figures.sheets import HOSTILE, frame
from tests.figures.test_frame import DRAWN

SAID = {
    "title": "Attention weights, layer 1",
    "description": "Two bars: hot 0.25, tea 0.75 – größer.",
    "link": "/explorer?view=heads&text=hot%20tea",
    "version": "0.1.0",
    "seed": "3",
    "checkpoint": "ab" * 32,
}


def png() -> bytes:
    written = BytesIO()
    Image.new("RGB", (4, 2), "#0072B2").save(written, "png")
    return written.getvalue()


def pdf() -> bytes:
    writer, written = PdfWriter(), BytesIO()
    writer.add_blank_page(100, 50)
    writer.write(written)
    return written.getvalue()


def marked(kind: str, said: dict[str, str]) -> bytes:
    if kind == "png":
        return marks.in_png(png(), said, 192)
    return marks.in_pdf(pdf(), said) if kind == "pdf" else framed(DRAWN, (10, 10), frame(), said).encode()


@each("kind", ["svg", "png", "pdf"])
@each("said", [SAID, {"link": "/masking"}])
def test_a_file_keeps_all_of_its_provenance(kind: str, said: dict[str, str]) -> None:
    assert marks.read_provenance(marked(kind, said)) == said


@each("kind", ["svg", "png", "pdf"])
def test_hostile_text_is_kept_as_text(kind: str) -> None:
    said = {"link": f"/a?text={HOSTILE}"}
    kept = marks.read_provenance(marked(kind, said))
    assert kept["link"].replace("\ufffd", "\x07") == said["link"]


@each(
    ("content", "why"),
    [
        (b"hello", "cannot be read"),
        (b"\x89PNG and no more", "cannot be read"),
        (b"%PDF-1.7", "cannot be read"),
    ],
)
def test_another_kind_of_file_is_refused(content: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        marks.read_provenance(content)


@each("content", [png(), pdf(), DRAWN.encode()])
def test_a_file_of_another_program_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="does not say which link"):
        marks.read_provenance(content)


def test_a_picture_of_a_notebook_has_its_python_in_place_of_a_link() -> None:
    made = marks.in_png(png(), {"title": "A head", "call": "lab.read()('hot tea').heads()"}, 96)
    assert marks.read_provenance(made)["call"] == "lab.read()('hot tea').heads()"
