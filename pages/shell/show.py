"""The shell: builds the controls of a page, draws the chosen view, and says what cannot be shown."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.model.config import ModelConfig
from core.priority import answering
from core.sources import OneModel, Pieces, UnavailableError
from core.text.limits import too_long
from pages.controls.devices import on_a_device_that_works, say_where
from pages.controls.link import choice, menu
from pages.controls.notes import note_unknown_parameters
from pages.controls.page_answers import only
from pages.controls.prose import Typed
from pages.controls.real import is_asked_for, say_kept_elsewhere
from pages.controls.screen import note_sidebar
from pages.controls.sentence import Box, second_box, sentence, typed, usable, write_beside
from pages.controls.weights import why_unavailable
from pages.controls.whole import PAGE, take_wishes
from pages.shell.attention import chosen_pieces
from pages.shell.former_links import rewrite
from pages.shell.program import offer
from pages.shell.render import say
from pages.shell.scene import Scene
from pages.shell.view import Page, View


class _Places(NamedTuple):
    """Where what answers to a page writes above and beside itself.

    They belong to the page: what one view has written there goes when another is chosen.
    """

    notes: DeltaGenerator
    text: DeltaGenerator
    views: DeltaGenerator
    beside: DeltaGenerator


@st.fragment(key=PAGE)
def show(page: Page) -> None:
    """The page: its question, the sentence, the row of views, and what answers to them.

    What is on the page is sent again when this runs, the boxes and the examples too: so a switch and what
    is below it answer in a fragment of their own.
    """
    take_wishes()
    rewrite(page)
    notes, heading = st.container(), st.container(key="page_question")
    text, views = (
        st.container(),
        st.container(key="inline_views", horizontal=True, vertical_alignment="center"),
    )
    view = _chosen(page, notes, views)
    heading.markdown(f"# {view.question or page.question}")
    with text:
        boxes = _boxes(view, notes)
    note_unknown_parameters(notes)
    _answer(page, view, boxes, _Places(notes, text, views, st.sidebar.container()))


@st.fragment
@answering()
@on_a_device_that_works
def _answer(page: Page, view: View, boxes: Sequence[Box], places: _Places) -> None:
    """The switches, the menus beside the row of views, the view, and its program."""
    # Made in every run, empty or not: a fragment may write only to places outside of it where it always does.
    notes, unknown, menus = (
        places.notes.container(),
        places.text.container(),
        places.views.container(horizontal=True, width="content"),
    )
    say_where(notes)
    sidebar = places.beside.container()
    with sidebar:
        switches = page.choose(view, notes)
    note_sidebar(is_there=sidebar._cursor is not None and sidebar._cursor.index > 0)
    if not view.real and (view.sentence or "model" in view.switches):
        say_kept_elsewhere(notes)
    if switches.weights.why_not is not None:
        notes.warning(why_unavailable(switches.weights.why_not))
        return
    for box in boxes:
        write_beside(box, switches.weights.one, switches.config, view.most_pieces)
    with menus:
        layer, head = _layer_and_head(view, switches.config, notes)
    row = st.container(horizontal=True, vertical_alignment="center", key="inline_row")
    if not all(box.words for box in boxes):
        return
    # The second box often holds the words of the first: one note that they are too many is enough.
    if switches.weights.one is None and not all(usable(box, notes) for box in boxes):
        return
    words = {box.name: box.words for box in boxes}
    said, other = words.get("text", ()), words.get("other", ())
    random = "model" in view.switches
    scene = Scene(said, switches, layer, head, notes, row, unknown, other)
    _draw(view, replace(scene, may_be_real=view.real, may_be_random=random))


def _draw(view: View, scene: Scene) -> None:
    """The view and its program, or a sentence on why there is none."""
    try:
        scene = _in_pieces(view, scene)
        if view.reads:
            scene.name_unknown(scene.reading.unknown)
        program = say(view, scene) if view.draw is None else view.draw(scene)
    except UnavailableError as error:
        scene.notes.warning(why_unavailable(error))
        return
    if program is not None:
        offer(program)


def _in_pieces(view: View, scene: Scene) -> Scene:
    """The scene with the words that the model reads: pieces of its vocabulary where it is a real one."""
    one = scene.switches.weights.one
    if one is None or not view.sentence:
        return scene
    config = scene.switches.config
    pieces = _split(one, "text", view, config)
    other = _split(one, "other", view, config).texts if view.other else ()
    with scene.row:
        rows = chosen_pieces(pieces, scene.notes, may_merge=view.merges)
    words = tuple(map(Typed, pieces.texts))
    return replace(scene, words=words, other=tuple(map(Typed, other)), pieces=pieces, rows=rows)


def _split(one: OneModel, name: str, view: View, config: ModelConfig) -> Pieces:
    """What the model makes of a sentence; raises UnavailableError where it or the view has no room for it."""
    pieces = one.split(typed(name))
    one.check_length(len(pieces.texts), config)
    if len(pieces.texts) > view.most_pieces:
        limit = too_long("This view draws", view.most_pieces, len(pieces.texts), "piece")
        raise UnavailableError(f"{limit} Shorten it, or choose a view of the explorer that draws more.")
    return pieces


def _chosen(page: Page, notes: DeltaGenerator, row: DeltaGenerator) -> View:
    """The view chosen in the row of views; a page with one has no row."""
    names = list(page.views)
    if len(names) == 1:
        return page.views[only("view", names[0], notes=notes)]
    with row:
        return page.views[choice("view", options=names, notes=notes, hide_label=True)]


def _boxes(view: View, notes: DeltaGenerator) -> list[Box]:
    """The boxes for sentences that the view has."""
    if not view.sentence:
        return []
    first = sentence(
        notes,
        default=view.sentence,
        examples=view.examples,
        in_two_orders=bool(view.other),
        in_pieces=view.real and is_asked_for(),
    )
    return [first, second_box(notes, default=view.other)] if view.other else [first]


def _layer_and_head(view: View, config: ModelConfig, notes: DeltaGenerator) -> tuple[int, int]:
    """The layer and the head, counted from 0, from the menus that a view has."""
    layer = head = 1
    if view.about != "model" and config.n_layers > 1:
        usual = min(view.defaults.get("layer", 1), config.n_layers)
        layer = menu("layer", options=range(1, config.n_layers + 1), default=usual, notes=notes)
    if view.about == "head" and (config.n_heads > 1 or "heads" in view.switches):
        usual = min(view.defaults.get("head", 1), config.n_heads)
        head = menu("head", options=range(1, config.n_heads + 1), default=usual, notes=notes)
    return layer - 1, head - 1
