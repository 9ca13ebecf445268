"""Slides as a file of PowerPoint."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import chain

import segno
from pptx.dml.color import RGBColor
from pptx.enum.text import MSO_ANCHOR, MSO_AUTO_SIZE, PP_ALIGN
from pptx.presentation import Presentation as Document
from pptx.shapes.autoshape import Shape
from pptx.slide import Slide as OfDocument
from pptx.util import Emu, Pt

from figures.rendering.frame import NOT_IN_XML, QUIET
from figures.slides.empty import PIXEL, TITLE_ONLY, TITLE_SLIDE, empty
from figures.slides.memory import remember
from figures.slides.slide import (
    CAPTION_TYPE,
    HEIGHT,
    MARGIN,
    STATEMENT_TYPES,
    WIDTH,
    Box,
    Slide,
    centred,
    fitting,
    plan,
)
from figures.slides.vector import add_picture, add_vector
from viz.theme import Theme

POINT = 96 / 72
"""Pixels of a point."""

STATEMENT_LINES = 6
COVER = Box(3 * MARGIN, HEIGHT / 4, WIDTH - 6 * MARGIN, HEIGHT / 4)
BELOW_COVER = Box(3 * MARGIN, HEIGHT / 2 + MARGIN / 2, WIDTH - 6 * MARGIN, HEIGHT / 4)
COVER_TYPES, COVER_LINES = (48, 40, 32, 24), 3


def presentation(
    slides: Sequence[Slide],
    theme: Theme,
    remembered: Mapping[str, str],
    *,
    cover: Slide | None = None,
    transparent: bool = False,
) -> bytes:
    """Return a file of slides, after that of a `cover`: its title, its caption below it, its notes.

    A `transparent` slide has no background: it takes that of the presentation into which it is pasted.
    """
    document = empty(theme)
    if cover is not None:
        _add_cover(document, _clean(cover), theme)
    for slide in slides:
        _add(document, _clean(slide), theme)
    if not transparent:
        for made in document.slides:
            made.background.fill.solid()
            made.background.fill.fore_color.rgb = _colour(theme.paper)
    remember(document, {name: _readable(value) for name, value in remembered.items()})
    written = BytesIO()
    document.save(written)
    return written.getvalue()


def _add_cover(document: Document, cover: Slide, theme: Theme) -> None:
    slide = _begun(document, TITLE_SLIDE, cover)
    title, below = chain(slide.placeholders)
    size, _ = fitting(cover.title, COVER.width, COVER_TYPES, COVER_LINES)
    _write(title, cover.title, COVER, size, theme.ink, is_bold=True, anchor=MSO_ANCHOR.BOTTOM)
    _write(below, cover.caption, BELOW_COVER, 1.25 * CAPTION_TYPE, theme.muted)


def _add(document: Document, wanted: Slide, theme: Theme) -> None:
    slide = _begun(document, TITLE_ONLY, wanted)
    places = plan(wanted.title, wanted.caption, has_qr=bool(wanted.link))
    heading = slide.shapes.title
    assert heading is not None, "the layout has one"
    _write(heading, wanted.title, places.title, places.title_type, theme.ink, is_bold=True)
    drawn = wanted.picture
    if drawn is not None:
        box = centred((drawn.width, drawn.height), places.room)
        add_vector(slide, drawn.svg, drawn.png, box, name=wanted.title, alt=drawn.alt)
    elif wanted.statement:
        size, _ = fitting(wanted.statement, places.room.width, STATEMENT_TYPES, STATEMENT_LINES)
        _write(
            _box(slide, "Answer"), wanted.statement, places.room, size, theme.ink, anchor=MSO_ANCHOR.MIDDLE
        )
    if wanted.caption:
        _write(_box(slide, "Caption"), wanted.caption, places.caption, CAPTION_TYPE, theme.muted)
    if places.qr is not None:
        add_picture(slide, _qr(wanted.link), places.qr, name="QR code", alt="QR code of the link")


def _begun(document: Document, layout: str, wanted: Slide) -> OfDocument:
    """Return a new slide with its notes."""
    slide = document.slides.add_slide(document.slide_layouts.get_by_name(layout))
    if wanted.notes:
        slide.notes_slide.notes_text_frame.text = wanted.notes
    return slide


def _box(slide: OfDocument, name: str) -> Shape:
    box = slide.shapes.add_textbox(Emu(0), Emu(0), Emu(0), Emu(0))
    box.name = name
    return box


def _write(
    shape: Shape,
    text: str,
    place: Box,
    size: float,
    colour: str,
    *,
    is_bold: bool = False,
    anchor: MSO_ANCHOR = MSO_ANCHOR.TOP,
) -> None:
    """Set a text from the left into a place, in a type of so many pixels."""
    shape.left, shape.top, shape.width, shape.height = (Emu(round(one * PIXEL)) for one in place)
    frame = shape.text_frame
    frame.word_wrap, frame.auto_size, frame.vertical_anchor = True, MSO_AUTO_SIZE.NONE, anchor
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = Emu(0)
    frame.text = " ".join(text.split())
    paragraph = frame.paragraphs[0]
    paragraph.alignment = PP_ALIGN.LEFT
    for run in paragraph.runs:  # PowerPoint passes over what a paragraph says of its type
        run.font.size, run.font.bold = Pt(size / POINT), is_bold
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
    """A text in which no character stands that XML has none of."""
    return NOT_IN_XML.sub("\ufffd", text)


def _clean(slide: Slide) -> Slide:
    drawn = slide.picture
    return replace(
        slide,
        title=_readable(slide.title),
        caption=_readable(slide.caption),
        notes=_readable(slide.notes),
        statement=_readable(slide.statement),
        picture=None if drawn is None else drawn._replace(alt=_readable(drawn.alt)),
    )
