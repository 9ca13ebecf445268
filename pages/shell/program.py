"""The program behind a view: what is on the screen, computed again in a few lines of PyTorch."""

import streamlit as st

from pages.contract.program import Program
from pages.controls.notes import HERE
from pages.controls.page_answers import bind_switch


def offer(program: Program) -> None:
    """Show the program below the view; it is written only when the reader opens it."""
    bind = bind_switch("code", HERE)
    expander = st.expander("Code", key="code", on_change="rerun", bind=bind, type="compact")
    if expander.open:
        expander.caption(f"Run it in the app's folder: it prints {program.prints}.")
        expander.code(program.write(), language="python")
