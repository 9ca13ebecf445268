"""What a visitor can ask of their training; each request is carried out before the page is drawn again."""

from collections.abc import Callable

import streamlit as st

from core.live import Plan, TooManyRunsError
from pages.controls.own import owner, slot

REFUSAL = "training refused"


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


def refusal() -> str:
    """Why the last request was not granted; said once."""
    return str(st.session_state.pop(REFUSAL, ""))


def _ask(request: Callable[[str, Plan], None], plan: Plan) -> None:
    try:
        request(owner(), plan)
    except TooManyRunsError as error:
        st.session_state[REFUSAL] = str(error)
