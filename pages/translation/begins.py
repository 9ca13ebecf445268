"""The box for what a translation is to begin with."""

import streamlit as st

from core.text.tokenizer import readable
from pages.controls.arrival import arrive


def begins_with() -> str:
    """What was typed there; nothing at first, and of what is too long to be read."""
    arrive("begins", "")
    typed = st.text_input(
        "Begins with",
        key="begins",
        bind="query-params",
        live=True,
        placeholder="words of your own",
        width=260,
    )
    return readable(str(typed or ""))
