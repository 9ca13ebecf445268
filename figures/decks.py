"""The pictures of a link as slides, and a lecture as a deck."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import chain
from string import ascii_uppercase

from core.sources import UnavailableError
from figures.export_pictures import ExportContext, ExportPicture
from figures.export_request import NO_SLIDE, ExportRequest, ExportRequestError, Style
from figures.layout import job
from figures.own_slides import options_of, own_slides, solution_of
from figures.plain import plain, quoting
from figures.preset import Preset
from figures.provenance import address, provenance, version
from figures.rendering.exporter import Exporter
from figures.slides.presentation import presentation
from figures.slides.slide import Slide, pages, within
from pages.contract.prose import literal
from pages.contract.question import Arrange, Choose, Question, solution
from pages.lecture.deck import Deck
from pages.lecture.step import NO_SENTENCE, LectureStep
from pages.sheet import build_sheet

IN_THE_APP = re.compile(r"(?<!\S)\(h\)\s.*")
"""The part of a line of notes about controls of the app: a file has none."""

LONGEST_ON_COVER = 120
"""Characters of the longest link that a title slide shows; a longer link is only in its notes."""


def on_slide(style: Style) -> Preset:
    """Return the preset of pictures on slides. Raises ExportRequestError for a preset of print."""
    if not style.preset.is_slide:
        raise ExportRequestError(NO_SLIDE)
    return within(style, Slide(title="A line", caption="A line"))


def of_pictures(found: Sequence[ExportPicture], style: Style, exporter: Exporter) -> bytes:
    """Return PPTX with a slide for each picture."""
    said = found[0].provenance
    return presentation((_drawn(one, style) for one in found), style, said, exporter)


def of_lecture(deck: Deck, request: ExportRequest, context: ExportContext) -> bytes:
    """Return a lecture as PPTX or PDF: its title slide or one made for it, then the slides of each step."""
    style, link, today = request.style, address(request.link, context.origin), date.today()
    preset = on_slide(style)
    body = (f"{today.day} {today:%B %Y}", _where(link))
    shown = tuple(line for line in body if len(line) <= LONGEST_ON_COVER)
    cover = Slide(title=deck.title, body=shown, notes=_literal(_where(link)))
    asked: set[str] = set()
    steps = chain.from_iterable(_of_step(step, style, preset, asked, context) for step in deck.steps)
    first = next(steps) if deck.steps[0].kind == "title" else cover
    if first is not cover:
        first = replace(first, notes=_joined(first.notes, cover.notes))
    numbered = (replace(slide, number=number) for number, slide in enumerate(steps, 2))
    said = provenance(title=deck.title, description="A lecture", link=link)
    write = presentation if request.kind == "pptx" else pages
    return write(chain([first], numbered), style, said, context.exporter)


def notes_in_a_file(notes: str) -> str:
    """Return the notes of a step without the parts on controls."""
    lines = (IN_THE_APP.sub("", line).strip() for line in notes.splitlines())
    return "\n".join(filter(None, lines))


def _of_step(
    step: LectureStep, style: Style, preset: Preset, asked: set[str], context: ExportContext
) -> Iterator[Slide]:
    """Yield the slides of a step: its question, then its pictures, or else the headline of its view.

    A step without a question gets the first question of its view that was not `asked` before.
    """
    spoken = notes_in_a_file(step.notes)
    if step.kind:
        if step.question:
            yield _asked(step, spoken, "")
        yield from own_slides(step, style, spoken, context.exporter)
        return
    link = address(step.link, context.origin)
    last = Slide(title=step.title, notes=_joined(spoken, _literal(_where(link))), link=style.coded(link))
    try:
        found = context.pictures(step.link, preset, style.theme)
        view = (found[0].answered if found else None) or build_sheet(step.link, measure=context.measure)
    except UnavailableError as error:
        yield replace(last, title=step.title or link, body=(str(error),))
        return
    answer = str(view.sheet.headline or "")
    other = next((one for one in view.questions if one.text not in asked), None)
    if step.question:
        yield _asked(step, spoken, answer)
    elif other is not None:
        asked.add(other.text)
        solved = f"{solution(other)}. {other.because}"
        yield Slide(title=quoting(other.text), body=tuple(_options(other)), notes=solved)
    shown = [one for one in found if not one.nothing]
    if not shown:
        yield replace(last, title=step.title or plain(view.question), body=(quoting(answer),))
    for number, one in enumerate(shown):
        said = "" if number or step.sentence == NO_SENTENCE else plain(step.sentence)
        of_step = {} if number else {"title": step.title, "notes": spoken}
        yield _drawn(one, style, said=said, **of_step)


def _asked(step: LectureStep, spoken: str, answer: str) -> Slide:
    """Return the slide of the question of a step, with its options."""
    notes = _joined(_literal(solution_of(step)) or answer, spoken)
    return Slide(title=plain(step.question), body=options_of(step), notes=notes)


def _options(question: Question) -> Iterator[str]:
    """Yield what can be chosen or put in order, with letters."""
    texts = question.items if isinstance(question, Arrange) else ()
    texts = tuple(one.text for one in question.options) if isinstance(question, Choose) else texts
    yield from (f"{letter}. {quoting(text)}" for letter, text in zip(ascii_uppercase, texts, strict=False))


def _drawn(
    export_picture: ExportPicture, style: Style, *, title: str = "", notes: str = "", said: str = ""
) -> Slide:
    """Return a picture as a slide; under another `title`, its own one stands in the caption after `said`."""
    caption = " · ".join(filter(None, (said, export_picture.title * bool(title), export_picture.caption)))
    link, alt = export_picture.link, _literal(export_picture.alt)
    spoken = _joined(
        notes, alt, export_picture.headline, _literal(export_picture.caption), _literal(_where(link))
    )
    slide = Slide(title=title or export_picture.title, caption=caption, notes=spoken, link=style.coded(link))
    bare = replace(style, preset=within(style, slide), title=False, qr=False)
    return replace(slide, picture=job(export_picture, bare, ("svg-outlines", "png")))


def _where(link: str) -> str:
    """Return the line that names the app, its version and the link, if there is one."""
    return f"Attention Lab {version()}: {link}" if link else f"Attention Lab {version()}"


def _joined(*markdown: str) -> str:
    return "\n\n".join(filter(None, markdown))


def _literal(text: str) -> str:
    """Return Markdown that shows the text as it is."""
    return literal(text, longest=len(text))
