"""Heads: what several of them see that one cannot, what they cost, and how they share one matrix."""

import streamlit as st

from pages.controls.link import choice
from pages.heads_views import VIEWS


@st.fragment
def page() -> None:
    """The view chosen."""
    notes = st.container()
    st.markdown("#### Why several heads instead of one?")
    view = choice("about", "View", list(VIEWS), next(iter(VIEWS)), notes=notes, hide_label=True)
    VIEWS[view](notes)


page()
