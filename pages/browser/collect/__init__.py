"""Adding what is seen to one's own lecture, from every page; it is kept in the browser alone."""

from pathlib import Path

import streamlit as st

from pages.browser.scripts import KEPT, LINK_HERE

HERE = Path(__file__)
LECTURE_MODE = "lecture"
"""The parameter of a page that is shown in a hall, where nobody collects."""

_collect = st.components.v2.component(
    "collect",
    html="""<div class="collect">
        <button type="button" title="Add what you see to your lecture">+ <span>Lecture</span></button>
        <div role="status"></div>
    </div>""",
    css=HERE.with_name("collect.css").read_text("utf-8"),
    js="\n".join(path.read_text("utf-8") for path in (KEPT, LINK_HERE, HERE.with_name("collect.js"))),
)


def offer_step(address: str) -> None:
    """Offer to add what the page at an address shows, but for the page of lectures itself."""
    if address != "lecture" and LECTURE_MODE not in st.query_params:
        _collect(key="collect", height=0)
