"""Start, pause, step and reset, as far as they make sense at the moment."""

from typing import Any

import streamlit as st

from core.live import Plan, Progress
from pages.training import requests


def buttons(plan: Plan, progress: Progress | None) -> None:
    """What can be done with the run, or with a new one of `plan` where that is another."""
    is_active = progress is not None and progress.is_active
    is_other = progress is not None and progress.plan != plan
    is_over = progress is not None and progress.state == "finished" and not is_other
    if is_active:
        st.button("Pause", on_click=requests.pause, icon=":material/pause:", type="primary", key="pause")
    else:
        label = "Start" if is_over else _start_label(progress, is_other=is_other)
        icon = ":material/play_arrow:"
        start: dict[str, Any] = {
            "on_click": requests.start,
            "args": (plan,),
            "disabled": is_over,
            "type": "primary",
        }
        st.button(label, key="start", icon=icon, **start)
    step: dict[str, Any] = {"on_click": requests.step, "args": (plan,), "disabled": is_active or is_over}
    st.button("Step", key="step", icon=":material/skip_next:", help="One step of training.", **step)
    reset: dict[str, Any] = {"on_click": requests.reset, "disabled": progress is None}
    st.button("Reset", key="reset", icon=":material/replay:", help="Puts this training away.", **reset)


def _start_label(progress: Progress | None, *, is_other: bool) -> str:
    if progress is None:
        return "Start"
    return "Start anew" if is_other or progress.state == "failed" else "Go on"
