"""What one visitor has had computed is kept for all of them, by the value of what it was computed from.

And by the device it was computed on: a reading holds tensors there, lost where a GPU has failed.
"""

from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from threading import Condition
from typing import Any, TypeVar

import streamlit as st
from cachetools import LRUCache, cached
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.arrays import bytes_held
from core.device import choose_device
from pages.controls.prose import plain

F = TypeVar("F", bound=Callable[..., Any])

REMEMBERING: list[Any] = []
"""All functions that remember, each with its memory: `cache`, and `cache_clear`, which empties it."""


def remembered(n: int = 64, *, saying: str = "") -> Callable[[F], F]:
    """Keep the last `n` results of a function for all visitors together; nobody may change them.

    Typed text reaches the function as mere characters. Whoever asks for what is being computed waits for it;
    `saying` is shown while it computes.
    """
    return remembered_within(n, lambda result: 1, saying=saying)


def remembered_within(
    room: int, size: Callable[[Any], int] = bytes_held, *, saying: str = ""
) -> Callable[[F], F]:
    """Keep results of `room` bytes together for all visitors; `size` tells how many bytes a result holds.

    For what a long sentence makes large: some dozens of such results would fill the memory of a server. What
    alone takes more than the room is not kept.
    """

    def decorate(function: F) -> F:
        @cached(LRUCache(room, getsizeof=size), condition=Condition())
        def recall(device: object, *given: Any, **named: Any) -> Any:
            is_page = get_script_run_ctx(suppress_warning=True) is not None
            with st.spinner(saying) if saying and is_page else nullcontext():
                return function(*given, **named)

        @wraps(function)
        def recalled(*args: Any, **kwargs: Any) -> Any:
            named = {name: plain(value) for name, value in kwargs.items()}
            return recall(choose_device(), *map(plain, args), **named)

        REMEMBERING.append(recall)
        recalled.clear = recall.cache_clear  # type: ignore[attr-defined]
        recalled.results = recall.cache  # type: ignore[attr-defined]
        return recalled  # type: ignore[return-value]

    return decorate
