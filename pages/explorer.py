"""The explorer: one sentence, one model, and what each word attends to, from overview to detail."""

import streamlit as st

from core.learning.weights import UnavailableError
from core.programs import attention_program
from pages.controls.code import code, subject
from pages.controls.link import choice, menu
from pages.controls.sentence import MARIA, mark_unknown, sentence
from pages.controls.switches import NAMES, architecture
from pages.explorer_views import VIEWS
from pages.explorer_views.scene import Scene, reading


@st.fragment
def page() -> None:
    """Controls, then the view chosen."""
    notes = st.container()
    st.markdown("#### What does each word attend to?")
    words = sentence(notes, default=MARIA)
    unknown = st.container()
    switches = architecture(notes, shown=NAMES, with_own=True)
    with st.container(horizontal=True, vertical_alignment="center", key="inline_views"):
        view = choice("view", "View", list(VIEWS), next(iter(VIEWS)), notes=notes, hide_label=True)
        layer = menu("layer", "Layer", range(1, switches.config.n_layers + 1), 1, notes=notes)
        head = menu("head", "Head", range(1, switches.config.n_heads + 1), 1, notes=notes)
    if not words:
        return
    try:
        scene = Scene(words, switches, reading(words, switches), layer - 1, head - 1, notes)
    except UnavailableError as error:
        notes.warning(str(error))
        return
    with unknown:
        mark_unknown(words, scene.reading.unknown)
    try:
        VIEWS[view](scene)
    except UnavailableError as error:  # a view may ask for other sentences or another model than this one
        notes.warning(str(error))
    code(
        lambda: attention_program(subject(words, switches, layer=layer - 1, head=head - 1)),
        prints=f"the weights of layer {layer}, head {head}",
    )


page()
