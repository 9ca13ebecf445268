"""Notes of the path for paper: a page of each stop, with its picture, its formula and what to remember."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from io import BytesIO
from pathlib import Path

import segno
from pypdf import PdfWriter

from core.sources import UnavailableError
from figures.export_pictures import ExportContext, ExportPicture
from figures.export_request import ExportRequest, ExportRequestError, Style
from figures.layout import bare_sheet, job
from figures.plain import as_html, plain
from figures.preset import MM, POINT, Preset
from figures.provenance import address, provenance, version
from figures.rendering.job import FORMULA, Job, Paper
from figures.rendering.marks import in_pdf
from pages.contract.link_parameters import parsed
from pages.path.stops import NOTES, STOPS, Stop, path_at
from viz.theme import THEMES, Theme

TITLE = "Notes of the path"

ONLY_PDF = "The notes of the path are saved as PDF."
ONLY_PAPER = "The notes of the path are for paper: their theme is light or grey."
ONLY_A4 = "The notes of the path are A4 pages with titles: their only switch is qr."

WIDTH, HEIGHT = round(210 * MM), round(297 * MM)
"""Pixels of a sheet A4."""

SHEET = Preset(
    name=NOTES,
    label="A4",
    width=WIDTH - round(36 * MM),
    height=round(118 * MM),
    least_type=6 * POINT,
    body_type=8 * POINT,
    title_type=0,
    margin=0,
)
"""The room of a picture on its page."""

STYLE = Path(__file__).with_suffix(".css")


def is_of_notes(request: ExportRequest) -> bool:
    """Return whether a request is for the notes of the path."""
    return request.key == NOTES and not parsed(request.link)[0]


def of_path(request: ExportRequest, context: ExportContext) -> bytes:
    """Return the notes as PDF, a page A4 for each stop. Raises ExportRequestError and ExportError."""
    if request.kind != "pdf":
        raise ExportRequestError(ONLY_PDF)
    if request.style.theme == THEMES["dark"]:
        raise ExportRequestError(ONLY_PAPER)
    if replace(request.style, theme=Style.theme, qr=False) != Style():
        raise ExportRequestError(ONLY_A4)
    writer = PdfWriter()
    for number, stop in enumerate(STOPS, 1):
        page = _page(number, stop, request.style, context)
        writer.append(BytesIO(page), outline_item=f"{number} {stop.title}")
    written = BytesIO()
    writer.write(written)
    said = provenance(
        title=TITLE, description="A page of each stop of the path", link=address("/", context.origin)
    )
    return in_pdf(written.getvalue(), said, (WIDTH, HEIGHT))


def _page(number: int, stop: Stop, style: Style, context: ExportContext) -> bytes:
    theme, link = style.theme, address(path_at(stop.on_paper, number), context.origin)
    lines = "".join(f"<li>{as_html(line)}</li>" for line in stop.remember)
    place = f'<a href="{escape(link)}">{escape(link)}</a>' if context.origin else escape(link)
    code = segno.make(link, micro=False, error="m").svg_inline(border=0) if style.coded(link) else ""
    parts = (
        f'<header><p class="of">Stop {number} of {len(STOPS)}</p><h1>{as_html(stop.title)}</h1>',
        f'<p class="goal">You will be able to {as_html(stop.goal)}.</p></header>',
        _figure(stop, style, context),
        f'<div class="formula">{FORMULA}</div>' if stop.formula else "",
        f"<section><h2>Remember</h2><ol>{lines}</ol></section>",
        f"<footer><span>Attention Lab {version()}: {place}</span>",
        f'<span class="qr">{code}</span>' if code else "",
        f'<span class="number">{number} / {len(STOPS)}</span></footer>',
    )
    html = f'<div class="page">{"".join(parts)}</div>'
    paper = Paper(html=html, style=_look(theme), formula=stop.formula)
    frame = bare_sheet(theme, WIDTH, HEIGHT)
    return context.exporter.files(Job(drawn=paper, frame=frame, formats=("pdf",)))["pdf"]


def _figure(stop: Stop, style: Style, context: ExportContext) -> str:
    """Return the picture of a stop as HTML, or the reason why it has none."""
    try:
        found = context.pictures(stop.on_paper.path, SHEET, style.theme)
    except UnavailableError as error:
        return f"<p>{escape(plain(str(error)))}</p>"
    one = _chosen(found, stop.picture)
    bare = replace(style, preset=SHEET, title=False, qr=False, transparent=False)
    drawn = context.exporter.files(job(one, bare, ("svg",)))["svg"].decode("utf-8")
    caption = f"<b>{escape(one.title)}</b> {escape(one.caption)}"
    return f"<figure>{drawn}<figcaption>{caption}</figcaption></figure>"


def _chosen(found: Sequence[ExportPicture], key: str) -> ExportPicture:
    """Return the picture of a key, or the first."""
    return next(one for one in found if key in ("", one.key))


def _look(theme: Theme) -> str:
    """Return the style of a page in the colours of a theme."""
    style = STYLE.read_text("utf-8")
    colours = {"ink": theme.ink, "muted": theme.muted, "line": theme.line, "paper": theme.paper}
    for name, colour in colours.items():
        style = style.replace(f"VAR_{name}", colour)
    return style
