"""What one visitor has had computed is kept for all of them, by the value of what it was computed from."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import streamlit as st

from pages.controls.prose import plain

F = TypeVar("F", bound=Callable[..., Any])


def remembered(n: int = 64, *, saying: str | bool = False) -> Callable[[F], F]:
    """Keep the last `n` results of a function for all visitors together; nobody may change them.

    Typed text reaches the function as mere characters. `saying` is shown while it computes.
    """

    def decorate(function: F) -> F:
        kept = st.cache_resource(max_entries=n, show_spinner=saying)(function)

        @wraps(function)
        def recalled(*args: Any, **kwargs: Any) -> Any:
            return kept(*map(plain, args), **{name: plain(value) for name, value in kwargs.items()})

        recalled.clear = kept.clear  # type: ignore[attr-defined]
        return recalled  # type: ignore[return-value]

    return decorate
