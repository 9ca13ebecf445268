"""Positions: what each scheme adds and where, the same sentence under all, and what lies beyond training."""

import streamlit as st

from core.learning.weights import UnavailableError
from pages.controls.link import choice
from pages.controls.sentence import OVEN, sentence
from pages.controls.switches import architecture
from pages.positions_views import VIEWS
from pages.positions_views.scene import Scene


@st.fragment
def page() -> None:
    """The sentence, the row of schemes, and the view of the chosen one."""
    notes = st.container()
    st.markdown("#### How does a Transformer know where a word stands?")
    words = sentence(notes, default=OVEN)
    unknown = st.container()
    row = st.container(horizontal=True, vertical_alignment="center", key="inline_chart")
    with row:
        name = choice("scheme", "Scheme", list(VIEWS), next(iter(VIEWS)), notes=notes, hide_label=True)
    view = VIEWS[name]
    switches = architecture(notes, shown=view.switches, defaults=view.defaults, one_model=view.one_model)
    if not words:
        return
    try:
        view.show(Scene(words, switches, notes, row, unknown))
    except UnavailableError as error:
        notes.warning(str(error))


page()
