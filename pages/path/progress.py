"""Marks of a learner's finished stops and exam: the browser sets them, on every page.

The server never keeps them.
"""

from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent

_SCRIPTS = (HERE / "exam_mark.js", HERE / "progress.js")
_progress = st.components.v2.component("progress", js="\n".join(one.read_text("utf-8") for one in _SCRIPTS))


def follow_progress() -> None:
    """Have the browser mark finished stops, and take over the stops of a link."""
    _progress(key="progress", height=0)
