"""How the controls of a form are drawn: each shows what the state says, and changes it."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages.contract.ask import numbered
from pages.contract.items import (
    Action,
    Asked,
    Button,
    Caption,
    Download,
    Hub,
    Item,
    LoadButton,
    Name,
    PageLink,
    Pick,
    Slider,
    Walk,
)
from pages.contract.parameters.declared import POSITION
from pages.contract.prose import JOINER, literal
from pages.controls.base import based
from pages.controls.buttons import action_button, button, download_button, load_button
from pages.controls.hub import draw_hub
from pages.controls.navigation import navigation_page
from pages.controls.walk import walk_buttons
from pages.state.link import change_link, choose, show_value

BAR = 760
"""Pixels of a slider with what it says at both ends."""

TYPED = ("number", "slide", "lines", "entry")
"""Controls in which somebody may be typing, or that are being dragged, when the page is drawn."""


def draw(item: Item) -> None:
    """Draw one item of a form where the page is being drawn."""
    match item:
        case Caption(markdown):
            st.caption(based(markdown))
        case Name(markdown):
            st.markdown(based(markdown), width="content")
        case Button():
            button(item)
        case Walk(name, n):
            walk_buttons(name, n)
        case LoadButton(name):
            load_button(name)
        case Slider():
            _slider(item)
        case Hub():
            draw_hub()
        case Action():
            action_button(item)
        case PageLink(label, entry, parameters):
            st.page_link(navigation_page(entry), label=label, icon=item.icon, query_params=dict(parameters))
        case Download():
            download_button(item)
        case Pick():
            _pick(item)
        case Asked():
            _ASKED[item.widget](item, bound(item))


def bound(item: Asked) -> dict[str, Any]:
    """Have a control show its value; returns the key and the callback with which it is drawn."""
    key = item.control.name
    show_value(key, item.value, is_typed=item.widget in TYPED)
    return {
        "key": key,
        "on_change": lambda: choose(item.control, st.session_state[key], item.clears),
        "help": item.help,
    }


def _slider(item: Slider) -> None:
    with st.container(horizontal=True, vertical_alignment="center", width=BAR, key="one_line"):
        st.markdown(based(item.before), width="content")
        with st.container():
            draw(item.asked)
        st.markdown(based(item.after), width="content")


def _pick(item: Pick) -> None:
    def act() -> None:
        picked = st.session_state.get(item.key)
        if picked is not None:
            st.session_state[item.key] = None
            change_link(lambda link: item.on_pick(picked, link))

    st.selectbox(
        item.label,
        item.options,
        index=None,
        placeholder=item.placeholder,
        key=item.key,
        label_visibility="collapsed",
        on_change=act,
    )


def _choice(item: Asked, to_state: dict[str, Any]) -> None:
    one = item.control
    look: dict[str, Any] = {"label_visibility": "collapsed" if item.hide_label else "visible"}
    st.segmented_control(one.label, one.options, required=True, disabled=item.is_fixed, **look, **to_state)


def _menu(item: Asked, to_state: dict[str, Any]) -> None:
    st.selectbox(item.control.label, item.control.options, width=_wide(item), **to_state)


def _slide(item: Asked, to_state: dict[str, Any]) -> None:
    st.select_slider(item.control.label, item.control.options, label_visibility="collapsed", **to_state)


def _pills(item: Asked, to_state: dict[str, Any]) -> None:
    st.pills(item.control.label, item.control.options, selection_mode="multi", **to_state)


def _multiselect(item: Asked, to_state: dict[str, Any]) -> None:
    st.multiselect(item.control.label, item.control.options, placeholder="none", **to_state)


def _switch(item: Asked, to_state: dict[str, Any]) -> None:
    st.toggle(item.control.label, **to_state)


def _number(item: Asked, to_state: dict[str, Any]) -> None:
    one = item.control
    assert one.bounds is not None, "every number is declared with its bounds"
    bounds: dict[str, Any] = dict(zip(("min_value", "max_value"), one.bounds, strict=True))
    look: dict[str, Any] = {"placeholder": one.unchosen, "width": _wide(item)}
    st.number_input(one.label, value=None, **bounds, **look, **to_state)


def _word(item: Asked, to_state: dict[str, Any]) -> None:
    st.selectbox(
        item.control.label.removesuffix(POSITION),
        range(1, len(item.words) + 1),
        index=None,
        format_func=lambda at: numbered(item.words, at - 1),
        placeholder=item.control.unchosen,
        width=_wide(item),
        **to_state,
    )


def _word_row(item: Asked, to_state: dict[str, Any]) -> None:
    labels = _apart(item.words)
    st.segmented_control(
        item.control.label.removesuffix(POSITION),
        range(1, len(item.words) + 1),
        format_func=lambda at: labels[at - 1],
        required=True,
        **to_state,
    )


def _lines(item: Asked, to_state: dict[str, Any]) -> None:
    st.text_area(item.control.label, height="content", **to_state)


def _entry(item: Asked, to_state: dict[str, Any]) -> None:
    look: dict[str, Any] = {"placeholder": item.placeholder, "width": _wide(item)}
    st.text_input(item.control.label, live=True, **look, **to_state)


def _apart(words: Sequence[str]) -> list[str]:
    """The words, equal ones apart by signs that nobody sees: Streamlit (1.67) knows options by labels."""
    return [literal(word) + JOINER * words[:at].count(word) for at, word in enumerate(words)]


def _wide(item: Asked) -> Any:
    return "stretch" if item.width is None else item.width


_ASKED: dict[str, Callable[[Asked, dict[str, Any]], None]] = {
    "choice": _choice,
    "menu": _menu,
    "slide": _slide,
    "pills": _pills,
    "multiselect": _multiselect,
    "switch": _switch,
    "number": _number,
    "word": _word,
    "word row": _word_row,
    "lines": _lines,
    "entry": _entry,
}
