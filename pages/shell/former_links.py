"""Links made before every view was called `view`: they go on working, quietly rewritten."""

import streamlit as st

from pages.controls.link import put
from pages.shell.view import Page


def rewrite(page: Page) -> None:
    """Give the parameter of the view its name of today, and the view its own."""
    asked = st.query_params
    name = asked.get("view")
    if page.formerly in asked and page.formerly != "view":
        former = asked[page.formerly]
        if former in page.views or former in page.renamed:
            del asked[page.formerly]
            name = name or former
    name = page.renamed.get(name, name) if name else None
    if name in page.views and name != asked.get("view"):
        put("view", name)
