"""The visitor's screen: what its theme is and how wide, and the room that a figure has on it."""

from collections.abc import Sequence
from pathlib import Path
from weakref import WeakKeyDictionary

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.delta_generator_singletons import context_dg_stack

_watch = st.components.v2.component("screen", js=Path(__file__).with_suffix(".js").read_text("utf-8"))

KEY = "screen"

WIDEST = 980
"""Pixels a figure takes at most: what is left beside the sidebar in a window 1400 wide."""

NARROWEST = 300
"""A figure is not drawn for less; a narrower window scrolls it."""

STACKED = 860
"""Pixels of a page below which its columns stand below each other, see frame.css."""

GAP = 34
"""Pixels between two columns: 2 rem."""

STEP = 10
"""Pixels: figures are drawn in such steps, so that visitors with windows of about one width share them."""

_shares: WeakKeyDictionary[DeltaGenerator, tuple[float, int]] = WeakKeyDictionary()
"""For each column its share of the row, and how many gaps the row has: columns bear them in equal parts."""


def follow_screen() -> None:
    """Rerun the app when the theme changes or the width of the window, so that figures are drawn for them."""
    data = {"known": _page(), "narrowest": NARROWEST, "widest": WIDEST}
    _watch(key=KEY, data=data, on_paper_change=lambda: None, on_room_change=lambda: None, height=0)


def columns(weights: int | Sequence[int]) -> list[DeltaGenerator]:
    """Columns side by side, or below each other on a narrow page; `room` knows how wide they are."""
    spec = [1] * weights if isinstance(weights, int) else list(weights)
    made = st.columns(spec, gap="medium")
    for column, weight in zip(made, spec, strict=True):
        _shares[column] = weight / sum(spec), len(spec) - 1
    return made


def room(at_most: int = WIDEST, *, at_least: int = 0) -> int:
    """Pixels of width for a figure that wants `at_most`, in the column where it is drawn.

    Until the screen has told its own width the page is taken for that of a window 1400 wide. A figure of
    several panels cannot be read below `at_least`: a narrower window scrolls it.
    """
    page = _page()
    width: float = page
    if page >= STACKED:
        around = context_dg_stack.get()[-1]._ancestors  # from the innermost container outwards
        for share, gaps in reversed([_shares[part] for part in around if part in _shares]):
            width = share * width - GAP * gaps / (gaps + 1)
    return min(max(int(width) // STEP * STEP, at_least), at_most)


def _page() -> int:
    told = st.session_state.get(KEY, {}).get("room")
    return WIDEST if told is None else min(max(int(told), NARROWEST), WIDEST)
