"""Another sentence in place of the one in the box: what was typed can be had back by one click."""

import streamlit as st

from pages.contract.examples import EXAMPLES

TYPED, PUT_IN = "typed_before", "put_in"
"""Keys under which a session keeps what was typed, and what was last put in its place."""


def put_in(text: str) -> None:
    """Put `text` into the box in place of what is there."""
    before = st.session_state.get("text")
    if before and before not in (text, st.session_state.get(PUT_IN), *EXAMPLES):
        st.session_state[TYPED] = before
    st.session_state[PUT_IN] = st.session_state["text"] = text
