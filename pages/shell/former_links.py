"""Links that say something in another way than the page: with former names, with 1 for a switch that is on.

They work as if they said it in the page's way.
"""

from collections.abc import Collection
from contextlib import suppress

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages import EXPLORER, HOME, Entry
from pages.contract.sheet import Link
from pages.controls.arrival import has_arrived, put
from pages.controls.home_link import opens_home
from pages.controls.parameters import in_words
from pages.shell.view import Page


def entry_of_today(entry: Entry, link: Link) -> Entry:
    """The page that a link to the address of `entry` means: the explorer has stood where the home is."""
    return EXPLORER if entry == HOME and not opens_home(link) else entry


def rewrite(page: Page) -> None:
    """Give the parameters their names of today, and the view its own."""
    asked = st.query_params
    _rename(page)
    _spell_out()
    name = asked.get("view")
    if page.formerly in asked and page.formerly != "view":
        former = asked[page.formerly]
        if former in page.views or former in page.renamed:
            del asked[page.formerly]
            name = name or former
    if name is None and has_arrived("view"):
        name = _named_by(page, asked)
    name = page.renamed.get(name, name) if name else None
    if name in page.views and name != asked.get("view"):
        put("view", name)


def of_today(page: Page, link: Link) -> Link:
    """A link with the names of today."""
    renamed = {page.former_names.get(name, name): in_words(name, values) for name, values in link.items()}
    if page.formerly != "view" and page.formerly in renamed:
        former = renamed[page.formerly]
        if former[0] in page.views or former[0] in page.renamed:
            del renamed[page.formerly]
            renamed.setdefault("view", former)
    if "view" not in renamed and (named := _named_by(page, renamed)):
        renamed["view"] = [named]
    if "view" in renamed:
        renamed["view"] = [page.renamed.get(name, name) for name in renamed["view"]]
    return renamed


def _named_by(page: Page, names: Collection[str]) -> str | None:
    """The view that a link without one means, by the first of its parameters that only this view had."""
    return next((view for name, view in page.named_by.items() if name in names), None)


def _spell_out() -> None:
    """Hand to switches in words what the link says of them in figures."""
    link = {name: st.query_params.get_all(name) for name in st.query_params}
    words = {name: in_words(name, values) for name, values in link.items()}
    _say({name: values for name, values in words.items() if values != link[name]})


def _rename(page: Page) -> None:
    """Hand what a former name asks for to the control that has another name now, which then judges it."""
    former = {name: st.query_params.get_all(name) for name in page.former_names if name in st.query_params}
    for name in former:
        del st.query_params[name]
    _say({page.former_names[name]: values for name, values in former.items()})


def _say(values: Link) -> None:
    """Have the link say this from its beginning, before its controls have read it."""
    context = get_script_run_ctx()
    if context is None or not values:
        return
    for name, spelling in values.items():
        with suppress(StreamlitAPIException):  # bound since an earlier run: its control judges what is said
            st.query_params[name] = list(spelling)
    with context.session_state.query_params() as parameters:
        parameters.set_initial_query_params_from_current()
