"""Which stops a learner has done: marked by the browser, on every page; the server never keeps them."""

from pathlib import Path

import streamlit as st

_progress = st.components.v2.component("progress", js=Path(__file__).with_suffix(".js").read_text("utf-8"))


def follow_progress() -> None:
    """Have the browser mark the stops that are done, and take those of a link for its own."""
    _progress(key="progress", height=0)
