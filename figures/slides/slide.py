"""Layout of a slide: its frame and the places of its words, in pixels of 1/96 inch; and slides as a PDF."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from io import BytesIO

from pypdf import PdfWriter

from figures.export_request import Style
from figures.layout import of_nodes, sheet
from figures.preset import POINT, Preset
from figures.rendering import fonts
from figures.rendering.exporter import Exporter
from figures.rendering.frame import QR_SHARE, above, below
from figures.rendering.job import Job, Script, SheetFrame
from figures.rendering.marks import in_pdf
from viz.layout.canvas import Rect

TITLE_TYPES, TITLE_LINES = tuple(points * POINT for points in (28, 24, 20, 16)), 2
"""Sizes of a title above a picture, and its most lines: the largest size that fits, else the smallest."""

TEXT_TYPES, BODY, LEAST_BODY = (48, 40, 36, 32, 28, 24, 20, 16), 0.65, 18
"""Sizes of a title without a picture, the body's size relative to it, and the body's smallest size."""

LINE, PARAGRAPH = 1.25, 0.5
"""Height of a line and space above a paragraph, in em."""

FALLBACK = 0.74
"""Share of the width for titles if another typeface may replace Source Sans: it can be a third wider."""


@dataclass(frozen=True, kw_only=True)
class Slide:
    """A slide: a picture between its title and its caption, or a large title above a `body` of paragraphs.

    `picture` is a job as large as its room. `notes` are Markdown for the speaker, `link` is the address of a
    QR code, and a `number` of 0 is not shown.
    """

    title: str
    caption: str = ""
    body: tuple[str, ...] | None = None
    notes: str = ""
    picture: Job | None = None
    link: str = ""
    number: int = 0


def framed(slide: Slide, style: Style, share: float = 1.0) -> SheetFrame:
    """Return the frame of a slide; its lines are broken at `share` of the width."""
    small, number = style.preset.least_type, str(slide.number or "")
    if not style.title or slide.body is not None:
        return sheet(style, slide.link, caption_type=small, number=number)
    room = (style.preset.width - 2 * style.preset.margin) * share
    for size in TITLE_TYPES:
        title = fonts.balanced(slide.title, room, size)
        if len(title) <= TITLE_LINES:
            break
    beside = room * (1 - QR_SHARE) if style.coded(slide.link) else room
    lines = {"title": title, "caption": fonts.broken_items(slide.caption, beside, small)}
    return sheet(style, slide.link, title_type=size, caption_type=small, number=number, **lines)


def room_in(frame: SheetFrame) -> Rect:
    """Return the room for the picture."""
    top, width = above(frame), frame.width - 2 * frame.margin
    return Rect(frame.margin, top, width, frame.height - top - below(frame))


def within(style: Style, slide: Slide) -> Preset:
    """Return the preset of a picture: as large as the room on its slide."""
    room = room_in(framed(slide, style, FALLBACK))
    return replace(style.preset, width=round(room.width), height=round(room.height), margin=0, title_type=0)


def words(
    slide: Slide, frame: SheetFrame, share: float = 1.0
) -> tuple[tuple[Rect, float], tuple[Rect, float]]:
    """Return places and sizes of the title and the body of a slide of words, as large as its room allows."""
    room, paragraphs = room_in(frame), slide.body or ()
    for size in TEXT_TYPES:
        small = max(BODY * size, LEAST_BODY)
        high = LINE * size * len(fonts.broken(slide.title, room.width * share, size, weight=fonts.BOLD))
        n_lines = sum(len(fonts.broken(text, room.width * share, small)) for text in paragraphs)
        low = small * (LINE * n_lines + PARAGRAPH * len(paragraphs))
        if (free := room.height - high - low) >= 0:
            break
    title = Rect(room.left, room.top + max(0, free / 2), room.width, high)
    body = Rect(room.left, title.top + high + PARAGRAPH * small, room.width, low)
    return (title, size), (body, small)


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
