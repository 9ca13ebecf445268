"""Search on every page: a button and keys open a box; found views open with the visitor's sentence."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from pages.browser.component import component
from pages.browser.large import LARGE
from pages.contract.sheet import LinkValues
from pages.data.links import Link
from pages.home.gallery import GalleryItem, found_for, gallery_item_of
from pages.home.hall_questions import HallQuestion, asked_for
from pages.state.link import current_state

HERE = Path(__file__).parent

KEY = "search"
LONGEST = 80

_search = component(
    "search",
    *(HERE / "search.js", HERE / "search.css"),
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
)


@st.fragment
def offer_search() -> None:
    """Add the button and keys that open the box; the views are sent when the box requests them."""
    asked = st.session_state.get(KEY, {}).get("wanted")
    here = urlsplit(st.context.url or "").path.rpartition("/")[2]
    data = answer(asked, current_state().chosen, here)
    _search(key=KEY, data=data, on_wanted_change=lambda: None, height=0)


def answer(asked: Any, chosen: LinkValues, here: str = "") -> dict[str, Any]:
    """Return the views found for a box, with the number of its request; nothing without a request.

    Each view comes with the names of its page and of itself, its question, and its link: see `link_to`.
    Questions of a lecture hall stand first, each with the view and the switches that answer it. A
    question about the page at the address `here` stands before an equal one.
    """
    match asked:
        case {"number": int(number), "text": str(text)}:
            wanted = text[:LONGEST]
            answers = [_listed(gallery_item_of(one.link), chosen, one) for one in asked_for(wanted, here)]
            return {"number": number, "views": answers + [_listed(one, chosen) for one in found_for(wanted)]}
    return {}


def _listed(one: GalleryItem, chosen: LinkValues, asked: HallQuestion | None = None) -> list[str]:
    title = one.entry.title
    called = title if one.name == title.lower() else f"{title} · {one.name}"
    if asked is not None:
        return [called, asked.question, link_to(one, chosen, asked.link.parameters)]
    return [called, one.question or one.of_page, link_to(one, chosen)]


def link_to(
    one: GalleryItem, chosen: LinkValues, more: Mapping[str, str | int] = MappingProxyType({})
) -> str:
    """Return the address of a view, with the chosen sentence if it reads one, large if this page is."""
    kept = [LARGE, *(["text"] if one.reads else [])]
    along = {name: chosen[name][0] for name in kept if chosen.get(name)}
    return Link("", one.entry.address, {"view": one.name, **along, **more}).path
