"""The keys of buttons: they act unless the focus is in something that needs the key itself."""

from pathlib import Path

import streamlit as st

KEYS = Path(__file__).with_name("keys.js").read_text("utf-8")
"""The rule in JavaScript, for a component with keys of its own: `isNeeded(event, focused)`."""

_shortcuts = st.components.v2.component(
    "shortcuts", js=f"{KEYS}\n{Path(__file__).with_suffix('.js').read_text('utf-8')}"
)


def free_shortcuts() -> None:
    """Have a button's key press it also while the focus is on a toggle, which needs no letters."""
    _shortcuts(key="shortcuts", height=0)
