"""The visitor's screen: drawing the page again when its theme changes, or the room it has for figures."""

from pathlib import Path

import streamlit as st

_watch = st.components.v2.component("screen", js=Path(__file__).with_suffix(".js").read_text("utf-8"))

KEY = "screen"

WIDEST = 980
"""Pixels a figure takes at most: what is left beside the sidebar in a window 1400 wide."""

NARROWEST = 340
"""A figure is not drawn for less; a narrower window scrolls it."""


def follow_screen() -> None:
    """Rerun the app when the theme changes or the width of the window, so that figures are drawn for them."""
    data = {"known": room(), "narrowest": NARROWEST, "widest": WIDEST}
    _watch(key=KEY, data=data, on_paper_change=lambda: None, on_room_change=lambda: None, height=0)


def room(at_most: int = WIDEST) -> int:
    """Pixels of width for a figure that wants `at_most`, which it gets until the screen has told its own."""
    told = st.session_state.get(KEY, {}).get("room")
    return at_most if told is None else min(max(int(told), NARROWEST), at_most)
