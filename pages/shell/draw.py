"""Draws the sheet of a view on the page."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.sources import SOURCES
from core.text.tokenizer import words_of
from pages.browser import lecture
from pages.browser.cover import draw_plate, under_cover
from pages.browser.owner import Visitor
from pages.browser.picture import following_clicks, linked_expander
from pages.browser.questions import ask_first
from pages.browser.screen import look
from pages.contract.ask import ROW, Ask
from pages.contract.cover import ask_cover, cover_key
from pages.contract.items import Asked
from pages.contract.live import PERIOD, Live
from pages.contract.measurement import Measured, Measurement
from pages.contract.program import Program
from pages.contract.scene import Scene
from pages.contract.seen import Seen
from pages.contract.sheet import Columns, Part, Sheet, Text
from pages.contract.view import View
from pages.shell.devices import on_a_device_that_works
from pages.shell.items import draw_items
from pages.shell.known_words import propose
from pages.shell.lecture_layout import draw_lecture
from pages.shell.measuring import measured
from pages.shell.parts import Parts, draw_text
from pages.shell.seen import remember_session
from pages.shell.sentence import draw_unknown_pieces, draw_unknown_words
from pages.state.link import here, part_of_page
from pages.state.notes import HERE, note_unfollowed
from pages.state.page_answers import PageAnswers
from pages.terms.underlined import underlined

PREDICT = "predict"
"""The parameter that says whether a view asks first."""

Cover = Callable[[str], AbstractContextManager[Any]]
"""Covers what stands in it while the questions of its view are asked; a name tells it from others."""


@dataclass(frozen=True)
class Desk:
    """Where a page writes what does not stand below what was written last: notes, and unknown words.

    In a lecture also its controls, which are `folded` away. The page has `followed` these parameters of the
    link before its view asks for others.
    """

    notes: DeltaGenerator
    unknown: DeltaGenerator
    folded: DeltaGenerator | None = None
    followed: frozenset[str] = frozenset()

    def controls(self) -> AbstractContextManager[object]:
        """Where controls stand that are not part of the sheet, or that a lecture folds away."""
        return nullcontext() if self.folded is None else self.folded

    def draw_notes(self, notes: Sequence[Text]) -> None:
        """Say something above the page."""
        with self.notes:
            for note in notes:
                draw_text(note)

    def draw_below_sentence(self, said: Sequence[Text], cover: Cover) -> None:
        """Say something of the sentence below its box."""
        with self.unknown, cover("below_sentence"):
            for part in said:
                draw_text(part)

    def draw_unknown(self, scene: Scene, positions: Sequence[int]) -> None:
        """Name the words at these positions as unknown to the model, above the picture."""
        with self.unknown:
            if scene.pieces is not None:
                draw_unknown_pieces(scene.pieces)
                return
            if not positions:
                return
            with st.container(
                horizontal=True, vertical_alignment="center", gap="small", key="examples_known"
            ):
                draw_unknown_words(scene.words, positions)
                if scene.switches.source in SOURCES:
                    propose(scene.words, positions, real=scene.may_be_real, random=scene.may_be_random)


@dataclass
class _Row:
    """The row of controls above the picture: on the page as soon as something needs it."""

    ask: Ask
    desk: Desk
    cover: Cover
    container: DeltaGenerator | None = None
    n_drawn: int = 0

    def drawn(self) -> DeltaGenerator:
        """Draw the controls asked for since the last time, and return where they stand."""
        items = self.ask.items[ROW]
        if self.container is None and not items:
            return HERE
        if self.container is None:
            # Its menus may name words that the view has found.
            with self.desk.controls(), self.cover("row"):
                self.container = st.container(horizontal=True, vertical_alignment="center", key="inline_row")
        with self.container:
            draw_items(items[self.n_drawn :])
        self.n_drawn = len(items)
        return self.container

    def measured(self, what: Measurement) -> Measured:
        """Return what was measured, with a button after the controls."""
        return measured(what, self.drawn())


def draw_view(view: View, name: str, scene: Scene, ask: Ask, desk: Desk) -> None:
    """Draw the sheet of a view with the program behind it. Raises UnavailableError as the view does.

    `name` is that of the view among those of all pages.
    """
    n_noted = len(ask.notes)
    is_covered = ask_cover(ask)
    row = _Row(ask, desk, _cover_of_link(name) if is_covered else _uncovered)
    ask.look, ask.measured_by, ask.trainee = look(), row.measured, Visitor()
    try:
        sheet = view.sheet(ask, scene)
    finally:
        row.drawn()
        desk.draw_notes(ask.notes[n_noted:])
    if not isinstance(sheet, Live):
        _draw_sheet(sheet, view, name, scene, ask, desk, is_covered)
        remember_session(Seen(ask.measured))
        return
    is_active = sheet.is_active()
    watch = st.fragment(_watch, run_every=PERIOD if is_active else None)
    watch(view, name, sheet, scene, is_active, is_covered, desk.followed | ask.answers.followed)


@on_a_device_that_works
def _watch(
    view: View,
    name: str,
    live: Live,
    scene: Scene,
    was_active: bool,
    is_covered: bool,
    followed: frozenset[str],
) -> None:
    """Draw what goes on as it is now; when it starts or stops, the page answers with another clock."""
    if live.is_active() != was_active:
        st.rerun()
    with st.container(key="steady"), part_of_page("live") as is_whole:
        notes = st.container()
        ask, now = Ask(PageAnswers(notes), look(), trainee=Visitor()), live.look()
        desk = Desk(notes, notes, followed=followed)
        _draw_sheet(live.sheet(ask, now), view, name, scene, ask, desk, is_covered)
        remember_session(Seen(live=now))
        is_whole()


def _draw_sheet(
    sheet: Sheet, view: View, name: str, scene: Scene, ask: Ask, desk: Desk, is_covered: bool
) -> None:
    note_unfollowed(here(), desk.followed | ask.answers.followed, desk.notes)
    sheet = underlined(sheet, _typed(scene, ask))
    desk.draw_notes(sheet.notes)
    if sheet.unknown or scene.pieces is not None:
        desk.draw_unknown(scene, sheet.unknown)
    cover = _ask_first(view, name, sheet, ask)
    if is_covered:
        draw_plate(cover_key(name, "revealed"))
        cover = _cover_of_link(name)
    desk.draw_below_sentence(sheet.below_sentence, cover)
    with cover("sheet"), following_clicks():
        if lecture.is_on():
            draw_lecture(sheet, Parts(ask, sheet.answer), desk.folded, cover)
        else:
            _draw_parts(sheet, Parts(ask, sheet.answer))
    if (program := sheet.program()) is not None:
        draw_program(program)


def _uncovered(what: str) -> AbstractContextManager[Any]:
    return nullcontext()


def _cover_of_link(name: str) -> Cover:
    return partial(under_cover, cover_key(name, "revealed"))


def _ask_first(view: View, name: str, sheet: Sheet, ask: Ask) -> Cover:
    """Ask the questions of a view, where that is wanted; returns what covers what they are about."""
    if not view.asks or ask.answers.spelling(PREDICT) != "true":
        return _uncovered
    questions = [question for question in sheet.questions() if question is not None]
    ask_first(cover_key(name, "answered"), questions)
    return partial(under_cover, cover_key(name, "answered")) if questions else _uncovered


def _draw_parts(sheet: Sheet, parts: Parts) -> None:
    """The answer, where no column has it, and the parts below it."""
    if sheet.answer and not any(_has_headline(part) for part in sheet.parts):
        parts.draw_headline()
    for part in sheet.parts:
        parts.draw(part)


def _has_headline(part: Part) -> bool:
    return isinstance(part, Columns) and part.headline_in is not None


def _typed(scene: Scene, ask: Ask) -> set[str]:
    """The words in the boxes, which are no terms whatever they say."""
    asked = (item for items in ask.items.values() for item in items if isinstance(item, Asked))
    lines = [str(one.value) for one in asked if one.control.kind == "text"]
    return {*map(str, (*scene.words, *scene.other)), *words_of(" ".join(lines))}


def draw_program(program: Program) -> None:
    """Show the program below the view; it is written only when the reader opens it."""
    expander = linked_expander("Code", "code")
    if expander.open:
        expander.caption(f"Run it in the app's folder: it prints {program.prints}.")
        expander.code(program.write(), language="python")
