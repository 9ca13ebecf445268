"""Interaction distance: operations between two words, and how far networks really reach."""

import streamlit as st

from pages.controls.code import code
from pages.controls.link import choice, place
from pages.controls.sentence import TEA, sentence
from pages.controls.switches import architecture
from pages.interaction_views import CHARTS, SWITCHES
from pages.interaction_views.networks import COUNTS, Pair, counting, networks

COUNTED = frozenset({"mask", "layers"})
"""The switches of the two networks whose operations are counted."""


@st.fragment
def page() -> None:
    """The two networks over the sentence typed, then how their costs grow, or how far trained ones reach."""
    notes = st.container()
    st.markdown("#### How far must one word travel to reach another?")
    words = sentence(notes, default=TEA)
    above = st.container()
    row = st.container(horizontal=True, vertical_alignment="center", key="inline_chart")
    with row:
        chart = choice("chart", "Chart", list(CHARTS), next(iter(CHARTS)), notes=notes, hide_label=True)
    switches = architecture(
        notes,
        shown=COUNTED | SWITCHES.get(chart, frozenset()),
        defaults={"layers": 1, "mask": "bidirectional"},
    )
    if not words:
        return
    with above:
        with st.container(horizontal=True, vertical_alignment="center", key="inline_path"):
            count = choice(
                "count", "In the boxes", list(COUNTS), next(iter(COUNTS)), notes=notes, hide_label=True
            )
            source = place("from", "From", len(words), notes=notes, unchosen="first")
            target = place("to", "To", len(words), notes=notes, unchosen="last")
        source, target = 0 if source is None else source, len(words) - 1 if target is None else target
        pair = Pair(words, switches.config, source, target)
        networks(pair, count=count)
    CHARTS[chart](pair, row)
    code(lambda: counting(pair, count=count), prints="the numbers in the boxes, row by row")


page()
