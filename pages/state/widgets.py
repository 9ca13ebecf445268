"""The controls as Streamlit draws them: each shows its value in the state, and changes it."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from core.model.positions import SCHEMES
from pages.contract.ask import numbered
from pages.contract.items import Control, Width
from pages.contract.prose import JOINER, literal
from pages.state.link import choose, show_value

TYPED = ("number", "slide", "lines", "entry")
"""Controls into which a visitor may be typing, or which may be dragged, during a rerun."""

WIDTHS: dict[str, Width] = {"menu": 150, "word": 190, "entry": 260}
"""Widths of controls in pixels, unless a view sets them; the others take the available room."""

WRITTEN = {positions: scheme.about.name for positions, scheme in SCHEMES.items()}
"""Options whose names in texts may differ from their spelling in a link."""

Look = dict[str, Any]


def draw_control(item: Control) -> None:
    """Draw a control where the page is being drawn."""
    show_value(item.parameter, item.value, partial(_draw, item), is_typed=item.widget in TYPED)


def _draw(item: Control, given: Look) -> Any:
    """Draw a control with a value that is `given`, or with its own."""
    one, value = item.parameter, given.get("value")
    shared: Look = {
        "label": one.label,
        "key": one.name,
        "on_change": partial(choose, one, item.clears),
        "help": item.help,
    }
    width: Any = item.width or WIDTHS.get(item.widget, "stretch")
    match item.widget:
        case "choice" | "word row":
            shared |= _options(item) | {"label_visibility": "collapsed" if item.hide_label else "visible"}
            return st.segmented_control(default=value, required=True, disabled=item.is_fixed, **shared)
        case "menu" | "word":
            look = _options(item)
            # Until a word is chosen, its menu shows the label for no word.
            first = 0 if item.widget == "menu" else None
            index = first if value is None else look["options"].index(value)
            return st.selectbox(index=index, placeholder=one.unchosen, width=width, **look, **shared)
        case "slide":
            return st.select_slider(options=one.options, label_visibility="collapsed", **given, **shared)
        case "pills":
            return st.pills(options=one.options, selection_mode="multi", default=value, **shared)
        case "multiselect":
            return st.multiselect(options=one.options, default=value, placeholder=one.unchosen, **shared)
        case "switch":
            return st.toggle(**given, **shared)
        case "number":
            smallest, largest = one.bounds
            # An empty start allows an empty value: Streamlit then shows a cross in place of the number.
            shared |= {"value": None if one.default is None else "min", "placeholder": one.unchosen} | given
            return st.number_input(min_value=smallest, max_value=largest, width=width, **shared)
        case "lines":
            return st.text_area(height="content", **given, **shared)
        case "entry":
            return st.text_input(live=True, placeholder=item.placeholder, width=width, **given, **shared)
    raise AssertionError(f"no control is drawn as {item.widget}")


def _options(item: Control) -> Look:
    """Return the options of a control, or else the positions of its words, and their labels."""
    if not item.widget.startswith("word"):
        return {
            "options": item.parameter.options,
            "format_func": lambda option: WRITTEN.get(option, str(option)),
        }
    names = _apart(item.words) if item.widget == "word row" else None
    positions = range(1, len(item.words) + 1)
    return {
        "options": positions,
        "format_func": lambda at: names[at - 1] if names else numbered(item.words, at - 1),
    }


def _apart(words: Sequence[str]) -> list[str]:
    """Return the words, equal ones marked with invisible signs: Streamlit (1.67) knows options by labels."""
    return [literal(word) + JOINER * words[:at].count(word) for at, word in enumerate(words)]
