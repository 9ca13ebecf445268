"""The changed entries: in the link, where each is one `edit`, and nowhere else."""

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.measures.stages import CHANGEABLE, MOST_CHANGES, Change, parse, spelt
from pages.controls.notes import complain, repeat
from pages.controls.prose import Typed

NAME = "edit"


def changes(notes: DeltaGenerator, *, n_words: int, d_head: int) -> tuple[Change, ...]:
    """What the link changes; what is impossible is left out with a note, and leaves the link."""
    asked = st.query_params.get_all(NAME)
    possible: list[Change] = []
    refused: list[str] = []
    for text in asked[:MOST_CHANGES]:
        try:
            change = parse(text)
            change.check(n_words=n_words, d_head=d_head)
        except ValueError as error:
            refused.append(
                f"The link asks for {NAME} = {Typed(text)}, but {Typed(error):200}\\. Showing no such change."
            )
        else:
            possible.append(change)
    if len(asked) > MOST_CHANGES:
        refused.append(f"At most {MOST_CHANGES} entries can be changed: the others are left as they were.")
    if len(possible) < len(asked):
        _write(possible)
    kept = tuple(possible)
    for text in refused:
        complain(NAME, text, kept, notes)
    if not refused:
        repeat(NAME, kept, notes)
    return kept


def add(asked: Any) -> None:
    """Put a change that the browser reports into the link; a second one of an entry replaces the first."""
    change = Change(str(asked["matrix"]), int(asked["row"]), int(asked["column"]), float(asked["value"]))
    assert change.matrix in CHANGEABLE
    place = spelt(change).split(".")[:3]
    others = [text for text in st.query_params.get_all(NAME) if text.split(".")[:3] != place]
    st.query_params[NAME] = [*others, spelt(change)][-MOST_CHANGES:]


def forget_all() -> None:
    """Have everything as it was computed."""
    _write([])


def _write(kept: list[Change]) -> None:
    if kept:
        st.query_params[NAME] = [spelt(change) for change in kept]
    elif NAME in st.query_params:
        del st.query_params[NAME]
