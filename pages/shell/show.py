"""The shell: builds the controls of a page, draws the chosen view, and says what cannot be shown."""

from dataclasses import replace
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.config import ModelConfig
from core.learning.weights import UnavailableError
from pages.controls.link import choice, menu
from pages.controls.notes import note_unknown_parameters
from pages.controls.prose import Typed
from pages.controls.sentence import Words, second_box, sentence, typed
from pages.controls.weights import why_unavailable
from pages.controls.whole import PAGE, take_wishes
from pages.shell.attention import chosen_pieces
from pages.shell.former_links import rewrite
from pages.shell.program import offer
from pages.shell.scene import Scene
from pages.shell.view import About, Page, View


class _Places(NamedTuple):
    """Where what answers to a page writes above itself."""

    notes: DeltaGenerator
    text: DeltaGenerator
    views: DeltaGenerator


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
        words, other = _sentences(view, notes)
    note_unknown_parameters(notes)
    _answer(page, view, words, other, _Places(notes, text, views))


@st.fragment
def _answer(page: Page, view: View, words: Words, other: Words, places: _Places) -> None:
    """The switches, the menus beside the row of views, the view, and its program."""
    # Made in every run, empty or not: a fragment may write only to places outside of it where it always does.
    notes, unknown, menus = (
        places.notes.container(),
        places.text.container(),
        places.views.container(horizontal=True, width="content"),
    )
    switches = page.choose(view, notes)
    with menus:
        layer, head = _layer_and_head(view.about, switches.config, notes)
    row = st.container(horizontal=True, vertical_alignment="center", key="inline_row")
    if (view.sentence and not words) or (view.other and not other):
        return
    scene = Scene(words, switches, layer, head, notes, row, unknown, other, may_be_real=view.real)
    _draw(view, scene)


def _draw(view: View, scene: Scene) -> None:
    """The view and its program, or a sentence on why there is none."""
    try:
        scene = _in_pieces(view, scene)
        if view.reads:
            scene.name_unknown(scene.reading.unknown)
        program = view.draw(scene)
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
    pieces = one.split(typed("text"))
    other = one.split(typed("other")).texts if view.other else ()
    with scene.row:
        rows = chosen_pieces(pieces, scene.notes, may_merge=view.merges)
    words = tuple(map(Typed, pieces.texts))
    return replace(scene, words=words, other=tuple(map(Typed, other)), pieces=pieces, rows=rows)


def _chosen(page: Page, notes: DeltaGenerator, row: DeltaGenerator) -> View:
    """The view chosen in the row of views; a page with one has no row."""
    names = list(page.views)
    if len(names) == 1:
        return page.views[names[0]]
    with row:
        return page.views[choice("view", "View", names, names[0], notes=notes, hide_label=True)]


def _sentences(view: View, notes: DeltaGenerator) -> tuple[Words, Words]:
    """The words in the boxes that the view has."""
    words: Words = sentence(notes, default=view.sentence) if view.sentence else ()
    return words, second_box(notes, default=view.other) if view.other else ()


def _layer_and_head(about: About, config: ModelConfig, notes: DeltaGenerator) -> tuple[int, int]:
    """The layer and the head, counted from 0, from the menus that a view has."""
    layer = head = 1
    if about != "model" and config.n_layers > 1:
        layer = menu("layer", "Layer", range(1, config.n_layers + 1), 1, notes=notes)
    if about == "head":
        head = menu("head", "Head", range(1, config.n_heads + 1), 1, notes=notes)
    return layer - 1, head - 1
