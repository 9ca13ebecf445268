"""The browser's history: a step for each page and each view, and the way back leads to what was left."""

from pathlib import Path
from urllib.parse import parse_qs

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.controls import notes

_history = st.components.v2.component("history", js=Path(__file__).with_suffix(".js").read_text("utf-8"))


def keep_history() -> None:
    """Have Back and Forward lead from view to view, and each show what its address says."""
    _history(key="history", height=0)
    if is_walking_back():
        notes.forget()
        _restore_parameters()


def is_walking_back() -> bool:
    """Whether the browser's Back or Forward led here: then what its history says counts, and nothing else."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def _restore_parameters() -> None:
    """Give the controls what the address says.

    Between two pages Streamlit (1.67) strikes out every parameter whose name a control of the page before
    had, which are the shared ones: the sentence, the switches. Between two views it asks for none of them
    anew.
    """
    context = get_script_run_ctx()
    assert context is not None, "a page is drawn by a run"
    asked = parse_qs(context.query_string, keep_blank_values=True)
    with context.session_state.query_params() as parameters:
        if asked != {name: parameters.get_all(name) for name in parameters}:
            parameters.populate_from_query_string(context.query_string)
            parameters._send_query_param_msg()
        parameters.set_initial_query_params_from_current()
