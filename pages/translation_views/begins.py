"""The box for what a translation is to begin with."""

import streamlit as st

from pages.controls.link import arrive


def begins_with() -> str:
    """What was typed there; nothing at first."""
    arrive("begins", "")
    typed = st.text_input(
        "Begins with",
        key="begins",
        bind="query-params",
        live=True,
        placeholder="words of your own",
        width=260,
    )
    return str(typed or "")
