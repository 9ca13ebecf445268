"""The browser's history, a step for each page and each view, and undo, which leads back act by act."""

from pathlib import Path
from urllib.parse import parse_qs, urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.contract.parameters import SELECTIONS, in_words
from pages.controls import notes

HERE = Path(__file__)

KEYS = {
    "Z": "takes back the last act on this page, as the button does",
    "Esc": "takes back a selected cell or word",
    "← →": "previous and next step",
    "P": "plays the steps, or pauses",
    "?": "lists all keys",
}
"""The keys that are told beside undo; all of them are in shortcuts.py."""

_explanation = "".join(f"<kbd>{key}</kbd><span>{what}</span>" for key, what in KEYS.items())
_history = st.components.v2.component(
    "history",
    html=f"""<div class="undo">
        <button type="button" aria-keyshortcuts="Z" aria-describedby="keys" disabled>↶ Undo</button>
        <div id="keys" role="tooltip">{_explanation}</div>
    </div>""",
    css=HERE.with_suffix(".css").read_text("utf-8"),
    js="\n".join(HERE.with_name(script).read_text("utf-8") for script in ("acts.js", "history.js")),
)


def keep_history() -> None:
    """Have Back and Forward lead from view to view, undo from act to act, and each show its address."""
    _history(key="history", data={"selections": list(SELECTIONS)}, height=0)
    if is_walking_back():
        notes.forget()
        _restore_parameters()


def is_walking_back() -> bool:
    """Whether Back, Forward or undo led here: then what its history says counts, and nothing else."""
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
    said = parse_qs(context.query_string, keep_blank_values=True)
    asked = {name: in_words(name, values) for name, values in said.items()}
    with context.session_state.query_params() as parameters:
        if asked != {name: parameters.get_all(name) for name in parameters}:
            parameters.populate_from_query_string(urlencode(asked, doseq=True))
            parameters._send_query_param_msg()
        parameters.set_initial_query_params_from_current()
