"""The shell: draws the controls of a page and the chosen view, and says what cannot be shown."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.device import why_on_cpu
from core.priority import serving_request
from core.sources import UnavailableError
from pages.browser import large
from pages.browser.cover import cover_key, under_cover
from pages.browser.large import LARGE
from pages.browser.screen import note_sidebar
from pages.contract.ask import ROW, SIDEBAR, VIEWS, Ask
from pages.contract.caching import show_progress_with
from pages.contract.common_controls import ask_layer_and_head, ask_sentences, ask_view, scene_for
from pages.contract.real import is_asked_for, note_kept_elsewhere
from pages.contract.switches import to_shipped
from pages.contract.unused_parameters import unknown_parameters
from pages.contract.view import Page, View
from pages.contract.weights import why_unavailable
from pages.path.stops import STOP, read_stop, view_of_stop
from pages.shell.base import add_base_path
from pages.shell.devices import with_cpu_fallback
from pages.shell.draw import PREDICT, PageSlots, draw_view
from pages.shell.first_screen import FirstScreen
from pages.shell.items import draw_items
from pages.shell.sentence import SentenceBox, draw_beside, draw_box, draw_examples, usable
from pages.shell.stop import bar_above, draw_end
from pages.shell.text_links import linked
from pages.state.link import PAGE, change_now, current_state, part_of_page
from pages.state.session_parameters import SessionParameters, warn


def _spinner(saying: str) -> AbstractContextManager[Any]:
    is_page = get_script_run_ctx(suppress_warning=True) is not None
    return st.spinner(saying) if is_page else nullcontext()


show_progress_with(_spinner)

INSTEAD = "instead"
"""The spot of a button to an available model, below a warning that a model is missing."""

ASKS_FIRST = "Asks what you expect before the picture is shown. Your answer stays in your browser."


FOR_A_HALL = (
    "Fills the window with the picture, in large type for a lecture hall (key L). "
    "To see the controls again, move the pointer to the upper edge, or press H."
)


@st.fragment(key=PAGE)
def draw_page(page: Page, address: str = "") -> None:
    """Draw the page at its address: its question, the sentence, the row of views, and the view.

    A rerun of this function sends the boxes and the examples again. So the switches and the view are redrawn
    in a fragment.
    """
    with part_of_page(PAGE) as is_whole:
        _draw_page(page, address)
        is_whole()


def _draw_page(page: Page, address: str) -> None:
    notes = st.container()
    switches = Ask(SessionParameters(notes))
    stop = switches.parsed(STOP, read_stop, default=None, instead="no stop")
    folded = None
    with large.bar(on=switches.switch(LARGE, help=FOR_A_HALL), says=_says(switches)):
        at_stop = st.empty()
        heading = st.container(key="page_question", horizontal=True, vertical_alignment="center")
        text = st.container(key="sentences")
        views = st.container(key="inline_views", horizontal=True, vertical_alignment="center")
        if large.is_on():
            folded = st.container(key="large_controls")
    view = _chosen(page, notes, views)
    name = next(name for name, one in page.views.items() if one is view)
    shown = None if stop is None else view_of_stop(stop, address, name)
    if shown is not None and shown.lacks_model and is_asked_for(switches.parameters):
        change_now(shown.to_small_model)
    if stop is not None:
        at_stop.html(add_base_path(bar_above(stop, shown)))
    elif view.asks:
        switches.switch(PREDICT, help=ASKS_FIRST)
    with heading:
        st.markdown(f"# {view.question or page.question}", width="stretch")
        draw_items(switches.items[ROW])
    with text:
        boxes = _boxes(view, switches, notes)
    warn(notes, unknown_parameters(current_state().chosen))
    sidebar = st.sidebar.container()
    unreserved: list[DeltaGenerator] = [notes, text, views, sidebar, *(box.beside for box in boxes)]
    unreserved += [folded] if folded is not None else []
    in_place = None if shown is None or large.is_on() else frozenset(shown.switches)
    first = FirstScreen(in_place, lambda: sidebar)
    followed = frozenset({"view", *switches.parameters.followed})
    slots = PageSlots(notes, text, views, sidebar, folded, followed, first)
    among_all = f"{page.question} {name}"
    _draw_body(page, view, among_all, boxes, slots, unreserved)
    if stop is not None and shown is not None:
        is_covered = switches.parameters.has_flag("cover")
        with under_cover(cover_key(among_all, "revealed"), "stop") if is_covered else nullcontext():
            draw_end(stop, shown)


def _says(ask: Ask) -> large.Says:
    """Return how the headline stands on a large page: a step's title may stand above it or replace it."""
    if ask.parameters.has_flag("unsaid"):
        return "not"
    return "below title" if ask.parameters.has_flag("titled") else "alone"


