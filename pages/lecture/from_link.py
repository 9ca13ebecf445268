"""The lecture of the link, shown step by step in place of the page that lists all."""

import streamlit as st

from pages.lecture.deck import deck_named
from pages.lecture.deck_file import DeckError
from pages.lecture.player import play
from pages.lecture.slide import draw_slide


def show_linked_lecture() -> bool:
    """Return whether the link names a lecture, or a slide of one, which is then shown.

    The page says why a lecture is invalid.
    """
    name = st.query_params.get("deck")
    if name is None:
        return False
    try:
        deck = deck_named(name)
    except DeckError:
        return False
    number = st.query_params.get("slide")
    if number is not None:
        slide = deck.steps[step_of(number, len(deck.steps)) - 1]
        if slide.kind:
            draw_slide(slide)
            return True
    play(deck, name, step_of(st.query_params.get("step", ""), len(deck.steps)))
    return True


def step_of(spelling: str, n: int) -> int:
    """Return the step of `n` that a link names, counted from 1: the nearest one, else the first."""
    asked = int(spelling) if spelling.isascii() and spelling.isdigit() and len(spelling) < 10 else 1
    return min(max(asked, 1), n)
