"""Draws the sheet of a view on the page."""

import secrets
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.device import choose_device, describe
from core.priority import yield_to_requests
from core.sources import SOURCES
from core.text.tokenizer import words_of
from pages.browser import large
from pages.browser.cover import cover_key, draw_plate, under_cover
from pages.browser.owner import Visitor
from pages.browser.picture import following_clicks, linked_expander
from pages.browser.questions import PageQuestions, ask_first, offer_to_room
from pages.browser.questions.room_questions import settings_of
from pages.browser.screen import look
from pages.contract.ask import ROW, Ask
from pages.contract.badge import frame_of, sentences_of
from pages.contract.measurement import NOTHING, Measurement, MeasurementResult
from pages.contract.parameters import in_view
from pages.contract.scene import Scene
from pages.contract.session_results import SESSION_RESULTS, SessionResults
from pages.contract.sheet import Columns, Sheet, Text
from pages.contract.unused_parameters import unfollowed_named
from pages.contract.view import Live, View
from pages.contract.words import unknown_named
from pages.shell.devices import with_cpu_fallback
from pages.shell.first_screen import MORE_KEY, FirstScreen
from pages.shell.items import draw_items
from pages.shell.known_words import propose
from pages.shell.large import draw_large
from pages.shell.parts import Parts, draw_text
from pages.shell.sentence import draw_unknown_pieces
from pages.shell.text_links import linked
from pages.state.link import current_state, drawing, part_of_page
from pages.state.session_parameters import HERE, SessionParameters, warn
from pages.terms.underlined import underlined

PERIOD = 0.7
"""Seconds between two drawings of a running process."""

MEASURING = Lock()
"""Lock around measurements: two at once would slow each other down, and all other visitors too."""

BUSY = "Another visitor is measuring or training here. Press the button again in a minute."

RESULTS = "token of what is seen"

PREDICT = "predict"

Cover = Callable[[str], AbstractContextManager[Any]]
"""Function that returns a cover for results while the questions are asked, by its name."""


@dataclass(frozen=True)
class PageSlots:
    """Slots of a page that its view fills: notes, below the sentence, beside the views, in the sidebar.

    Their content goes when another view is chosen. In the large view controls are `folded` away. The page has
    `followed` these parameters of the link before its view asks for others. The `first` screen of a stop
    shows few controls.
    """

    notes: DeltaGenerator
    text: DeltaGenerator
    views: DeltaGenerator = HERE
    sidebar: DeltaGenerator = HERE
    folded: DeltaGenerator | None = None
    followed: frozenset[str] = frozenset()
    first: FirstScreen = field(default_factory=FirstScreen)

    def draw_notes(self, notes: Sequence[Text]) -> None:
        """Add notes above the page."""
        with self.notes:
            for note in notes:
                draw_text(note)

    def draw_unknown(self, scene: Scene, positions: Sequence[int]) -> None:
        """Name the words at these positions as unknown to the model, above the picture."""
        unknown = positions if scene.pieces is None else scene.pieces.unknown
        if not unknown:
            return
        row: Any = {"horizontal": True, "vertical_alignment": "center", "gap": "small"}
        with self.text, st.container(key="examples_known", **row):
            if scene.pieces is not None:
                draw_unknown_pieces(scene.pieces)
                return
            st.markdown(linked(unknown_named(scene.words, positions)), width="content")
            if scene.switches.source in SOURCES:
                propose(scene.words, positions, real=scene.usual_real, random=scene.may_be_random)


@dataclass
class _Row:
    """The row of controls above the picture, drawn when something first needs it."""

    ask: Ask
    slots: PageSlots
    cover: Cover
    container: DeltaGenerator | None = None
    n_drawn: int = 0

    def draw_waiting(self) -> DeltaGenerator:
        """Draw the controls asked for since the last call, and return their container."""
        items = self.ask.items[ROW][self.n_drawn :]
        kept = self.slots.first.keep(items)
        self.n_drawn += len(items)
        if self.container is None and not kept:
            return HERE
        if self.container is None:
            slot = nullcontext() if self.slots.folded is None else self.slots.folded
            with slot, self.cover("row"):  # its menus may name words from the results
                self.container = st.container(horizontal=True, vertical_alignment="center", key="inline_row")
        with self.container:
            draw_items(kept)
        return self.container

    def measured(self, what: Measurement) -> MeasurementResult:
        """Return what was measured, with a button after the controls."""
        return measurement_with_button(what, self.draw_waiting())


def draw_view(view: View, name: str, scene: Scene, ask: Ask, slots: PageSlots) -> None:
    """Draw the sheet of a view, by its `name` among all pages. Raises UnavailableError as the view does."""
    n_noted = len(ask.notes)
    *_, is_covered = (
        ask.parameters.value(in_view(flag)) for flag in ("presenter", "titled", "unsaid", "cover")
    )
    row = _Row(ask, slots, _cover_of_link(name) if is_covered else nullcontext)
    ask.look = replace(look(), panel=ask.parameters.value(in_view("panel")))
    ask.measured_by, ask.trainee = row.measured, Visitor()
    try:
        sheet = view.sheet(ask, scene)
    finally:
        row.draw_waiting()
        slots.draw_notes(ask.notes[n_noted:])
    if not isinstance(sheet, Live):
        _draw_sheet(sheet, name, scene, ask, slots, is_covered)
        remember_session(SessionResults(ask.measured))
        return
    is_active = sheet.is_active()
    watch = st.fragment(_watch, run_every=PERIOD if is_active else None)
    followed = slots.followed | ask.parameters.followed
    watch(name, sheet, scene, is_active, is_covered, followed, slots.first.switches)


