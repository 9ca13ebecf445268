"""Scaling: why scores are divided by the root of their dimensions, and by which where heads share them."""

import streamlit as st

from pages.controls.link import choice
from pages.scaling_views import VIEWS


@st.fragment
def page() -> None:
    """The view chosen: random vectors, what softmax makes of them, or the heads of a model."""
    notes = st.container()
    st.markdown("#### Why are scores divided by √d?")
    view = choice("measure", "View", list(VIEWS), next(iter(VIEWS)), notes=notes, hide_label=True)
    VIEWS[view](notes)


page()
