"""Which model is walked through: a small one whose every number fits the screen, or that of the switches."""

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.measures.stages import SMALL_SOURCE, small
from pages.controls.arrival import has_arrived, put
from pages.controls.link import choice, number
from pages.controls.parameters import options_of
from pages.controls.real import is_asked_for
from pages.controls.switches import Architecture, architecture
from pages.shell import View

SMALL, FULL = options_of("size")
OF_SMALL = frozenset({"positions", "mask", "scale"})
"""Switches of the small model; it has one layer, two heads, and no norm before it."""

DEFAULTS = {"positions": "alibi"}
"""Positions that add a bias to the scores, so that every stage there can be is there."""


def choose_model(view: View, notes: DeltaGenerator) -> Architecture:
    """The size, and below it the switches that a model of this size has.

    Who comes with a real model comes to see that one.
    """
    if view.real and has_arrived("size") and _comes_with_a_real_model():
        put("size", FULL)
    size = choice("size", notes=notes)
    if size == FULL:
        return architecture(notes, shown=view.switches, defaults=DEFAULTS, with_real=view.real)
    st.caption("8 dimensions, 2 heads, random weights: every number fits on the screen.")
    seed = number("seed", notes=notes)
    switches = architecture(notes, shown=OF_SMALL & view.switches, defaults=DEFAULTS)
    return replace(switches, config=small(switches.config), source=SMALL_SOURCE, seed=seed)


def _comes_with_a_real_model() -> bool:
    """Whether the link asks for a real model, or one was chosen before, and nobody has asked for a size."""
    has_no_size = "size" not in st.query_params and st.session_state.get("size", SMALL) == SMALL
    return is_asked_for() and has_no_size
