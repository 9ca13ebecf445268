"""The menu of the words of a sentence: a visitor chooses the word, and the link has its position."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.controls.link import control, number, put
from pages.controls.parameters.declared import POSITION
from viz.text import shortened

LONGEST = 20
"""So much of a word stands in the menu, in em; the box shows what it has room for."""

MENU = "_word"
"""How the key of a menu ends: it begins with the parameter that it sets."""


def word_menu(
    name: str,
    words: Sequence[str],
    *,
    notes: DeltaGenerator,
    label: str | None = None,
    unchosen: str = "none",
    width: int = 190,
) -> int | None:
    """The position of a word, counted from 1 in the menu and in the link and from 0 in what is returned.

    None while no word is chosen, which the menu shows as `unchosen`. Streamlit (1.67) writes the label of a
    bound menu into the link, so the number is kept by a box of its own, which frame.css hides.
    """
    if (st.session_state.get(name) or 0) > len(words):
        st.session_state[name] = None
    label = control(name, "number", label=label).label
    in_link = number(name, label=f"{label}{POSITION}", largest=len(words), notes=notes)
    menu = f"{name}{MENU}"
    # In every run, also where it is so already: a browser that has skipped the run before would take the menu
    # for empty, and say so at the next click.
    st.session_state[menu] = in_link
    st.selectbox(
        label,
        range(1, len(words) + 1),
        index=None,
        format_func=lambda at: numbered(words, at - 1),
        key=menu,
        placeholder=unchosen,
        on_change=lambda: put(name, st.session_state[menu]),
        width=width,
    )
    return None if in_link is None else in_link - 1


def numbered(words: Sequence[str], at: int) -> str:
    """A word with its position before it: equal words stay apart. It is text for a menu, not for markdown."""
    return f"{at + 1} {shortened(str(words[at]), longest=LONGEST)}"
