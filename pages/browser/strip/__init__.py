"""The strip of stages: our component that draws the matrices of a head, with entries to change."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import streamlit as st

from pages.browser.component import component, on_event
from pages.browser.screen import look
from pages.contract.sheet import Strip
from pages.state.link import change_link, is_history_navigation

KEY = "strip"
HEARD = "last question of the strip"
"""Session key: the number of the browser's last request for a stage."""

_FOLDER = Path(__file__).parent
_FILES = ("numbers.js", "rules.js", "matrix.js", "entries.js", "strip.js", "strip.css")
_strip = component("steps", *(_FOLDER / name for name in _FILES))


def draw_strip(strip: Strip) -> None:
    """Draw the stages; a change that the browser reports changes the link."""
    _strip(
        key=KEY,
        data={
            "stages": list(strip.stages),
            "stage": strip.opened,
            "heard": st.session_state.get(HEARD, 0),
            "restored": is_history_navigation(),
            "changes": strip.changed,
            "largest": strip.largest,
            "alt": strip.alt,
            "colours": {name: value for name, value in asdict(look().theme).items() if name != "name"},
        },
        on_stage_change=on_event(KEY, "stage", _open),
        on_change_change=on_event(
            KEY, "change", lambda said: change_link(lambda link: strip.on_change(said, link))
        ),
        on_reset_change=on_event(KEY, "reset", lambda said: change_link(strip.reset)),
    )


def _open(asked: Any) -> None:
    """Open the stage that the browser requests, and remember the number of the request."""
    st.session_state[HEARD] = int(asked["question"])
    change_link({"stage": str(asked["name"])})
