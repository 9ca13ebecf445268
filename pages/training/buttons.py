"""Start, pause, step and reset, as far as they make sense at the moment."""

from functools import partial

from core.live import Plan, Progress
from pages.contract.ask import Ask
from pages.contract.items import Action
from pages.training.requests import Requests


def add_buttons(ask: Ask, plan: Plan, progress: Progress | None, requests: Requests) -> None:
    """What can be done with the run, or with a new one of `plan` where that is another."""
    is_active = progress is not None and progress.is_active
    is_other = progress is not None and progress.plan != plan
    is_over = progress is not None and progress.state == "finished" and not is_other
    if is_active:
        ask.add(Action("Pause", requests.pause, "pause", icon=":material/pause:", is_primary=True))
    else:
        label = "Start" if is_over else _start_label(progress, is_other=is_other)
        icon, begin = ":material/play_arrow:", partial(requests.start, plan)
        ask.add(Action(label, begin, "start", icon=icon, is_off=is_over, is_primary=True))
    step, is_off = partial(requests.step, plan), is_active or is_over
    ask.add(
        Action("Step", step, "step", icon=":material/skip_next:", is_off=is_off, help="One step of training.")
    )
    ask.add(
        Action(
            "Reset",
            requests.reset,
            "reset",
            icon=":material/replay:",
            is_off=progress is None,
            help="Puts this training away.",
        )
    )


def _start_label(progress: Progress | None, *, is_other: bool) -> str:
    if progress is None:
        return "Start"
    return "Start anew" if is_other or progress.state == "failed" else "Go on"
