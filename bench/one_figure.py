"""The lower bound of Streamlit and Plotly: one number to set and a figure of one bar."""

import plotly.graph_objects as go
import streamlit as st


@st.fragment
def page() -> None:
    """Draw the page: a number to set, and a figure of one bar."""
    with st.sidebar:
        n = st.number_input("Seed", value=0, key="seed", bind="query-params")
    figure = go.Figure(go.Bar(x=[n], y=["words"], orientation="h"))
    st.plotly_chart(figure, key="figure", config={"displayModeBar": False})


st.set_page_config(layout="wide")
page()
