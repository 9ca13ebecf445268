"""A button that opens the switches in a narrow window, where they lie in a drawer below the menu."""

from pathlib import Path

import streamlit as st

HERE = Path(__file__)

_switches = st.components.v2.component(
    "switches",
    html='<button type="button">Switches</button>',
    css=HERE.with_name("drawer.css").read_text("utf-8"),
    js=HERE.with_name("drawer.js").read_text("utf-8"),
)


def offer_switches() -> None:
    """Draw the button that opens the drawer; frame.css shows it in narrow windows."""
    _switches(key="switches", height=0)
