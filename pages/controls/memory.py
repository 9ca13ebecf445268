"""What one visitor has had computed is kept for all of them, by the value of what it was computed from.

And by the device it was computed on: a reading holds tensors there, lost where a GPU has failed.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import nullcontext
from functools import partial, wraps
from threading import Lock
from typing import Any, TypeVar

import streamlit as st

from core.arrays import bytes_held
from core.device import choose_device
from pages.controls.prose import plain

F = TypeVar("F", bound=Callable[..., Any])


class Store:
    """Results of the size `room` at most, for all threads; the longest unused go first.

    Whoever asks for what is being computed waits for it. What alone takes more than the room is not kept.
    """

    def __init__(self, room: int) -> None:
        self.room, self._held = room, 0
        self._results: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()
        self._turns: dict[Hashable, Lock] = {}

    @property
    def held(self) -> int:
        """The size of what is kept."""
        return self._held

    def take(self, key: Hashable, make: Callable[[], Any], size: Callable[[Any], int]) -> Any:
        """The result under a key; where there is none it is made, and others leave for its `size`."""
        with self._lock:
            if key in self._results:
                return self._recall(key)
            turn = self._turns.setdefault(key, Lock())
        with turn:
            with self._lock:
                if key in self._results:
                    return self._recall(key)
            try:
                made = make()
                self._put(key, made, size(made))
            finally:
                with self._lock:
                    self._turns.pop(key, None)
            return made

    def _recall(self, key: Hashable) -> Any:
        self._results.move_to_end(key)
        return self._results[key][0]

    def _put(self, key: Hashable, made: Any, size: int) -> None:
        with self._lock:
            self._held += size - self._results.pop(key, (None, 0))[1]
            self._results[key] = made, size
            while self._held > self.room:
                self._held -= self._results.popitem(last=False)[1][1]


def remembered(n: int = 64, *, saying: str = "") -> Callable[[F], F]:
    """Keep the last `n` results of a function for all visitors together; nobody may change them.

    Typed text reaches the function as mere characters. `saying` is shown while it computes.
    """
    return remembered_within(n, lambda result: 1, saying=saying)


def remembered_within(
    room: int, size: Callable[[Any], int] = bytes_held, *, saying: str = ""
) -> Callable[[F], F]:
    """The same, but results of `room` bytes together; `size` tells how many bytes a result holds.

    For what a long sentence makes large: some dozens of such results would fill the memory of a server.
    """

    def decorate(function: F) -> F:
        @st.cache_resource(show_spinner=False)
        def of(name: str) -> Store:
            return Store(room)

        # Streamlit takes functions of the same lines for one: without the name all would share one store.
        # It keeps the store alone: to it the key of a result would be one more object to take apart.
        store = partial(of, f"{function.__module__}.{function.__qualname__}")

        @wraps(function)
        def recalled(*args: Any, **kwargs: Any) -> Any:
            given, named = tuple(map(plain, args)), {name: plain(value) for name, value in kwargs.items()}

            def make() -> Any:
                with st.spinner(saying) if saying else nullcontext():
                    return function(*given, **named)

            key = (choose_device(), given, tuple(sorted(named.items())))
            return store().take(key, make, size)

        recalled.clear = of.clear  # type: ignore[attr-defined]
        recalled.store = store  # type: ignore[attr-defined]
        return recalled  # type: ignore[return-value]

    return decorate