@with_cpu_fallback
def _watch(
    name: str,
    live: Live,
    scene: Scene,
    was_active: bool,
    is_covered: bool,
    followed: frozenset[str],
    switches: frozenset[str] | None,
) -> None:
    """Draw a running process in its present state; when it starts or stops, rerun with another period.

    If it stops while the page is being drawn, the next tick notices it: two drawings of a page at once would
    reach the browser in one burst, of which the browser may skip the first half.
    """
    is_active, is_tick = live.is_active(), not drawing().part
    if is_active != was_active and (is_active or is_tick):
        st.rerun()
    with st.container(key="steady"), part_of_page("live") as is_whole:
        notes = st.container()
        ask, now = Ask(SessionParameters(notes), look(), trainee=Visitor()), live.look()
        # The sidebar is outside of this part of the page, which is rerun alone.
        first = FirstScreen(switches, key=f"{MORE_KEY}_below")
        slots = PageSlots(notes, notes, followed=followed, first=first)
        _draw_sheet(live.sheet(ask, now), name, scene, ask, slots, is_covered)
        first.draw_moved()
        remember_session(SessionResults(live=now))
        is_whole()


def measurement_with_button(what: Measurement, row: DeltaGenerator) -> MeasurementResult:
    """Return the last measurement; a button in the row of controls measures anew."""
    label = what.label or f"Measure on {describe(choose_device())}"
    is_asked = row.button(label, key=f"measure_{what.key}", icon=what.icon)
    progress = st.empty()
    kept: MeasurementResult = what.shared() if what.is_shared else st.session_state.get(what.key, NOTHING)
    if not is_asked or (what.is_shared and kept is not NOTHING):
        return kept
    if not MEASURING.acquire(blocking=False):
        progress.info(BUSY)
        return kept
    try:
        parts: list[Any] = []
        for said, part in yield_to_requests(what.parts()):
            parts.append(part)
            progress.progress(len(parts) / what.n_parts, said)
    finally:
        MEASURING.release()
    progress.empty()
    found = MeasurementResult(what.about, tuple(parts))
    if what.is_shared:
        what.share(found)
    else:
        st.session_state[what.key] = found
    return found


def remember_session(seen: SessionResults) -> None:
    """Keep the results of this session alone, if there are any, and send its page the token."""
    if seen != SessionResults():
        token = st.session_state.setdefault(RESULTS, secrets.token_urlsafe(16))
        SESSION_RESULTS.keep(token, seen)
        st.html(f'<i hidden data-seen="{token}"></i>')


def _draw_sheet(sheet: Sheet, name: str, scene: Scene, ask: Ask, slots: PageSlots, is_covered: bool) -> None:
    without_effect = current_state().unfollowed(slots.followed | ask.parameters.followed)
    warn(slots.notes, unfollowed_named(without_effect))
    sheet = underlined(sheet, _typed(scene, ask))
    slots.draw_notes(sheet.notes)
    if sheet.unknown or scene.pieces is not None:
        slots.draw_unknown(scene, sheet.unknown)
    cover = _ask_first(name, sheet, scene, ask, slots.followed)
    if is_covered:
        draw_plate(cover_key(name, "revealed"), frame_of(sheet, scene, ask))
        cover = _cover_of_link(name)
    if large.is_on():
        offer_to_room(_questions(name, sheet, scene, ask, slots.followed))
    with slots.text, cover("below_sentence"):
        for text in sheet.below_sentence:
            draw_text(text)
    with cover("sheet"), following_clicks():
        if large.is_on():
            draw_large(sheet, Parts(ask, sheet.headline), slots.folded, cover, scene)
        else:
            parts = Parts(ask, sheet.headline, slots.first)
            columns = [part for part in sheet.parts if isinstance(part, Columns)]
            if sheet.headline and all(part.headline_in is None for part in columns):
                parts.draw_headline()
            for part in sheet.parts:
                parts.draw(part)
    if (program := sheet.program()) is not None:
        expander = linked_expander("Code", "code")
        if expander.open:
            expander.caption(f"Run it in the app's folder: it prints {program.prints}.")
            expander.code(program.write(), language="python")


def _cover_of_link(name: str) -> Cover:
    return partial(under_cover, cover_key(name, "revealed"))


def _ask_first(name: str, sheet: Sheet, scene: Scene, ask: Ask, followed: frozenset[str]) -> Cover:
    """Ask the questions of a view if wanted, never at a stop, and return the cover of its results."""
    if PREDICT not in followed or ask.parameters.spelling(PREDICT) != "true":
        return nullcontext
    asked = _questions(name, sheet, scene, ask, followed)
    ask_first(asked)
    return partial(under_cover, asked.cover) if asked.questions else nullcontext


def _questions(name: str, sheet: Sheet, scene: Scene, ask: Ask, followed: frozenset[str]) -> PageQuestions:
    questions = [question for question in sheet.questions() if question is not None]
    settings = settings_of(followed, ask.asked(), ask.pinned)
    sentences = sentences_of(scene)
    return PageQuestions(cover_key(name, "answered"), questions, settings, dict(ask.pinned), sentences)


def _typed(scene: Scene, ask: Ask) -> set[str]:
    """Return the words in the boxes, which are never underlined as terms."""
    lines = [str(one.value) for one in ask.asked() if one.parameter.kind == "text"]
    return {*map(str, (*scene.words, *scene.other)), *words_of(" ".join(lines))}
