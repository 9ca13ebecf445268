"""All controls of a page and a line of text in place of its picture: what pictures are measured against."""

import streamlit as st

from pages.controls.sentence import CHEF, sentence
from pages.controls.switches import architecture


@st.fragment
def page() -> None:
    notes = st.container()
    words = sentence(notes, default=CHEF)
    switches = architecture(notes)
    with st.container(key="answer"):
        st.markdown(f"{len(words)} words, {switches}")


st.set_page_config(layout="wide")
page()
