"""The pictures of a link as slides, and a lecture as a deck: a slide for each of its steps."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from core.sources import UnavailableError
from core.words import counted
from figures.exhibits import Exhibit, exhibits
from figures.layout import job
from figures.order import Style
from figures.plain import plain
from figures.preset import HALF, SLIDE, SQUARE, Preset
from figures.provenance import Provenance, address, version
from figures.rendering.exporter import Exporter
from figures.slides.presentation import presentation
from figures.slides.slide import MARGIN, Drawn, Slide, plan
from pages.contract.measurement import Measure
from pages.lecture.deck import Deck, Step
from pages.sheet import answered

DOTS = 2
"""Dots of a fallback for each pixel: twice those of a screen 1280 wide."""

ORDINARY = plan("One line", "One line").room
"""What a title and a caption of a line leave, for which the pictures of a slide are drawn."""


def on_slide(style: Style) -> Preset:
    """The preset that pictures are drawn for: one for a part of a slide is as wide as that part."""
    preset = style.preset
    width = preset.width - 2 * MARGIN if preset in (HALF, SQUARE) else ORDINARY.width
    return replace(SLIDE, width=round(width), height=round(ORDINARY.height), margin=0, title_type=0)


def of_pictures(found: Sequence[Exhibit], style: Style, exporter: Exporter) -> bytes:
    """Some pictures of a view, a slide for each."""
    slides = [slide(one, style, exporter, notes=notes(one)) for one in found]
    return presentation(slides, style.theme, found[0].provenance.said, transparent=style.transparent)


def slide(exhibit: Exhibit, style: Style, exporter: Exporter, *, notes: str, title: str = "") -> Slide:
    """A picture on a slide, with what is said to it."""
    title = title or exhibit.title
    link = style.coded(exhibit.provenance.link)
    room = plan(title, exhibit.caption, has_qr=bool(link)).room
    preset = replace(on_slide(style), height=round(room.height))
    drawn = job(exhibit, replace(style, preset=preset, title=False, qr=False), ("outlined", "png"), DOTS)
    files = exporter.files(drawn)
    picture = Drawn(files["outlined"], files["png"], drawn.frame.width, drawn.frame.height, exhibit.alt)
    return Slide(title=title, caption=exhibit.caption, notes=notes, picture=picture, link=link)


def notes(exhibit: Exhibit) -> str:
    """What the speaker reads of a picture: the answer, the settings, where it comes from."""
    said = exhibit.provenance.said
    seed = f"Seed {said['seed']}" if "seed" in said else ""
    lines = [exhibit.caption, seed, where(said["link"]), f"Attention Lab {said['version']}"]
    return "\n\n".join(filter(None, [plain(exhibit.answer), "\n".join(filter(None, lines))]))


def where(link: str) -> str:
    """A link for who reads it; one that names no server leads to the same view on each."""
    return f"In Attention Lab: {link}" if link.startswith("/") else link


def of_lecture(
    deck: Deck,
    link: str,
    style: Style,
    exporter: Exporter,
    *,
    origin: str = "",
    measure: Measure | None = None,
) -> bytes:
    """A lecture: a slide with its title, then one for each step."""
    made = partial(_of_step, style=style, exporter=exporter, origin=origin, measure=measure)
    whole = address(link, origin)
    told = f"Attention Lab · {counted(len(deck.steps), 'step')}"
    cover = Slide(title=deck.title, caption=told, notes=where(whole))
    memory = Provenance(title=deck.title, description=told, link=whole, version=version())
    steps = [made(step) for step in deck.steps]
    return presentation(steps, style.theme, memory.said, cover=cover, transparent=style.transparent)


def _of_step(step: Step, style: Style, exporter: Exporter, *, origin: str, measure: Measure | None) -> Slide:
    """A step: its first picture, or else the answer of its view in large letters."""
    link = address(step.link, origin)
    try:
        found = exhibits(step.link, on_slide(style), style.theme, origin=origin, measure=measure)
        first = next((one for one in found if not one.nothing), None)
        if first is not None:
            return slide(first, style, exporter, notes=_said(step, first.answer, link), title=step.title)
        sheet = answered(step.link, measure=measure)
        question, answer = sheet.question, str(sheet.sheet.answer or "")
    except UnavailableError as error:
        question, answer = "", str(error)
    return Slide(
        title=step.title or plain(question) or link,
        notes=_said(step, answer, link),
        statement=plain(answer),
        link=style.coded(link),
    )


def _said(step: Step, answer: str, link: str) -> str:
    """What the lecturer reads of a step."""
    question = f"Question: {plain(step.question)}" if step.question else ""
    return "\n\n".join(filter(None, [plain(step.notes).strip(), question, plain(answer), where(link)]))
