"""Masking: paint who may look at whom, and see the weights, the numbers behind them and the gradients."""

import streamlit as st

from core.learning.weights import UnavailableError
from pages.controls.code import code
from pages.controls.link import choice, menu
from pages.controls.sentence import TEA, mark_unknown, sentence
from pages.controls.switches import architecture
from pages.masking_views import VIEWS
from pages.masking_views.mask import choose_mask
from pages.masking_views.scene import Scene


@st.fragment
def page() -> None:
    """Controls and the mask, then the view chosen."""
    notes = st.container()
    st.markdown("#### What may a word look at, and what happens when it may not?")
    words = sentence(notes, default=TEA)
    unknown = st.container()
    with st.container(horizontal=True, vertical_alignment="center", key="inline_views"):
        name = choice("view", "View", list(VIEWS), next(iter(VIEWS)), notes=notes, hide_label=True)
        view = VIEWS[name]
        switches, layer, head = architecture(notes, shown=view.switches), 1, 1
        if view.of_one_head:
            layer = menu("layer", "Layer", range(1, switches.config.n_layers + 1), 1, notes=notes)
            head = menu("head", "Head", range(1, switches.config.n_heads + 1), 1, notes=notes)
    row = st.container(horizontal=True, vertical_alignment="center", key="inline_preset")
    if not words:
        return
    mask = choose_mask(row, len(words), notes) if view.painted else None
    try:
        scene = Scene.read(words, switches, mask, layer - 1, head - 1, notes, row)
        with unknown:
            mark_unknown(words, scene.reading.unknown)
        program = view.show(scene)
    except UnavailableError as error:
        notes.warning(str(error))
        return
    code(program)


page()
