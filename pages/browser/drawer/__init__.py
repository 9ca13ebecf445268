"""A button that leads to the switches in a narrow window, where they lie in a drawer below the menu."""

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
    """Offer to open the drawer at its switches; frame.css shows the button where there is such a drawer."""
    _switches(key="switches", height=0)
