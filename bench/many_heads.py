"""All heads of a model larger than the explorer offers: 12 layers of 12 heads, over 64 words or as asked."""

import streamlit as st

from core.device import compute_on_one_thread
from core.measures.reading import WholeReading, read
from core.model.config import ModelConfig
from core.sources import load
from pages.controls.link import drawn, number
from pages.controls.picture import picture, theme
from pages.controls.sentence import CHEF, sentence
from pages.controls.switches import architecture
from viz.head_grid import describe_head_grid, head_grid

WORDS = "64"


@st.cache_resource(max_entries=1)
def reading(n: int, seed: int) -> WholeReading:
    config = ModelConfig(vocab_size=1, d_model=96, n_heads=12, n_layers=12)
    return read(load("random", config, [f"word{at}" for at in range(n)], seed))


@st.fragment
def page() -> None:
    notes = st.container()
    sentence(notes, default=CHEF)
    drawn(notes, architecture)
    n = int(st.query_params.get("words", WORDS))
    seen = reading(n, number("seed", notes=notes))
    patterns = seen.patterns()
    figure = head_grid(patterns, theme=theme(), allowed=seen.allowed())
    picture(figure, key="many_heads", alt=describe_head_grid(patterns))


compute_on_one_thread()  # as in the app
st.set_page_config(layout="wide")
page()
