"""Slides as a PowerPoint file."""

import re
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import segno
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.text import MSO_ANCHOR, MSO_AUTO_SIZE, PP_ALIGN
from pptx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.presentation import Presentation as Document
from pptx.shapes.picture import Picture
from pptx.slide import Slide as Page
from pptx.text.text import TextFrame
from pptx.util import Emu, Pt

from figures.export_request import Style
from figures.plain import runs
from figures.preset import POINT
from figures.rendering.exporter import Exporter
from figures.rendering.frame import NOT_IN_XML, QUIET, figure_xml, number_type, qr_size
from figures.rendering.job import SheetFrame
from figures.rendering.marks import IN_PPTX, SOFTWARE
from figures.slides.slide import FALLBACK, LINE, PARAGRAPH, Slide, framed, room_in, words
from viz.layout.canvas import Rect
from viz.theme import Theme

PIXEL = 9525
"""PowerPoint units in a pixel; an inch has 914,400."""

TYPEFACE = '<a:latin typeface="Source Sans 3" panose="020B0503030403020204" pitchFamily="34"'
"""The typeface of the pictures. If it is missing, a program finds a similar typeface by the PANOSE number.

Titles stay text, so that they can be edited, searched and read aloud.
"""

TITLE_ONLY, BLANK = KEPT = ("Title Only", "Blank")
"""The layouts in use; python-pptx comes with eleven."""

TITLE = "Title"
FIELD = f'<a:fld {nsdecls("a")} id="{{6B29FC40-CA47-1067-B31D-00DD010662DA}}" type="slidenum"/>'
"""The field of the slide number, which changes when slides are moved."""

VECTOR = f"""<a:extLst {nsdecls("a", "r")}><a:ext uri="{{96DAC541-7B7A-43D3-8B79-37D633B846F1}}">
<asvg:svgBlip xmlns:asvg="http://schemas.microsoft.com/office/drawing/2016/SVG/main" r:embed="%s"/>
</a:ext></a:extLst>"""
"""The extension that links a bitmap to its SVG, which Office 2016 and later show."""

SHOWN = {"title": "title", "comments": "description", "keywords": "link", "version": "version"}
"""The properties of a document that show its provenance."""

LONGEST = 255
"""The most characters of a property of a document; a link may have more."""


def presentation(slides: Iterable[Slide], style: Style, said: Mapping[str, str], exporter: Exporter) -> bytes:
    """Return a PPTX of slides as large as their preset, with the provenance `said`. Raises ExportError.

    If the style is `transparent`, slides have no background: pasted, they show the other presentation's.
    """
    document = _empty(style)
    for slide in slides:
        _add(document, slide, style, exporter)
    _remember(document, {name: _readable(value) for name, value in said.items()})
    written = BytesIO()
    document.save(written)
    return written.getvalue()


def _empty(style: Style) -> Document:
    """Return a presentation without slides; if the style is transparent, its master has no background."""
    document, preset = Presentation(), style.preset
    assert preset.height is not None, "a slide has a height"
    wider = preset.width * PIXEL / document.slide_width
    document.slide_width, document.slide_height = Emu(preset.width * PIXEL), Emu(preset.height * PIXEL)
    for layout in list(document.slide_layouts):
        if layout.name not in KEPT:
            document.slide_layouts.remove(layout)
    for sheet in (document.slide_master, *document.slide_layouts):
        for shape in sheet.shapes:
            if shape._element.xpath("./p:spPr/a:xfrm"):  # without a place it follows the master
                shape.left, shape.width = Emu(round(shape.left * wider)), Emu(round(shape.width * wider))
        for background in sheet._element.xpath("./p:cSld/p:bg") if style.transparent else ():
            background.getparent().remove(background)
    _dress(document, style.theme)
    relations = document.part.package._rels
    for name in [name for name, one in relations.items() if one.reltype.endswith("/thumbnail")]:
        relations.pop(name)  # the thumbnail of python-pptx's template
    return document


def _dress(document: Document, theme: Theme) -> None:
    """Set our colours and typeface in the presentation's theme, so that later text has them too."""
    part = document.slide_master.part.part_related_by(RELATIONSHIP_TYPE.THEME)
    xml = part.blob.decode("utf-8")
    accents = (theme.query, theme.key, theme.value, theme.output, theme.primary, theme.muted)
    colours = {"dk1": theme.ink, "lt1": theme.paper, "dk2": theme.muted, "lt2": theme.line}
    colours |= {f"accent{number}": colour for number, colour in enumerate(accents, 1)}
    colours |= {"hlink": theme.primary, "folHlink": theme.output}
    for name, colour in colours.items():
        said = f'<a:{name}><a:srgbClr val="{colour.removeprefix("#")}"/></a:{name}>'
        xml = re.sub(rf"<a:{name}>.*?</a:{name}>", said, xml, count=1, flags=re.DOTALL)
    part._blob = xml.replace('<a:latin typeface="Calibri"', TYPEFACE).encode("utf-8")


