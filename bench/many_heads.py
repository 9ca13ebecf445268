"""All heads of a model larger than the explorer offers: 12 layers of 12 heads, over 64 words by default."""

import streamlit as st

from core.device import compute_on_one_thread
from core.measures.reading import WholeReading, read
from core.model.config import ModelConfig
from core.sources import load
from pages.contract.ask import Ask
from pages.contract.examples import CHEF
from pages.contract.parameters import SWITCHES
from pages.contract.scene import Scene
from pages.contract.sheet import PicturePart, Sheet
from pages.contract.view import Page, view
from pages.shell.page import draw_page
from viz.heads import Heads

WORDS = "64"


@st.cache_resource(max_entries=1)
def reading(n: int, seed: int) -> WholeReading:
    """Return the reading of `n` words by the model of this seed."""
    config = ModelConfig(vocab_size=1, d_model=96, n_heads=12, n_layers=12)
    return read(load("random", config, [f"word{at}" for at in range(n)], seed))


TITLE = "Attention weights, every layer and head"


@view(sentence=CHEF, switches=SWITCHES - {"model"}, asks=False)
def many_heads(ask: Ask, scene: Scene) -> Sheet:
    """Show all heads over the number of words in the address, with the seed of the sidebar."""
    seen = reading(int(st.query_params.get("words", WORDS)), scene.switches.seed)
    picture = Heads(patterns=seen.patterns(), title=TITLE, words=seen.words, allowed=seen.allowed())
    return Sheet(parts=(PicturePart("many_heads", picture),))


compute_on_one_thread()  # as in the app
st.set_page_config(layout="wide")
draw_page(Page(question="How fast are many heads?", views={"heads": many_heads}))
