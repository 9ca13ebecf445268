"""Slides as a PDF, one on each page."""

from collections.abc import Iterable, Mapping
from io import BytesIO

from pypdf import PdfWriter

from figures.export_request import Style
from figures.layout import of_nodes
from figures.rendering import fonts
from figures.rendering.exporter import Exporter
from figures.rendering.job import Job, Script, SheetFrame
from figures.rendering.marks import in_pdf
from figures.slides.slide import LINE, PARAGRAPH, Slide, framed, room_in, words


def pages(slides: Iterable[Slide], style: Style, said: Mapping[str, str], exporter: Exporter) -> bytes:
    """Return the PDF of slides, with their titles as the outline. Raises ExportError."""
    writer = PdfWriter()
    for slide in slides:
        frame = framed(slide, style)
        drawn = _words(slide, frame) if slide.picture is None else slide.picture.drawn
        page = exporter.files(Job(drawn=drawn, frame=frame, formats=("pdf",)))["pdf"]
        writer.append(BytesIO(page), outline_item=slide.title)
    written = BytesIO()
    writer.write(written)
    return in_pdf(written.getvalue(), said)


def _words(slide: Slide, frame: SheetFrame) -> Script:
    """Return the lines of a slide without a picture, as `nodes.js` draws them."""
    room, nodes = room_in(frame), []
    texts, looks = ((slide.title,), slide.body or ()), ((fonts.BOLD, frame.ink), (fonts.REGULAR, frame.muted))
    for block, (box, size), (weight, fill) in zip(texts, words(slide, frame), looks, strict=True):
        y = box.top - room.top + 0.95 * size
        for text in block:
            for line in fonts.broken(text, room.width, size, weight=weight):
                look = {"font-size": size, "font-weight": weight, "fill": fill}
                nodes.append(("text", {"x": 0, "y": y, **look}, line))
                y += LINE * size
            y += PARAGRAPH * size
    data = {"width": room.width, "height": room.height, "nodes": nodes}
    return of_nodes(data, room.width, room.height)
