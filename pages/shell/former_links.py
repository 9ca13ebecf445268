"""Links made before every view was called `view`: they go on working, quietly rewritten."""

import streamlit as st

from pages.shell.view import Page


def rewrite(page: Page) -> None:
    """Give the parameter of the view its name of today, and the view its own."""
    asked = st.query_params
    if page.formerly in asked and page.formerly != "view":
        name = asked[page.formerly]
        if name in page.views or name in page.renamed:
            del asked[page.formerly]
            asked.setdefault("view", name)
    if asked.get("view") in page.renamed:
        asked["view"] = page.renamed[asked["view"]]
