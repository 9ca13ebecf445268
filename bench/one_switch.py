"""The lower bound of Streamlit: one switch and a line of text."""

import streamlit as st


@st.fragment
def page() -> None:
    """Draw the page: a switch, and a line of text."""
    with st.sidebar:
        scale = st.toggle("Scale by √d_head", value=True, key="scale", bind="query-params")
    with st.container(key="answer"):
        st.markdown("divided by √d" if scale else "not divided")


st.set_page_config(layout="wide")
page()
