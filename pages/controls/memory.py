"""Results that all visitors share, computed once for equal values."""

from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.store import STORE, stored
from pages.controls.prose import plain
from viz.parts import figure_cache

F = TypeVar("F", bound=Callable[..., Any])

figure_cache.keep_figures_in(lambda key, draw: STORE.take((figure_cache, key), draw))


def remembered(*, saying: str = "") -> Callable[[F], F]:
    """Keep the results of a function in the store for all visitors together; nobody may change them.

    Typed text reaches the function as mere characters. A visitor who asks for a result that is being computed
    waits for it; `saying` is shown while it computes.
    """

    def decorate(function: F) -> F:
        @stored
        def recall(*args: Any, **named: Any) -> Any:
            is_page = get_script_run_ctx(suppress_warning=True) is not None
            with st.spinner(saying) if saying and is_page else nullcontext():
                return function(*args, **named)

        @wraps(function)
        def recalled(*args: Any, **kwargs: Any) -> Any:
            return recall(*map(plain, args), **{name: plain(value) for name, value in kwargs.items()})

        recalled.clear = recall.cache_clear  # type: ignore[attr-defined]
        return recalled  # type: ignore[return-value]

    return decorate
