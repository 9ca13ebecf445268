"""Search on every page: a button and keys open a box; the views found open with the visitor's sentence."""

from pathlib import Path
from typing import Any

import streamlit as st

from pages.browser.large import LARGE
from pages.contract.sheet import Link as Parameters
from pages.data.links import Link
from pages.home.gallery import Exhibit, found_for
from pages.state.link import here

HERE = Path(__file__).parent

KEY = "search"
LONGEST = 80
"""Characters of what is searched for."""

_search = st.components.v2.component(
    "search",
    html=f"""<button type="button" class="opener" aria-label="Search" aria-haspopup="dialog"
        aria-keyshortcuts="/ Control+K" title="Find a view (/)">
        <svg viewBox="0 0 16 16" aria-hidden="true">
            <circle cx="6.5" cy="6.5" r="5"/><path d="m10.2 10.2 4.6 4.6"/>
        </svg>
    </button>
    <dialog aria-label="Search">
        <div class="line">
            <input type="text" role="combobox" aria-label="Search the views" aria-autocomplete="list"
                aria-expanded="true" aria-controls="found" autocomplete="off" spellcheck="false"
                maxlength="{LONGEST}" placeholder="mask, temperature, RoPE …">
            <button type="button">Close</button>
        </div>
        <p role="status"></p>
        <div id="found" role="listbox" aria-label="Views"></div>
    </dialog>""",
    css=(HERE / "search.css").read_text("utf-8"),
    js=(HERE / "search.js").read_text("utf-8"),
)


@st.fragment
def offer_search() -> None:
    """Have a button and keys open the box; the views are sent once the box asks for them."""
    asked = st.session_state.get(KEY, {}).get("wanted")
    _search(key=KEY, data=answer(asked, here().chosen), on_wanted_change=lambda: None, height=0)


def answer(asked: Any, chosen: Parameters) -> dict[str, Any]:
    """Return the views found for a box, under the number of its question; nothing if it has not asked.

    Each view comes with the names of its page and of itself, its question, and its link: see `link_to`.
    """
    match asked:
        case {"number": int(number), "text": str(text)}:
            return {"number": number, "views": [_listed(one, chosen) for one in found_for(text[:LONGEST])]}
    return {}


def _listed(one: Exhibit, chosen: Parameters) -> list[str]:
    title = one.entry.title
    called = title if one.name == title.lower() else f"{title} · {one.name}"
    return [called, one.question or one.of_page, link_to(one, chosen)]


def link_to(one: Exhibit, chosen: Parameters) -> str:
    """Return the address of a view with the sentence that has been chosen, large if this page is."""
    kept = [LARGE, *(["text"] if one.reads else [])]
    along = {name: chosen[name][0] for name in kept if chosen.get(name)}
    return Link("", one.entry.address, {"view": one.name, **along}).path
