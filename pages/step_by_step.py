"""Step by step: one head from words to output, a matrix at a time."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.config import ModelConfig
from core.learning.weights import UnavailableError
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
    notes, question = st.container(), st.container()
    words = sentence(notes, default=TEA)
    unknown = st.container()
    switches = choose_model(notes)
    with st.container(horizontal=True, vertical_alignment="center", key="inline_parts"):
        name = choice("part", "Part", list(PARTS), next(iter(PARTS)), notes=notes, hide_label=True)
        part = PARTS[name]
        layer, head = _head(switches.config, notes) if part.has_head else (0, 0)
    question.markdown(f"#### {part.question}")
    if not words:
        return
    try:
        seen = walked(words, switches, layer, head)
    except UnavailableError as error:
        notes.warning(str(error))
        return
    changed = changes(notes, n_words=len(words), d_head=seen.config.d_head)
    if changed:
        seen = walked(words, switches, layer, head, changed)
    with unknown:
        mark_unknown(words, seen.unknown)
    code(part.draw(Scene(words, switches, layer, head, seen, notes, changed)))


def _head(config: ModelConfig, notes: DeltaGenerator) -> tuple[int, int]:
    """The layer, where there are several, and the head, from 0."""
    layer = 1
    if config.n_layers > 1:
        layer = menu("layer", "Layer", range(1, config.n_layers + 1), 1, notes=notes)
    return layer - 1, menu("head", "Head", range(1, config.n_heads + 1), 1, notes=notes) - 1


page()
