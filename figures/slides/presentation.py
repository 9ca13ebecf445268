"""Slides as a file of PowerPoint."""

from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO

import segno
from pptx.dml.color import RGBColor
from pptx.enum.text import MSO_ANCHOR, MSO_AUTO_SIZE, PP_ALIGN
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.presentation import Presentation as Document
from pptx.slide import Slide as Page
from pptx.text.text import TextFrame
from pptx.util import Emu, Pt

from figures.order import Style
from figures.plain import runs
from figures.preset import POINT
from figures.rendering.exporter import Exporter
from figures.rendering.frame import NOT_IN_XML, QUIET, number_type, qr_size
from figures.rendering.job import Frame
from figures.slides.empty import BLANK, PIXEL, TITLE_ONLY, empty
from figures.slides.memory import remember
from figures.slides.slide import FALLBACK, LINE, PARAGRAPH, Box, Slide, framed, room_in, words
from figures.slides.vector import add_picture, add_vector

TITLE = "Title"
FIELD = f'<a:fld {nsdecls("a")} id="{{6B29FC40-CA47-1067-B31D-00DD010662DA}}" type="slidenum"/>'
"""The number of a slide, which follows when slides are moved."""


def presentation(slides: Iterable[Slide], style: Style, said: Mapping[str, str], exporter: Exporter) -> bytes:
    """Return a file of slides as large as their preset, which remembers what is `said`. Raises ExportError.

    A `transparent` one has no background: it takes that of the presentation into which it is pasted.
    """
    document = empty(style)
    for slide in slides:
        _add(document, slide, style, exporter)
    remember(document, {name: _readable(value) for name, value in said.items()})
    written = BytesIO()
    document.save(written)
    return written.getvalue()


def _add(document: Document, wanted: Slide, style: Style, exporter: Exporter) -> None:
    frame = framed(wanted, style, FALLBACK)
    layout = TITLE_ONLY if frame.title or wanted.body is not None else BLANK
    slide = document.slides.add_slide(document.slide_layouts.get_by_name(layout))
    if wanted.body is not None:
        title, body = words(wanted, frame, FALLBACK)
        _write(slide, TITLE, [wanted.title], *title, frame.ink).vertical_anchor = MSO_ANCHOR.BOTTOM
        if wanted.body:
            _write(slide, "Text", wanted.body, *body, frame.muted)
    else:
        _add_picture(slide, wanted, frame, exporter)
    if frame.link:
        side = qr_size(frame)
        corner = Box(frame.width - frame.margin - side, frame.height - frame.margin - side, side, side)
        add_picture(slide, _qr(frame.link), corner, name="QR code", alt="QR code of the link")
    if frame.number:
        _add_number(slide, frame)
    if not style.transparent:
        slide.background.fill.solid()
        slide.background.fill.fore_color.rgb = _colour(frame.paper)
    _add_notes(slide, wanted.notes)


def _add_picture(slide: Page, wanted: Slide, frame: Frame, exporter: Exporter) -> None:
    assert wanted.picture is not None, "it has one"
    drawn, alt = exporter.files(wanted.picture), _readable(wanted.picture.remembered["description"])
    add_vector(slide, drawn["svg-outlines"], drawn["png"], room_in(frame), name="Picture", alt=alt)
    width = frame.width - 2 * frame.margin
    if frame.title:
        box = Box(frame.margin, frame.margin, width, LINE * frame.title_type * len(frame.title))
        _write(slide, TITLE, [wanted.title], box, frame.title_type, frame.ink)
    if frame.caption:
        high = LINE * frame.caption_type * len(frame.caption)
        beside = width - (qr_size(frame) + frame.margin) * bool(frame.link)
        box = Box(frame.margin, frame.height - frame.margin - high, beside, high)
        _write(slide, "Caption", [wanted.caption], box, frame.caption_type, frame.muted)


def _add_number(slide: Page, frame: Frame) -> None:
    box = Box(frame.width / 2, frame.height - frame.margin, frame.width / 2 - frame.margin, frame.margin)
    written = _write(slide, "Slide number", [frame.number], box, number_type(frame), frame.muted)
    written.vertical_anchor, (paragraph,) = MSO_ANCHOR.MIDDLE, written.paragraphs
    paragraph.alignment = PP_ALIGN.RIGHT
    field, (run,) = parse_xml(FIELD), paragraph._p.r_lst
    field.extend(run)
    paragraph._p.replace(run, field)


def _add_notes(slide: Page, markdown: str) -> None:
    """Write quoted words in italics."""
    frame = slide.notes_slide.notes_text_frame
    assert frame is not None, "python-pptx brings one"
    paragraph = frame.paragraphs[0]
    for text, is_italic in runs(_readable(markdown)):
        for number, line in enumerate(text.split("\n")):
            if number:
                paragraph = frame.add_paragraph()  # type: ignore[no-untyped-call]
            if line:
                run = paragraph.add_run()
                run.text, run.font.italic = line, is_italic or None


def _write(slide: Page, name: str, texts: Sequence[str], box: Box, size: float, colour: str) -> TextFrame:
    """Set paragraphs from the left into a box, and titles in bold."""
    places = [Emu(round(one * PIXEL)) for one in box]
    title = slide.shapes.title if name == TITLE else None
    shape = title or slide.shapes.add_textbox(*places)
    shape.name, (shape.left, shape.top, shape.width, shape.height) = name, places
    frame = shape.text_frame
    frame.word_wrap, frame.auto_size, frame.vertical_anchor = True, MSO_AUTO_SIZE.NONE, MSO_ANCHOR.TOP
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = Emu(0)
    frame.text = "\n".join(" ".join(_readable(text).split()) or " " for text in texts)
    for paragraph in frame.paragraphs:
        paragraph.alignment = PP_ALIGN.LEFT
        paragraph.space_before = Pt(PARAGRAPH * size / POINT * (len(texts) > 1))
        for run in paragraph.runs:  # PowerPoint passes over what a paragraph says of its type
            run.font.size, run.font.bold = Pt(round(size / POINT, 1)), name == TITLE
            run.font.color.rgb = _colour(colour)
    return frame


def _qr(link: str) -> bytes:
    """The code stands on white, whatever the paper: a phone reads dark on light."""
    written = BytesIO()
    segno.make(link, micro=False, error="m").save(written, kind="png", scale=8, border=QUIET)
    return written.getvalue()


def _readable(text: str) -> str:
    """Return a text whose characters XML can have."""
    return NOT_IN_XML.sub("\ufffd", text)


def _colour(hexadecimal: str) -> RGBColor:
    return RGBColor.from_string(hexadecimal[1:])  # type: ignore[no-untyped-call]
