"""All controls of a page and a line of text in place of its picture: what pictures are measured against."""

import streamlit as st

from pages.contract.ask import Ask
from pages.contract.sheet import Sheet
from pages.controls.examples import CHEF
from pages.controls.switches import NAMES
from pages.shell.page import draw_page
from pages.shell.scene import Scene
from pages.shell.view import Page, view


@view(sentence=CHEF, switches=NAMES, asks=False)
def text_only(ask: Ask, scene: Scene) -> Sheet:
    """A line of text for every combination of switches."""
    return Sheet(answer=f"{len(scene.words)} words, {scene.switches.config}")


st.set_page_config(layout="wide")
draw_page(Page(question="How fast is a line of text?", views={"text": text_only}))
