"""Recomputation on the CPU after a failure of the GPU."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import streamlit as st

from core.device import fall_back_to_cpu

P = ParamSpec("P")
R = TypeVar("R")

AGAIN = "computed again on the CPU"


def with_cpu_fallback(draw: Callable[P, R]) -> Callable[P, R]:
    """Rerun the app for this visitor after a failure of the GPU; then the CPU computes.

    This happens once: a failure on the CPU is an error like any other. Belongs below `st.fragment`, which
    keeps errors to itself.
    """

    @wraps(draw)
    def drawn(*args: P.args, **named: P.kwargs) -> R:
        try:
            found = draw(*args, **named)
        except RuntimeError as error:
            if not fall_back_to_cpu(error) or st.session_state.pop(AGAIN, False):
                raise
            st.session_state[AGAIN] = True
            st.rerun()
        st.session_state.pop(AGAIN, None)
        return found

    return drawn
