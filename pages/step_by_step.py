"""Step by step: one head from words to output, a matrix at a time."""

import streamlit as st

from core.sources import UnavailableError
from pages.controls.code import code
from pages.controls.link import choice, menu
from pages.controls.sentence import TEA, mark_unknown, sentence
from pages.step_views import PARTS
from pages.step_views.changes import changes
from pages.step_views.model import choose_model
from pages.step_views.scene import Scene, walked


@st.fragment
def page() -> None:
    """The sentence, the model, the head, and the part chosen."""
    notes = st.container()
    st.markdown("#### How does one head turn words into output?")
    words = sentence(notes, default=TEA)
    unknown = st.container()
    switches = choose_model(notes)
    config = switches.config
    with st.container(horizontal=True, vertical_alignment="center", key="inline_parts"):
        part = choice("part", "Part", list(PARTS), next(iter(PARTS)), notes=notes, hide_label=True)
        layer = 1
        if config.n_layers > 1:
            layer = menu("layer", "Layer", range(1, config.n_layers + 1), 1, notes=notes)
        head = menu("head", "Head", range(1, config.n_heads + 1), 1, notes=notes)
    if not words:
        return
    try:
        plain = walked(words, switches, layer - 1, head - 1)
    except UnavailableError as error:
        notes.warning(str(error))
        return
    changed = changes(notes, n_words=len(words), d_head=plain.config.d_head)
    seen = walked(words, switches, layer - 1, head - 1, changed)
    with unknown:
        mark_unknown(words, seen.unknown)
    scene = Scene(words, switches, layer - 1, head - 1, seen, notes, changed)
    code(PARTS[part](scene))


page()
