"""A lecture as one page of HTML for its students: it needs no server, no network and no typeface."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from html import escape

import orjson

from core.sources import UnavailableError
from figures.document import IN_SCRIPTS, as_image, head, page_of, script
from figures.export_pictures import ExportContext, ExportPicture
from figures.export_request import ExportRequest
from figures.layout import bare_sheet, job
from figures.markup import blocks, set_text
from figures.numbers import html
from figures.own_slides import IN_BROWSER_ONLY, options_of, picture_of, solution_of, title_of
from figures.plain import as_html, plain
from figures.provenance import address, provenance
from figures.rendering import formulas
from figures.rendering.browser import PLOTLY
from figures.rendering.exporter import ExportError
from figures.rendering.job import Job, Plot
from figures.tables import TextTable
from pages.lecture.deck import Deck
from pages.lecture.slide_picture import is_kept_in_browser
from pages.lecture.step import NO_SENTENCE, LectureStep

PUBLIC = re.compile(r"\(p\)\s+(.*)")
"""A line of notes for everybody; all others are for the lecturer alone."""


def handout(deck: Deck, request: ExportRequest, context: ExportContext) -> bytes:
    """Return the page of a lecture: each step with its title, its pictures, its sentence and public notes.

    If the first step is a title slide, the page begins with it.

    Pictures of Plotly are interactive and share one copy of Plotly. The content of a covered step is folded
    away below its question.
    """
    page = _Page(request, context)
    sections = [page.section(number, step) for number, step in enumerate(deck.steps, 1)]
    contents = [
        f'<li><a href="#step-{number}">{escape(_name(step))}</a></li>'
        for number, step in enumerate(deck.steps, 1)
    ]
    title = deck.title or "A lecture"
    heading = f"<h1>{escape(title)}</h1>"
    if deck.steps[0].kind == "title":
        heading, *sections = sections
        contents = contents[1:]
    start = ' start="2"' * (deck.steps[0].kind == "title")
    body = "\n".join([heading, f"<nav><ol{start}>{''.join(contents)}</ol></nav>", *sections])
    scripts = (PLOTLY.read_text("utf-8"), script("lecture.js")) if page.n_plots else ()
    said = provenance(title=title, description="A lecture", link=address(request.link, context.origin))
    characters = frozenset(body) | frozenset(title)
    top = head(title, said, request.style.theme, characters, scripts, style="lecture.css")
    if page.has_formulas:
        top = top.replace("</head>", f"<style>{formulas.style()}</style></head>")
    return page_of(top, body, scripts)


class _Page:
    """The sections of a page, which counts its plots."""

    def __init__(self, request: ExportRequest, context: ExportContext) -> None:
        self.style = replace(request.style, title=False, qr=False)  # the page shows both
        self.context, self.exporter = context, context.exporter
        self.n_plots, self.has_formulas = 0, False

    def section(self, number: int, step: LectureStep) -> str:
        """Return the section of a step."""
        shown = "\n".join(self._slide(step) if step.kind else self._view(step))
        if step.covered:
            title = title_of(step)
            told = f"<p><strong>{escape(title)}</strong></p>\n" if title else ""
            shown = f"<details><summary>Show the answer</summary>\n{told}{shown}\n</details>"
        heading = f"<h2><small>{number}</small> {escape(_name(step))}</h2>"
        if number == 1 and step.kind == "title":
            heading = f"<h1>{escape(_name(step))}</h1>"
        parts = [heading, *_question(step), shown]
        parts += [f'<p class="note">{as_html(line)}</p>' for line in public_notes(step.notes)]
        return "\n".join([f'<section id="step-{number}">', *filter(None, parts), "</section>"])

    def _slide(self, step: LectureStep) -> Iterator[str]:
        picture = picture_of(replace(step, text=""), self.style, self.exporter)
        if is_kept_in_browser(step.picture):
            yield f"<p>{IN_BROWSER_ONLY}</p>"
        elif step.formula and not picture:
            yield f"<p><code>{escape(step.formula)}</code></p>"
        elif picture:
            alt = escape(step.formula or plain(step.text) or step.title)
            kind = "formula" if step.formula else "own"
            yield f'<figure class="{kind}"><img src="{escape(picture)}" alt="{alt}"></figure>'
        yield self._text(step.text)

    def _text(self, markdown: str) -> str:
        """Return the text of a slide; formulas that cannot be set are written in characters."""
        paper = set_text(markdown)
        if paper.in_text:
            wanted = Job(drawn=paper, frame=bare_sheet(self.style.theme, 1, 1), formats=("set-html",))
            with suppress(ExportError):
                made = self.exporter.files(wanted)["set-html"].decode()
                self.has_formulas = True
                return made
        return "".join(blocks(markdown))

    def _view(self, step: LectureStep) -> Iterator[str]:
        try:
            found = self.context.pictures(step.link, self.style.preset, self.style.theme)
        except UnavailableError as error:
            yield f"<p>{escape(plain(str(error)))}</p>"
            return
        view = found[0].answered if found else None
        sentence = step.sentence or str((view and view.sheet.headline) or "")
        if sentence and sentence != NO_SENTENCE:
            yield f'<p class="sentence">{as_html(sentence)}</p>'
        shown = [export_picture for export_picture in found if not export_picture.nothing]
        for at, export_picture in enumerate(shown):
            is_last = at + 1 == len(shown) or shown[at + 1].caption != export_picture.caption
            caption = f"<figcaption>{escape(export_picture.caption)}</figcaption>" if is_last else ""
            yield f"<figure>{self._picture(export_picture)}\n{caption}</figure>"
        link = escape(address(step.link, self.context.origin))
        yield (
            f'<p class="link"><a href="{link}" rel="noreferrer">{link}</a></p>' if self.context.origin else ""
        )

    def _picture(self, export_picture: ExportPicture) -> str:
        """Return a picture: a table as it is, an interactive plot, or else an SVG."""
        if isinstance(export_picture.picture, TextTable) and export_picture.table is not None:
            return html(export_picture.table())
        page, alt = job(export_picture, self.style, ("svg",)), escape(export_picture.alt)
        if not isinstance(page.drawn, Plot):
            return as_image(self.exporter.files(page)["svg"], alt)
        self.n_plots += 1
        return (
            f'<div class="place"><div class="plot" role="img" aria-label="{alt}"></div>'
            f'<script type="application/json">{written(page.drawn)}</script></div>'
        )


def written(plot: Plot) -> str:
    """Return a plot as JSON that cannot end its script; numbers have six significant digits."""
    plain_data = orjson.loads(orjson.dumps(plot, option=orjson.OPT_SERIALIZE_NUMPY))
    return orjson.dumps(_rounded(plain_data)).decode().translate(IN_SCRIPTS)


def _rounded(value: object) -> object:
    match value:
        case float():
            return float(f"{value:.6g}")
        case list():
            return [_rounded(one) for one in value]
        case dict():
            return {name: _rounded(one) for name, one in value.items()}
    return value


def public_notes(notes: str) -> list[str]:
    """Return the lines of notes for everybody."""
    found = map(PUBLIC.match, notes.splitlines())
    return [public[1] for public in found if public]


def _question(step: LectureStep) -> Iterator[str]:
    if not step.question:
        return
    if not step.covered:  # then the question is the heading
        yield f'<p class="question">{as_html(step.question)}</p>'
    yield from (f'<p class="option">{escape(option)}</p>' for option in options_of(step))
    if said := solution_of(step):
        yield f"<details><summary>What is right</summary><p>{escape(said)}</p></details>"


def _name(step: LectureStep) -> str:
    """Return the title of a step, or else its question or its text.

    The title of a covered step can be the answer, so its name is its question, as in the hall.
    """
    if step.covered:
        asked = step.title if step.title.strip().endswith("?") else "What do you expect?"
        return plain(step.question or asked)
    other = plain(step.question or step.text.partition("\n")[0]) or "Without a title"
    return title_of(step) or other
