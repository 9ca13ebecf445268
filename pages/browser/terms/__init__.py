"""The entries of underlined terms, shown beside them by the browser on every page."""

from pathlib import Path

import streamlit as st

_entries = st.components.v2.component("terms", js=Path(__file__).with_name("terms.js").read_text("utf-8"))


def follow_terms() -> None:
    """Have a term show its entry under the pointer, with the focus, and after a tap."""
    _entries(key="terms", height=0)
