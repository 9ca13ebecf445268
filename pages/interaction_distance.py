"""Interaction distance: operations between two words, in a recurrent network and with attention."""

import streamlit as st

from pages.controls.link import choice, place
from pages.controls.sentence import TEA, sentence
from pages.controls.switches import architecture
from pages.interaction_views.charts import CHARTS
from pages.interaction_views.networks import COUNTS, Pair, networks


@st.fragment
def page() -> None:
    """The two networks over the sentence typed, then how their costs grow."""
    notes = st.container()
    st.markdown("#### How far must one word travel to reach another?")
    words = sentence(notes, default=TEA)
    switches = architecture(notes, shown={"mask", "layers"}, defaults={"layers": 1, "mask": "bidirectional"})
    if not words:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="inline_path"):
        count = choice(
            "count", "In the boxes", list(COUNTS), next(iter(COUNTS)), notes=notes, hide_label=True
        )
        source = place("from", "From", len(words), notes=notes, unchosen="first")
        target = place("to", "To", len(words), notes=notes, unchosen="last")
    source, target = 0 if source is None else source, len(words) - 1 if target is None else target
    networks(Pair(words, switches.config, source, target), count=count)
    chart = choice("chart", "Chart", list(CHARTS), next(iter(CHARTS)), notes=notes, hide_label=True)
    CHARTS[chart](words, switches.config)


page()
