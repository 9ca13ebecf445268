"""Notes on impossible values in a link."""

from typing import cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

HERE = cast(DeltaGenerator, st)
"""The point where the page is being drawn: an unneeded note there sends no message to the browser."""


def warn(notes: DeltaGenerator, *sentences: str) -> None:
    """Add each sentence to the notes unless it is empty."""
    for said in filter(None, sentences):
        notes.warning(said, icon=":material/link_off:")
