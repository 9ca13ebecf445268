"""Sends the page of a session the token of its own measurements and trainings."""

import secrets

import streamlit as st

from pages.contract.session_results import SESSION_RESULTS, SessionResults

KEY = "token of what is seen"
"""Session key of the token."""


def remember_session(seen: SessionResults) -> None:
    """Keep the results of this session alone, if there are any, and send its page the token."""
    if seen == SessionResults():
        return
    token = st.session_state.setdefault(KEY, secrets.token_urlsafe(16))
    SESSION_RESULTS.keep(token, seen)
    st.html(f'<i hidden data-seen="{token}"></i>')
