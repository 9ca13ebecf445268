"""Blocks: what stands around attention, and what each part of it is for."""

import streamlit as st

from core.learning.weights import UnavailableError
from pages.blocks_views import VIEWS
from pages.blocks_views.scene import Scene
from pages.controls.link import choice
from pages.controls.sentence import MARIA, sentence
from pages.controls.switches import architecture


@st.fragment
def page() -> None:
    """Controls, then the view chosen with the switches that matter to it."""
    notes = st.container()
    st.markdown("#### What does a block put around attention, and why?")
    words = sentence(notes, default=MARIA)
    unknown = st.container()
    with st.container(key="inline_views"):
        name = choice("view", "View", list(VIEWS), next(iter(VIEWS)), notes=notes, hide_label=True)
    row = st.container(horizontal=True, vertical_alignment="center", key="inline_controls")
    view = VIEWS[name]
    switches = architecture(notes, shown=view.switches)
    if not words:
        return
    try:
        view.draw(Scene(words, switches, notes=notes, row=row, unknown=unknown))
    except UnavailableError as error:
        notes.warning(str(error))


page()
