"""The controls as Streamlit draws them: each shows what the state says, and changes it."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages.contract.ask import numbered
from pages.contract.items import Asked
from pages.contract.parameters.declared import POSITION
from pages.contract.prose import JOINER, literal
from pages.state.link import choose, show_value

TYPED = ("number", "slide", "lines", "entry")
"""Controls in which somebody may be typing, or that are being dragged, when the page is drawn."""


def draw_control(item: Asked) -> None:
    """Draw a control where the page is being drawn."""
    key = item.control.name
    show_value(key, item.value, is_typed=item.widget in TYPED)
    to_state = {
        "key": key,
        "on_change": lambda: choose(item.control, st.session_state[key], item.clears),
        "help": item.help,
    }
    _DRAWN[item.widget](item, to_state)


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
    # What begins empty can be emptied: Streamlit then puts a cross where the number would be.
    empty: Any = None if one.default is None else "min"
    st.number_input(one.label, value=empty, **bounds, **look, **to_state)


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


_DRAWN: dict[str, Callable[[Asked, dict[str, Any]], None]] = {
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
