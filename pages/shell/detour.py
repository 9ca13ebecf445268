"""The bar above a page at a stop of the path, and the way back from other pages."""

from typing import Any

import streamlit as st

from pages.path import bar, detour
from pages.path.detour import DetourOrigin
from pages.path.stops import StopView
from pages.state.link import current_state

SHOWN, LEFT = "view of the stop", "left view of the stop"
"""Session keys: the view of a stop that was shown last, and the state in which it was left."""


def bar_above(stop: int, shown: StopView | None) -> str:
    """Return the bar above a page at a stop: the stop on its own views, on other pages the way back."""
    kept: Any = st.session_state
    if shown is not None:
        kept[SHOWN], kept[LEFT] = (stop, shown), None
        return bar.above(stop, shown)
    if kept.get(LEFT) is None:
        kept[LEFT] = _left(stop, kept.get(SHOWN))
    return detour.above(stop, kept[LEFT])


def _left(stop: int, seen: tuple[int, StopView] | None) -> DetourOrigin | None:
    """Return the state in which the session left its last view of this stop; None if it saw none."""
    before = current_state().left
    if seen is None or before is None or seen[0] != stop:
        return None
    page, link = before
    is_of_stop = page == seen[1].link.address and link.get("stop") == [str(stop)]
    return detour.left_at(stop, seen[1], link) if is_of_stop else None
