"""The keys of every page: they act unless the focus is in something that needs the key itself."""

from pathlib import Path

import streamlit as st

SCRIPTS = ("keys.js", "skip.js", "shortcuts.js")

_shortcuts = st.components.v2.component(
    "shortcuts", js="\n".join(Path(__file__).with_name(script).read_text("utf-8") for script in SCRIPTS)
)

STEP_BACK, STEP_ON, PLAY = "Key: ←", "Key: →", "Key: P"
"""What the buttons say of the keys that press them."""


def follow_keys() -> None:
    """Have a key do on every page what it does on any of them."""
    _shortcuts(key="shortcuts", height=0)
