"""Slides as a PDF, a page for each."""

from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from typing import Any

from pypdf import PdfWriter

from figures.layout import NODES
from figures.order import Style
from figures.rendering import fonts
from figures.rendering.exporter import Exporter
from figures.rendering.job import Frame, Job, Script
from figures.rendering.marks import in_pdf
from figures.slides.slide import LINE, PARAGRAPH, Slide, framed, room_in, words


def pages(slides: Iterable[Slide], style: Style, remembered: Mapping[str, str], exporter: Exporter) -> bytes:
    """Return the PDF of slides, with their titles as its outline. Raises ExportError."""
    writer = PdfWriter()
    for slide in slides:
        frame = framed(slide, style)
        drawn = _words(slide, frame) if slide.picture is None else slide.picture.drawn
        page = exporter.files(Job(drawn=drawn, frame=frame, formats=("pdf",)))["pdf"]
        writer.append(BytesIO(page), outline_item=slide.title)
    written = BytesIO()
    writer.write(written)
    return in_pdf(written.getvalue(), remembered)


def _words(slide: Slide, frame: Frame) -> Script:
    room = room_in(frame)
    data = {"width": room.width, "height": room.height, "nodes": list(_nodes(slide, frame))}
    return Script(script=NODES.read_text("utf-8"), style="", data=data, width=room.width, height=room.height)


def _nodes(slide: Slide, frame: Frame) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the lines of a slide without a picture, as `nodes.js` draws them."""
    title, body = words(slide, frame)
    for block, weight, colour in ((title, fonts.BOLD, frame.ink), (body, fonts.REGULAR, frame.muted)):
        y = block.box.top - room_in(frame).top
        for text in block.paragraphs:
            for line in fonts.broken(text, block.box.width, block.size, weight=weight):
                look = {"font-size": block.size, "font-weight": weight, "fill": colour}
                yield "text", {"x": 0, "y": y + 0.95 * block.size, **look}, line
                y += LINE * block.size
            y += PARAGRAPH * block.size