def _remember(document: Document, provenance: Mapping[str, str]) -> None:
    """Write the provenance in full into a separate part, and shortened into the document's properties."""
    core, package = document.core_properties, document.part.package
    core.author = core.last_modified_by = SOFTWARE
    core.category, core.revision = "Attention Lab: figure", 1
    for shown, name in SHOWN.items():
        text = provenance.get(name, "")
        setattr(core, shown, text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")
    written = ElementTree.tostring(figure_xml(provenance), encoding="utf-8", xml_declaration=True)
    part = Part(PackURI(f"/{IN_PPTX}"), CONTENT_TYPE.XML, package, written)
    document.part.relate_to(part, RELATIONSHIP_TYPE.CUSTOM_XML)


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
        _add_drawn(slide, wanted, frame, exporter)
    right, bottom = frame.width - frame.margin, frame.height - frame.margin
    if frame.link:
        side = qr_size(frame)
        corner = Rect(right - side, bottom - side, side, side)
        _add_dots(slide, _qr(frame.link), corner, name="QR code", alt="QR code of the link")
    if frame.number:
        box = Rect(frame.width / 2, bottom, frame.width / 2 - frame.margin, frame.margin)
        written = _write(slide, "Slide number", [frame.number], box, number_type(frame), frame.muted)
        written.vertical_anchor, (paragraph,) = MSO_ANCHOR.MIDDLE, written.paragraphs
        paragraph.alignment = PP_ALIGN.RIGHT
        field, (run,) = parse_xml(FIELD), paragraph._p.r_lst
        field.extend(run)
        paragraph._p.replace(run, field)
    if not style.transparent:
        slide.background.fill.solid()
        slide.background.fill.fore_color.rgb = _colour(frame.paper)
    _add_notes(slide, wanted.notes)


def _add_drawn(slide: Page, wanted: Slide, frame: SheetFrame, exporter: Exporter) -> None:
    """Add a picture as SVG, with a PNG for programs that cannot draw it, its title and its caption."""
    assert wanted.picture is not None, "a slide has a body or a picture"
    drawn, alt = exporter.files(wanted.picture), _readable(wanted.picture.provenance["description"])
    fill: Any = _add_dots(slide, drawn["png"], room_in(frame), name="Picture", alt=alt)._element.blipFill
    name = slide.part.package.next_partname("/ppt/media/vector%d.svg")
    part = Part(name, "image/svg+xml", slide.part.package, drawn["svg-outlines"])
    fill.blip.append(parse_xml(VECTOR % slide.part.relate_to(part, RELATIONSHIP_TYPE.IMAGE)))
    width = frame.width - 2 * frame.margin
    if frame.title:
        box = Rect(frame.margin, frame.margin, width, LINE * frame.title_type * len(frame.title))
        _write(slide, TITLE, [wanted.title], box, frame.title_type, frame.ink)
    if frame.caption:
        high = LINE * frame.caption_type * len(frame.caption)
        beside = width - (qr_size(frame) + frame.margin) * bool(frame.link)
        box = Rect(frame.margin, frame.height - frame.margin - high, beside, high)
        _write(slide, "Caption", [wanted.caption], box, frame.caption_type, frame.muted)


def _add_dots(slide: Page, png: bytes, box: Rect, *, name: str, alt: str) -> Picture:
    picture = slide.shapes.add_picture(BytesIO(png), *(Emu(round(one * PIXEL)) for one in box))
    picture.name = name
    picture._element._nvXxPr.cNvPr.set("descr", alt)
    return picture


def _add_notes(slide: Page, markdown: str) -> None:
    """Write the notes, with quoted words in italics."""
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


def _write(slide: Page, name: str, texts: Sequence[str], box: Rect, size: float, colour: str) -> TextFrame:
    """Write paragraphs into a box, aligned left; a title is bold."""
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
        for run in paragraph.runs:  # PowerPoint ignores a paragraph's font
            run.font.size, run.font.bold = Pt(round(size / POINT, 1)), name == TITLE
            run.font.color.rgb = _colour(colour)
    return frame


def _qr(link: str) -> bytes:
    """Return the code on white, whatever the paper: phones read dark on light."""
    written = BytesIO()
    segno.make(link, micro=False, error="m").save(written, kind="png", scale=8, border=QUIET)
    return written.getvalue()


def _readable(text: str) -> str:
    """Replace the characters that XML does not allow."""
    return NOT_IN_XML.sub("\ufffd", text)


def _colour(hexadecimal: str) -> RGBColor:
    return RGBColor.from_string(hexadecimal[1:])  # type: ignore[no-untyped-call]
