"""Tells the page of a session the token of what it alone has measured or trained."""

import secrets

import streamlit as st

from pages.contract.seen import SEEN, Seen

KEY = "token of what is seen"
"""The key under which a session keeps its token."""


def remember_session(seen: Seen) -> None:
    """Keep what this session alone has, if anything, and tell its page the token."""
    if seen == Seen():
        return
    token = st.session_state.setdefault(KEY, secrets.token_urlsafe(16))
    SEEN.keep(token, seen)
    st.html(f'<i hidden data-seen="{token}"></i>')
