"""The three kinds of attention of an encoder–decoder."""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.controls.link import choice

CROSS, ENCODER, DECODER = KINDS = ("cross-attention", "encoder", "decoder")
WITHIN = {
    ENCODER: "Self-attention of the encoder: every word of the source attends to every other one.",
    DECODER: "Self-attention of the decoder: a row is a word that it has read, the start first, and it "
    "attends to the words before and to itself.",
}


def choose_kind(notes: DeltaGenerator, on_change: Callable[[], None] | None = None) -> str:
    """Which of them is looked at."""
    return choice("kind", "Attention", KINDS, CROSS, notes=notes, hide_label=True, on_change=on_change)


def is_of_encoder() -> bool:
    """Whether it will be the encoder's, though the control may not be drawn yet."""
    return bool(st.session_state.get("kind", st.query_params.get("kind")) == ENCODER)
