"""What has the whole page answer, where only a part of it would."""

from collections.abc import Callable, Mapping
from typing import Any, Never

import streamlit as st

from pages.contract.parameters import PARAMETERS
from pages.contract.sheet import Changes, Link
from pages.controls.arrival import forget, put, put_spelt
from pages.controls.put_in import put_in

PAGE = "page"
"""The name of the fragment that is a whole page."""

ABOVE = frozenset({"text", "other", "view", "model"})
"""The parameters that what stands above the switches shows: what is below them answers without these."""

PENDING = "wished"
"""The key under which a session keeps what the whole page is to show in its next run."""


def change(action: Callable[..., None], *args: Any) -> None:
    """Do what a control below the switches does; have the whole page answer if that concerns what is above.

    To be called where a control calls back, and last: nothing is done after it.
    """
    before = _parameters()
    action(*args)
    after = _parameters()
    changed = {name for name in before | after if before.get(name) != after.get(name)}
    if changed & ABOVE:
        st.session_state[PENDING] = {name: after.get(name) for name in changed}
        st.rerun(PAGE)


def change_link(changes: Changes | Callable[[Link], Changes]) -> None:
    """The one door through which a button or a gesture changes the link; to be called last in a callback."""
    change(change_now, changes(link()) if callable(changes) else changes)


def link() -> Link:
    """What the link says now."""
    return {name: st.query_params.get_all(name) for name in st.query_params}


def change_now(changes: Changes) -> None:
    """Change the link inside of what `change` does."""
    for name, value in changes.items():
        if value is None:
            forget(name)
        elif isinstance(value, tuple):
            put_spelt(name, value)
        elif name == "text":
            put_in(str(value))
        else:
            put(name, value)


def rerun_page() -> None:
    """Have the whole page answer to a control below the switches, whose callback this is the end of."""
    st.rerun(PAGE)


def rerun_with(wished: Mapping[str, Any]) -> Never:
    """Run the app again with these parameters, whose controls this run may have made already."""
    st.session_state[PENDING] = dict(wished)
    st.rerun()


def apply_pending_parameters() -> None:
    """At the beginning of a page, give its controls what was wished for.

    On the way from one fragment to the run of another Streamlit (1.67) lets the browser's values win over
    what a callback has just set, so they are set again here.
    """
    for name, value in st.session_state.pop(PENDING, {}).items():
        if value is None:
            st.session_state.pop(name, None)
        else:
            st.session_state[name] = value


def _parameters() -> dict[str, Any]:
    return {name: st.session_state[name] for name in PARAMETERS if name in st.session_state}
