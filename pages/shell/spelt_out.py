"""Links that say 1 for a switch that is on: they work as if they said true, as Streamlit spells it."""

from contextlib import suppress

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.contract.parameters import in_words


def spell_out_switches() -> None:
    """Have the link say true and false of switches from its beginning, before its controls have read it."""
    link = {name: st.query_params.get_all(name) for name in st.query_params}
    words = {name: in_words(name, values) for name, values in link.items()}
    changed = {name: values for name, values in words.items() if values != link[name]}
    context = get_script_run_ctx()
    if context is None or not changed:
        return
    for name, values in changed.items():
        with suppress(StreamlitAPIException):  # bound since an earlier run: its control judges what is said
            st.query_params[name] = values
    with context.session_state.query_params() as parameters:
        parameters.set_initial_query_params_from_current()
