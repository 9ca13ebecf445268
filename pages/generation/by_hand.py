"""Words chosen by hand in place of a model's own: kept in the link, in the order of the choices."""

from contextlib import suppress

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.measures.generation.by_hand import ByHand, spell, unspell, with_choice
from pages.controls.history import is_walking_back
from pages.controls.notes import complain, repeat
from pages.controls.prose import Typed

BY_HAND = "by_hand"
"""The parameter of the link that has the words chosen."""

ABOUT = "by_hand is about"
"""Where a session keeps the words given that the choices follow."""


def chosen_by_hand(given: tuple[str, ...], notes: DeltaGenerator) -> tuple[ByHand, ...]:
    """What the link says; after other words than before the choices are those of another text, and go.

    Where it says something impossible a note says so, and the link forgets it.
    """
    if st.session_state.get(ABOUT, given) != given and not is_walking_back():
        _put(())
    st.session_state[ABOUT] = given
    raw = ",".join(st.query_params.get_all(BY_HAND))
    if not raw:
        repeat(BY_HAND, raw, notes)
        return ()
    try:
        return unspell(raw)
    except ValueError as error:
        _put(())
        complain(
            BY_HAND,
            f"The link asks for {Typed(BY_HAND)} = {Typed(raw)}, but {Typed(error):200}. "
            "Showing the texts without words chosen by hand.",
            "",
            notes,
        )
        return ()


def choose_by_hand(writer: str, step: int, word: str) -> None:
    """Have a writer go on with this word at a step, counted from 0."""
    _put(with_choice(_in_link(), ByHand(writer, step, word)))


def undo_button() -> None:
    """The button that takes back the word chosen last."""
    st.button(
        "Take back the last word",
        key="undo",
        icon=":material/undo:",
        disabled=not _in_link(),
        on_click=_undo,
        help="Takes back the word chosen last by hand, whatever else was done since.",
    )


def _undo() -> None:
    _put(_in_link()[:-1])


def _in_link() -> tuple[ByHand, ...]:
    with suppress(ValueError):
        return unspell(st.query_params.get(BY_HAND, ""))
    return ()


def _put(choices: tuple[ByHand, ...]) -> None:
    if choices:
        st.query_params[BY_HAND] = spell(choices)
    elif BY_HAND in st.query_params:
        del st.query_params[BY_HAND]
