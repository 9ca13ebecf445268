"""What a visitor can ask of their training, carried out before the page answers; and how it is."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from core.live import Plan, Progress, TooManyRunsError
from pages.controls.own import is_training_lost, keep_owner, keep_training, owner, slot

REFUSAL = "training refused"


@dataclass(frozen=True)
class Watched:
    """A visitor's training as it is now, if there is one.

    `refused` is why the last request was not granted, said once; `is_lost` where the browser had a training
    here, of which nobody knows.
    """

    progress: Progress | None = None
    refused: str = ""
    is_lost: bool = False


def look() -> Watched:
    """The visitor's training; the browser keeps whose it is, and whether there is one."""
    keep_owner()
    progress, is_lost = slot().look(owner()), is_training_lost()
    keep_training(is_there=progress is not None)
    return Watched(progress, str(st.session_state.pop(REFUSAL, "")), is_lost)


def is_active() -> bool:
    """Whether the visitor's training goes on by itself."""
    progress = slot().look(owner())
    return progress is not None and progress.is_active


def start(plan: Plan) -> None:
    """Train to the end."""
    _ask(slot().start, plan)


def step(plan: Plan) -> None:
    """Train for one step."""
    _ask(slot().step, plan)


def pause() -> None:
    """Stop between two steps."""
    slot().pause(owner())


def reset() -> None:
    """Put the training away."""
    slot().reset(owner())


def _ask(request: Callable[[str, Plan], None], plan: Plan) -> None:
    try:
        request(owner(), plan)
    except TooManyRunsError as error:
        st.session_state[REFUSAL] = str(error)
