"""All controls of a page and a line of text in place of its picture: the baseline for pictures."""

import streamlit as st

from pages.contract.ask import Ask
from pages.contract.examples import CHEF
from pages.contract.parameters import SWITCHES
from pages.contract.scene import Scene
from pages.contract.sheet import Sheet
from pages.contract.view import Page, view
from pages.shell.page import draw_page


@view(sentence=CHEF, switches=SWITCHES, asks=False)
def text_only(ask: Ask, scene: Scene) -> Sheet:
    """Show a line of text for every combination of switches."""
    return Sheet(headline=f"{len(scene.words)} words, {scene.switches.config}")


st.set_page_config(layout="wide")
draw_page(Page(question="How fast is a line of text?", views={"text": text_only}))
