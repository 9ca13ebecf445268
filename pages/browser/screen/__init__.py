"""The visitor's screen: its theme, its size, and the room of a figure on it."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from weakref import WeakKeyDictionary

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.delta_generator_singletons import context_dg_stack

from pages.browser import large
from pages.browser.large import STAGE
from pages.contract.look import REM, STACKED, USUAL, WIDEST, Look
from pages.path.stops import STOP
from pages.state.link import current_state
from viz.theme import THEMES

KEY, COOKIE = "screen", "attention-lab-screen"

BESIDE = "beside the sidebar"
"""Session key: whether figures stand beside a sidebar, which is hidden if there are no switches."""

NARROWEST = 300
"""Smallest width of a figure in pixels; a narrower window scrolls it."""

LOWEST, HIGHEST = 600, 1600
"""Pixels of a window's height between which figures follow it."""

AT_STOP = 60
"""Pixels by which a picture at a stop is lower: half of the bar, because its cells need their numbers."""

LOWEST_STAGE, HIGHEST_STAGE, USUAL_STAGE = 240, 720, 520
"""Units of height of a stage: the smallest, the greatest (as in a window 4 : 3), and in one 1280 × 720."""

SIZES = {
    "cookie": COOKIE,
    "step": 20,
    "widths": [NARROWEST, WIDEST],
    "heights": [LOWEST, HIGHEST],
    "stacked": STACKED,
    "padding": 2.5 * REM,
    "widest_page": 1320,
    "narrow": 1150,
    "narrow_sidebar": 280,
    "stage": STAGE,
    "stages": [LOWEST_STAGE, HIGHEST_STAGE],
    "stage_step": 10,
    "covered": 768,
    "sidebar": 18.75 * REM,
    "sidebars": [12.5 * REM, 37.5 * REM],
}
"""Measures for the browser's script: pixels of frame.css and of Streamlit's sidebar."""

BAR = 80
"""Pixels of height that a browser's own bars take when they come and go."""

_ROOM = re.compile(r"([0-9]{3,4})\.([0-9]{3,4})\.([0-9]{1,4})(?:\.([0-9]{3,4}))?", re.ASCII)

_looks: WeakKeyDictionary[DeltaGenerator, Look] = WeakKeyDictionary()


def with_room(script: Path) -> str:
    """Return a script below the lines that compute with the window's measures."""
    room = Path(__file__).with_name("room.js").read_text("utf-8")
    return f"const SIZES = {json.dumps(SIZES)};\n{room}\n{script.read_text('utf-8')}"


_watch = st.components.v2.component("screen", js=with_room(Path(__file__).with_name("screen.js")))


class Screen(NamedTuple):
    """Widths of a page with and without sidebar, and a limiting height, in pixels; the `stage` in units."""

    beside: int = USUAL
    wide: int = USUAL
    height: int | None = None
    stage: int = USUAL_STAGE

    def __str__(self) -> str:
        return f"{self.beside}.{self.wide}.{self.height or 0}.{self.stage}"


def follow_screen() -> None:
    """Rerun the app when the theme or the window's size changes, so that figures are drawn for them."""
    data = {"known": str(screen()), "bar": BAR, "large": large.is_on()}
    _watch(key=KEY, data=data, on_paper_change=lambda: None, on_room_change=lambda: None, height=0)


def screen() -> Screen:
    """Return the screen that the browser reported last or in a cookie, within bounds: it may be made up."""
    told = st.session_state.get(KEY, {}).get("room") or st.context.cookies.get(COOKIE)
    found = _ROOM.fullmatch(str(told))
    if found is None:
        return Screen()
    beside, wide, height, stage = (int(number or USUAL_STAGE) for number in found.groups())
    beside, wide = (min(max(width, NARROWEST), WIDEST) for width in (beside, wide))
    stage = min(max(stage, LOWEST_STAGE), HIGHEST_STAGE)
    return Screen(beside, wide, min(max(height, LOWEST), HIGHEST) if height else None, stage)


def note_sidebar(*, is_there: bool) -> None:
    """Note whether a sidebar, which takes room from figures, stands beside the following elements."""
    st.session_state[BESIDE] = is_there


def look() -> Look:
    """Return the look at this point: the visitor's theme, and the room in the column now being drawn."""
    around = context_dg_stack.get()[-1]._ancestors  # from the innermost container outwards
    inside = next((_looks[part] for part in around if part in _looks), None)
    return _whole_page() if inside is None else inside


def columns(weights: Sequence[float]) -> list[DeltaGenerator]:
    """Return columns side by side, or below each other on a narrow page; `look` knows their widths."""
    looks = look().columns(weights)
    made = st.columns(list(weights), gap="medium")
    _looks.update(zip(made, looks, strict=True))
    return made


def _whole_page() -> Look:
    told, theme = screen(), THEMES[st.context.theme.type or "light"]
    if large.is_on():
        return large.stage_look(theme, told.stage, large.headline_placement())
    page = told.beside if st.session_state.get(BESIDE, True) else told.wide
    height = told.height
    if height is not None and STOP in current_state().chosen:
        height = max(LOWEST, height - AT_STOP)
    return Look(theme, page, page, height)