@st.fragment
@serving_request()
@with_cpu_fallback
def _draw_body(
    page: Page,
    view: View,
    name: str,
    boxes: Sequence[SentenceBox],
    slots: PageSlots,
    unreserved: list[DeltaGenerator],
) -> None:
    """Draw the switches, the menus beside the row of views, the view, and its program."""
    # A fragment may write outside of itself only to places to which it wrote in the last run of the page
    # (Streamlit 1.67). Each costs a message in every run after it; a container there would cost another.
    while unreserved:
        unreserved.pop().empty()
    first = replace(slots.first, moved=[])
    slots = replace(slots, first=first)
    with part_of_page("view") as is_whole, ExitStack() as at_end:
        at_end.callback(first.draw_moved)
        if why := why_on_cpu():
            slots.notes.warning(linked(why), icon=":material/memory:")
        ask = Ask(SessionParameters(slots.notes))
        with ask.at(SIDEBAR):
            switches = page.choose(ask, view)
        note_sidebar(is_there=first.is_short or bool(ask.items[SIDEBAR]))
        in_sidebar = first.keep(ask.items[SIDEBAR])
        first.has_kept = bool(in_sidebar)
        with slots.sidebar:
            draw_items(in_sidebar)
        if not view.real and (view.sentence or "model" in view.switches):
            slots = replace(slots, followed=slots.followed | note_kept_elsewhere(ask))
        slots.draw_notes(ask.notes)
        if switches.weights.why_not is not None:
            slots.notes.warning(linked(why_unavailable(switches.weights.why_not)))
            return
        for box in boxes:
            draw_beside(box, switches.weights.pretrained, switches.config, view.pieces)
        with ask.at(VIEWS):
            layer, head = ask_layer_and_head(ask, view, switches.config)
        with slots.views:
            draw_items(first.keep(ask.items[VIEWS]))
        if not all(box.words for box in boxes):
            return
        # The second box often holds the words of the first: one note on their number is enough.
        if switches.weights.pretrained is None and not all(usable(box, slots.notes) for box in boxes):
            return
        texts = {box.name: box.text for box in boxes}
        try:
            draw_view(view, name, scene_for(view, switches, layer, head, texts), ask, slots)
            is_whole()
        except UnavailableError as error:
            slots.notes.warning(linked(why_unavailable(error)))
            if button := to_shipped(switches, view.switches):
                with slots.notes, ask.at(INSTEAD):
                    ask.add(button)
                    draw_items(ask.items[INSTEAD])


def _chosen(page: Page, notes: DeltaGenerator, row: DeltaGenerator) -> View:
    """Return the view chosen in the row of views; a page with one view has no row."""
    ask = Ask(SessionParameters(notes))
    view = ask_view(ask, page)
    if len(page.views) > 1:
        with row:
            draw_items(ask.items[VIEWS])
    return view


def _boxes(view: View, ask: Ask, notes: DeltaGenerator) -> list[SentenceBox]:
    """Draw the boxes for sentences of the view, with the examples below the first, and return them."""
    boxes = []
    for asked, text in ask_sentences(ask, view):
        boxes.append(draw_box(asked, text, notes))
        if len(boxes) == 1:
            draw_examples(view.examples, in_pieces=view.real and is_asked_for(ask.parameters))
    return boxes
