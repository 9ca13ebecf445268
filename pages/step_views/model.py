"""Which model is walked through: a small one whose every number fits the screen, or that of the switches."""

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.stages import SMALL_SOURCE, small
from pages.controls.link import choice, number
from pages.controls.switches import LARGEST_SEED, Architecture, architecture
from pages.shell import View

SMALL, FULL = SIZES = ("small", "full")
OF_SMALL = frozenset({"positions", "mask", "scale"})
"""Switches of the small model; it has one layer, two heads, and no norm before it."""

DEFAULTS = {"positions": "alibi"}
"""Positions that add a bias to the scores, so that every stage there can be is there."""


def choose_model(view: View, notes: DeltaGenerator) -> Architecture:
    """The size, and below it the switches that a model of this size has."""
    size = choice("size", "Model", SIZES, SMALL, notes=notes)
    if size == FULL:
        return architecture(notes, shown=view.switches, defaults=DEFAULTS, with_real=view.real)
    st.caption("8 dimensions, 2 heads, random weights: every number fits on the screen.")
    seed = number("seed", "Seed", LARGEST_SEED, 0, notes=notes)
    switches = architecture(notes, shown=OF_SMALL & view.switches, defaults=DEFAULTS)
    return replace(switches, config=small(switches.config), source=SMALL_SOURCE, seed=seed)
