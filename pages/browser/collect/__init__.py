"""A button on every page that adds the page to the visitor's own lecture, kept in the browser alone."""

from pathlib import Path

import streamlit as st

from pages.browser.component import component
from pages.browser.large import LARGE
from pages.browser.scripts import AT_REST, KEPT, LINK_HERE

HERE = Path(__file__).parent

_collect = component(
    "collect",
    *(KEPT, LINK_HERE, AT_REST),
    *(HERE / name for name in ("answers.js", "added_step.js", "collect.js", "collect.css")),
    html="""<div class="collect">
        <button type="button" title="Add what you see to your lecture, as its next step">
            + <span>Add to </span>lecture</button>
        <div role="status"></div>
    </div>""",
)


def offer_step(address: str) -> None:
    """Offer to add the page at an address to the lecture; the page of lectures itself has no offer."""
    if address != "lecture" and LARGE not in st.query_params:
        _collect(key="collect", height=0)
