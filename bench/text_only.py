"""All controls of a page and a line of text in place of its picture: what pictures are measured against."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.controls.link import drawn
from pages.controls.sentence import CHEF, Words, sentence
from pages.controls.switches import architecture


@st.fragment
def page() -> None:
    """A page whose switches change a fragment of its own, as in the shell."""
    notes = st.container()
    answer(sentence(notes, default=CHEF), notes)


@st.fragment
def answer(words: Words, notes: DeltaGenerator) -> None:
    switches = drawn(notes.container(), architecture)
    with st.container(key="answer"):
        st.markdown(f"{len(words)} words, {switches}")


st.set_page_config(layout="wide")
page()
