"""Pages as Streamlit's navigation takes them."""

from collections.abc import Callable

import streamlit as st

from pages import Entry

RUNS: dict[Entry, Callable[[], None]] = {}
"""Functions that run the page of each entry; the router fills it."""


def navigation_page(entry: Entry) -> st.Page:
    """Return the page of an entry at its address."""
    return st.Page(RUNS[entry], title=entry.title, url_path=entry.address, default=not entry.address)
