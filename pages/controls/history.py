"""The browser's history: one step for each page, and the way back leads to what the visitor left there."""

from pathlib import Path
from urllib.parse import parse_qs

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

_history = st.components.v2.component("history", js=Path(__file__).with_suffix(".js").read_text("utf-8"))


def keep_history() -> None:
    """Have Back and Forward lead from page to page, and each page show what its address says."""
    _history(key="history", height=0)
    if is_walking_back():
        _restore_parameters()


def is_walking_back() -> bool:
    """Whether the browser's Back or Forward led here: then what its history says counts, and nothing else."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def _restore_parameters() -> None:
    """Give the controls what the address says.

    Between two pages Streamlit (1.67) strikes out every parameter whose name a control of the page before
    had, which are the shared ones: the sentence, the switches.
    """
    context = get_script_run_ctx()
    assert context is not None, "a page is drawn by a run"
    asked = parse_qs(context.query_string, keep_blank_values=True)
    if set(asked) <= set(st.query_params):
        return
    st.query_params.from_dict(asked)
    with context.session_state.query_params() as parameters:
        parameters.set_initial_query_params_from_current()
