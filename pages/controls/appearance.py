"""The visitor's theme: drawing the page again when it changes."""

from pathlib import Path

import streamlit as st

_watch = st.components.v2.component("appearance", js=Path(__file__).with_suffix(".js").read_text("utf-8"))


def follow_theme() -> None:
    """Rerun the app when the visitor chooses another theme, so that figures are drawn for it."""
    _watch(key="appearance", on_paper_change=lambda: None, height=0)
