"""Slides as a file of PowerPoint."""

from collections.abc import Iterable, Mapping
from io import BytesIO

import segno
from pptx.dml.color import RGBColor
from pptx.enum.text import MSO_ANCHOR, MSO_AUTO_SIZE, PP_ALIGN
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.presentation import Presentation as Document
from pptx.shapes.autoshape import Shape
from pptx.slide import Slide as OfDocument
from pptx.util import Emu, Pt

from figures.order import Style
from figures.plain import runs
from figures.preset import POINT
from figures.rendering.exporter import Exporter
from figures.rendering.frame import NOT_IN_XML, QUIET, qr_size
from figures.rendering.job import Frame
from figures.slides.empty import BLANK, PIXEL, TITLE_ONLY, empty
from figures.slides.memory import remember
from figures.slides.slide import FALLBACK, LINE, PARAGRAPH, Block, Box, Slide, centred, framed, room_in, words
from figures.slides.vector import add_picture, add_vector

FIELD = f'<a:fld {nsdecls("a")} id="{{6B29FC40-CA47-1067-B31D-00DD010662DA}}" type="slidenum"/>'
"""The number of a slide, which follows when slides are moved."""


def presentation(
    slides: Iterable[Slide], style: Style, remembered: Mapping[str, str], exporter: Exporter
) -> bytes:
    """Return a file of slides as large as their preset. Raises ExportError.

    A `transparent` one has no background: it takes that of the presentation into which it is pasted.
    """
    document = empty(style)
    for slide in slides:
        _add(document, slide, style, exporter)
    remember(document, {name: _readable(value) for name, value in remembered.items()})
    written = BytesIO()
    document.save(written)
    return written.getvalue()


def _add(document: Document, wanted: Slide, style: Style, exporter: Exporter) -> None:
    frame = framed(wanted, style, FALLBACK)
    has_title = bool(frame.title) or wanted.body is not None
    layout = document.slide_layouts.get_by_name(TITLE_ONLY if has_title else BLANK)
    slide = document.slides.add_slide(layout)
    if wanted.body is not None:
        title, body = words(wanted, frame, FALLBACK)
        _write(slide.shapes.title, title, frame.ink, anchor=MSO_ANCHOR.BOTTOM)
        if wanted.body:
            _write(_box(slide, "Text"), body, frame.muted)
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


def _add_picture(slide: OfDocument, wanted: Slide, frame: Frame, exporter: Exporter) -> None:
    assert wanted.picture is not None, "it has one"
    drawn = exporter.files(wanted.picture)
    size = wanted.picture.frame.width, wanted.picture.frame.height
    place, name = centred(size, room_in(frame)), _readable(wanted.title)
    add_vector(slide, drawn["outlined"], drawn["png"], place, name=name, alt=_readable(wanted.alt))
    width = frame.width - 2 * frame.margin
    if frame.title:
        box = Box(frame.margin, frame.margin, width, LINE * frame.title_type * len(frame.title))
        _write(slide.shapes.title, Block((wanted.title,), box, frame.title_type), frame.ink)
    if frame.caption:
        high = LINE * frame.caption_type * len(frame.caption)
        beside = width - (qr_size(frame) + frame.margin) * bool(frame.link)
        box = Box(frame.margin, frame.height - frame.margin - high, beside, high)
        _write(_box(slide, "Caption"), Block((wanted.caption,), box, frame.caption_type), frame.muted)


def _add_number(slide: OfDocument, frame: Frame) -> None:
    box = Box(frame.width / 2, frame.height - frame.margin, frame.width / 2 - frame.margin, frame.margin)
    shape = _box(slide, "Slide number")
    _write(shape, Block((frame.number,), box, frame.caption_type), frame.muted, anchor=MSO_ANCHOR.MIDDLE)
    (paragraph,) = shape.text_frame.paragraphs
    paragraph.alignment = PP_ALIGN.RIGHT
    field, (run,) = parse_xml(FIELD), paragraph._p.r_lst
    field.extend(run)
    paragraph._p.replace(run, field)


def _add_notes(slide: OfDocument, markdown: str) -> None:
    """Write what is in italics in italics: it is a word that is quoted."""
    frame = slide.notes_slide.notes_text_frame
    assert frame is not None, "python-pptx brings one"
    paragraph = frame.paragraphs[0]
    for text, is_italic in runs(_readable(markdown)):
        first, *others = text.split("\n")
        for line in (first, *others):
            if line is not first:
                paragraph = frame.add_paragraph()
            if line:
                run = paragraph.add_run()
                run.text, run.font.italic = line, is_italic or None


def _box(slide: OfDocument, name: str) -> Shape:
    box = slide.shapes.add_textbox(Emu(0), Emu(0), Emu(0), Emu(0))
    box.name = name
    return box


def _write(shape: Shape | None, block: Block, colour: str, *, anchor: MSO_ANCHOR = MSO_ANCHOR.TOP) -> None:
    """Set paragraphs from the left into their box; those of a title are bold."""
    assert shape is not None, "the layout has a title"
    shape.left, shape.top, shape.width, shape.height = (Emu(round(one * PIXEL)) for one in block.box)
    frame = shape.text_frame
    frame.word_wrap, frame.auto_size, frame.vertical_anchor = True, MSO_AUTO_SIZE.NONE, anchor
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = Emu(0)
    frame.text = "\n".join(" ".join(_readable(text).split()) or " " for text in block.paragraphs)
    for paragraph in frame.paragraphs:
        paragraph.alignment = PP_ALIGN.LEFT
        paragraph.space_before = Pt(PARAGRAPH * block.size / POINT * (len(block.paragraphs) > 1))
        for run in paragraph.runs:  # PowerPoint passes over what a paragraph says of its type
            run.font.size, run.font.bold = Pt(round(block.size / POINT, 1)), shape.is_placeholder
            run.font.color.rgb = _colour(colour)


def _qr(link: str) -> bytes:
    """The code stands on white, whatever the paper: a phone reads dark on light."""
    written = BytesIO()
    segno.make(link, micro=False, error="m").save(written, kind="png", scale=8, border=QUIET)
    return written.getvalue()


def _colour(hexadecimal: str) -> RGBColor:
    colour: RGBColor = RGBColor(*bytes.fromhex(hexadecimal.removeprefix("#")))  # type: ignore[no-untyped-call]
    return colour


def _readable(text: str) -> str:
    """Return a text whose characters XML can have."""
    return NOT_IN_XML.sub("\ufffd", text)
