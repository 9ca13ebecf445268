"""Slides of a lecture that show no view, and own questions, for files of slides and for the hand-out."""

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from string import ascii_uppercase

from PIL import Image

from figures.export_pictures import ExportPicture, ScriptDrawing
from figures.export_request import Style
from figures.layout import NODES, bare_sheet, job
from figures.markup import has_formula, set_text
from figures.plain import plain
from figures.provenance import provenance
from figures.rendering import fonts
from figures.rendering.exporter import Exporter, ExportError
from figures.rendering.job import FORMULA, Job, Paper
from figures.slides.slide import Slide, within
from pages.lecture.slide_picture import bytes_of, is_kept_in_browser
from pages.lecture.step import LectureStep

IN_BROWSER_ONLY = "This picture is in the file of the lecture, and not in its link."

END = "The end"

SHEET = 2400, 900
"""Pixels of the sheet on which a formula is set, before its edge is cut off."""

TEXT_SHEET = 1180, 3000
"""Pixels of the sheet on which a text with formulas is set; it is cut off below the text."""

LEAST_HEIGHT = 420
"""Pixels of a text with formulas at least: a short one is not magnified."""

TEXT_STYLE = f""".text {{ font: 30px/1.45 {fonts.STACK}; padding: 4px 10px }}
.text :is(p, ul, ol) {{ margin: 0 0 14px }} .text :is(ul, ol) {{ padding-left: 1.4em }}
.text h3 {{ margin: 18px 0 8px; font-size: 34px }} .text .katex-display {{ margin: 22px 0 }}"""

BULLET = re.compile(r"^(?:[-*+]|#{1,6})\s+")
"""The sign of Markdown before an item of a list, or a heading."""


def lines_of(step: LectureStep) -> tuple[str, ...]:
    """Return the paragraphs below the title of a slide, without Markdown."""
    missing = (IN_BROWSER_ONLY,) if is_kept_in_browser(step.picture) else ()
    paragraphs = (plain(line.strip()) for line in step.text.splitlines())
    return (*missing, *filter(None, map(_item, paragraphs)))


def title_of(step: LectureStep) -> str:
    """Return the title of a slide; the last slide has one by default, others can do without."""
    return step.title or (END if step.kind == "end" else "")


def options_of(step: LectureStep) -> tuple[str, ...]:
    """Return the options of a question with letters; items to put in order are sorted alphabetically."""
    options = sorted(step.options, key=str.casefold) if step.answer_kind == "order" else step.options
    return tuple(f"{letter}. {text}" for letter, text in zip(ascii_uppercase, options, strict=False))


def solution_of(step: LectureStep) -> str:
    """Return the lecturer's solution as a sentence; empty if there is none."""
    if step.answer_kind == "order":
        return f"In the right order: {', '.join(step.options)}."
    if step.answer_kind == "drawing" and step.right:
        bars = zip(step.options, step.right.split(), strict=True)
        return f"Right: {', '.join(f'{name} {height}' for name, height in bars)}."
    return f"Right: {step.right}." if step.right else ""


def own_slides(step: LectureStep, style: Style, notes: str, exporter: Exporter) -> Iterator[Slide]:
    """Yield a slide with the title and the words of a step, or with its picture or its formula."""
    title, lines = title_of(step), lines_of(step)
    spoken = "\n\n".join(filter(None, (notes, f"`{step.formula}`" * bool(step.formula))))
    picture = picture_of(step, style, exporter)
    if picture and is_set(step):
        lines = ()
    if not picture:
        lines = (step.formula, *lines) if step.formula else lines
        yield Slide(title=title or next(iter(lines), ""), body=lines if title else lines[1:], notes=spoken)
        return
    slide = Slide(title=title, caption=" ".join(lines), notes=spoken)
    bare = replace(style, preset=within(style, slide), title=False, qr=False)
    yield replace(slide, picture=job(as_export_picture(step, picture), bare, ("svg-outlines", "png")))


