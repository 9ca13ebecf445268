"""Pages as Streamlit's navigation takes them."""

from functools import partial
from importlib import import_module

import streamlit as st

from pages import Entry


def navigation_page(entry: Entry) -> st.Page:
    """The page of an entry at its address; its folder is imported when it is run."""
    return st.Page(partial(_run, entry), title=entry.title, url_path=entry.address, default=not entry.address)


def _run(entry: Entry) -> None:
    page = import_module(f"pages.{entry.folder}").PAGE
    if not page.instead():
        import_module("pages.shell").show(page, entry.address)
