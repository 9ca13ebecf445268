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

Look = dict[str, Any]


def draw_control(item: Asked) -> None:
    """Draw a control where the page is being drawn."""
    key = item.control.name
    to_state = {
        "key": key,
        "on_change": lambda: choose(item.control, st.session_state[key], item.clears),
        "help": item.help,
    }
    show_value(
        item.control,
        item.value,
        lambda given: _DRAWN[item.widget](item, to_state, given),
        is_typed=item.widget in TYPED,
    )


def _choice(item: Asked, to_state: Look, given: Look) -> Any:
    one = item.control
    look: Look = {"label_visibility": "collapsed" if item.hide_label else "visible"}
    return st.segmented_control(
        one.label,
        one.options,
        default=given.get("value"),
        required=True,
        disabled=item.is_fixed,
        **look,
        **to_state,
    )


def _menu(item: Asked, to_state: Look, given: Look) -> Any:
    options = item.control.options
    index = options.index(given["value"]) if given else 0
    return st.selectbox(item.control.label, options, index, width=_wide(item), **to_state)


def _slide(item: Asked, to_state: Look, given: Look) -> Any:
    one = item.control
    return st.select_slider(one.label, one.options, label_visibility="collapsed", **given, **to_state)


def _pills(item: Asked, to_state: Look, given: Look) -> Any:
    one, chosen = item.control, given.get("value")
    return st.pills(one.label, one.options, selection_mode="multi", default=chosen, **to_state)


def _multiselect(item: Asked, to_state: Look, given: Look) -> Any:
    one, chosen = item.control, given.get("value")
    return st.multiselect(one.label, one.options, default=chosen, placeholder="none", **to_state)


def _switch(item: Asked, to_state: Look, given: Look) -> Any:
    return st.toggle(item.control.label, **given, **to_state)


def _number(item: Asked, to_state: Look, given: Look) -> Any:
    one = item.control
    assert one.bounds is not None, "every number is declared with its bounds"
    bounds: Look = dict(zip(("min_value", "max_value"), one.bounds, strict=True))
    look: Look = {"placeholder": one.unchosen, "width": _wide(item)}
    # What begins empty can be emptied: Streamlit then puts a cross where the number would be.
    look |= given or {"value": None if one.default is None else "min"}
    return st.number_input(one.label, **bounds, **look, **to_state)


def _word(item: Asked, to_state: Look, given: Look) -> Any:
    at = given.get("value")
    return st.selectbox(
        item.control.label.removesuffix(POSITION),
        range(1, len(item.words) + 1),
        index=None if at is None else at - 1,
        format_func=lambda at: numbered(item.words, at - 1),
        placeholder=item.control.unchosen,
        width=_wide(item),
        **to_state,
    )


def _word_row(item: Asked, to_state: Look, given: Look) -> Any:
    labels = _apart(item.words)
    return st.segmented_control(
        item.control.label.removesuffix(POSITION),
        range(1, len(item.words) + 1),
        default=given.get("value"),
        format_func=lambda at: labels[at - 1],
        required=True,
        **to_state,
    )


def _lines(item: Asked, to_state: Look, given: Look) -> Any:
    return st.text_area(item.control.label, height="content", **given, **to_state)


def _entry(item: Asked, to_state: Look, given: Look) -> Any:
    look: Look = {"placeholder": item.placeholder, "width": _wide(item)}
    return st.text_input(item.control.label, live=True, **look, **given, **to_state)


def _apart(words: Sequence[str]) -> list[str]:
    """The words, equal ones apart by signs that nobody sees: Streamlit (1.67) knows options by labels."""
    return [literal(word) + JOINER * words[:at].count(word) for at, word in enumerate(words)]


def _wide(item: Asked) -> Any:
    return "stretch" if item.width is None else item.width


_DRAWN: dict[str, Callable[[Asked, Look, Look], Any]] = {
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
