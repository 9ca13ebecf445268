"""The least that Streamlit and Plotly can do: one number to set and a figure of one bar."""

import plotly.graph_objects as go
import streamlit as st


@st.fragment
def page() -> None:
    with st.sidebar:
        n = st.number_input("Seed", value=0, key="seed", bind="query-params")
    figure = go.Figure(go.Bar(x=[n], y=["words"], orientation="h"))
    st.plotly_chart(figure, key="figure", config={"displayModeBar": False})


st.set_page_config(layout="wide")
page()