def picture_of(step: LectureStep, style: Style, exporter: Exporter) -> str:
    """Return the picture of a slide, its formula, or its text if that has formulas, as a data URL.

    It is empty if there is none: a link can leave a picture in a browser, and LaTeX can be wrong.
    """
    if not step.formula and not is_set(step):
        return "" if is_kept_in_browser(step.picture) else step.picture
    try:
        return _set(step, style, exporter) if is_set(step) else _typeset(step.formula, style, exporter)
    except ExportError:
        return ""


def is_set(step: LectureStep) -> bool:
    """Return whether the text of a slide is set with its formulas; beside a picture there is no room."""
    return not step.picture and has_formula(step.text)


def _set(step: LectureStep, style: Style, exporter: Exporter) -> str:
    """Return the text of a slide as PNG, below its formula if it has one. Raises ExportError."""
    paper = set_text(step.text)
    above = f'<div class="formula">{FORMULA}</div>' if step.formula else ""
    look = f".text {{ color: {style.theme.ink} }} .formula .katex-display {{ font-size: 44px }}\n{TEXT_STYLE}"
    html = f'<div class="text">{above}{paper.html}</div>'
    paper = replace(paper, html=html, style=look, formula=step.formula)
    return _cut(paper, TEXT_SHEET, style, exporter, is_as_wide=True)


def _typeset(formula: str, style: Style, exporter: Exporter) -> str:
    """Return a formula as PNG without an empty edge. Raises ExportError if it is not LaTeX."""
    look = f".formula {{ width: max-content }} .katex-display {{ margin: 40px; color: {style.theme.ink}; "
    look += "font-size: 56px }"
    paper = Paper(html=f'<div class="formula">{FORMULA}</div>', style=look, formula=formula)
    return _cut(paper, SHEET, style, exporter)


def _cut(
    paper: Paper, sheet: tuple[int, int], style: Style, exporter: Exporter, *, is_as_wide: bool = False
) -> str:
    """Return a page as PNG without its empty edge, or as wide as its sheet. Raises ExportError."""
    frame = bare_sheet(style.theme, *sheet)
    dots = exporter.files(Job(drawn=paper, frame=frame, formats=("png",)))["png"]
    written = BytesIO()
    with Image.open(BytesIO(dots)) as image:
        box = image.convert("RGBA").getchannel("A").getbbox() or (0, 0, 1, 1)
        if is_as_wide:
            dot = image.width / frame.width
            box = (0, 0, image.width, min(image.height, max(box[3], round(LEAST_HEIGHT * dot))))
        image.crop(box).save(written, "PNG")
    return _as_url(written.getvalue())


def _as_url(png: bytes) -> str:
    return f"data:image/png;base64,{b64encode(png).decode('ascii')}"


def as_export_picture(step: LectureStep, picture: str) -> ExportPicture:
    """Return the picture of a slide as an `ExportPicture`."""
    href, width, height = as_png(picture)
    alt = step.formula or plain(step.text) or step.title or "Picture of a slide"
    node = ("image", {"href": href, "width": width, "height": height}, "")
    data = {"width": width, "height": height, "nodes": [node], "alt": alt}
    drawn = ScriptDrawing(script=NODES.read_text("utf-8"), style="", data=data, table=None, title=step.title)
    said = provenance(title=step.title, description=alt)
    return ExportPicture("picture", drawn, "", said, ("slide",))


def as_png(picture: str) -> tuple[str, int, int]:
    """Return a picture as a data URL that Office can show, and its size: Office knows no WebP."""
    with Image.open(BytesIO(bytes_of(picture))) as image:
        if image.format != "WEBP":
            return picture, image.width, image.height
        written = BytesIO()
        image.save(written, "PNG")
        return _as_url(written.getvalue()), image.width, image.height


def _item(line: str) -> str:
    """Return a line of a list with the bullet of a slide."""
    return BULLET.sub("• ", line)
