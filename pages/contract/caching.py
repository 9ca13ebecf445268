"""Results that all visitors share, computed once for equal values."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from typing import Any, TypeVar

from core.store import STORE, cached
from pages.contract.prose import plain
from viz.layout import figure_cache

F = TypeVar("F", bound=Callable[..., Any])

_progress: list[Callable[[str], AbstractContextManager[Any]]] = []
"""Function that shows a visitor that a computation runs; the shell of the pages sets it."""


def show_progress_with(shown: Callable[[str], AbstractContextManager[Any]]) -> None:
    """Show the `saying` of a running computation with this function from now on."""
    _progress[:] = [shown]


figure_cache.keep_figures_in(lambda key, draw: STORE.take((figure_cache, key), draw))


def cached_for_all(*, saying: str = "") -> Callable[[F], F]:
    """Keep the results of a function for all visitors; callers must not change them.

    Typed text reaches the function as plain strings. A visitor who asks for a result that is being computed
    waits for it, and sees `saying` meanwhile.
    """

    def decorate(function: F) -> F:
        @cached
        @wraps(function)
        def recall(*args: Any, **named: Any) -> Any:
            with _progress[0](saying) if saying and _progress else nullcontext():
                return function(*args, **named)

        @wraps(function)
        def recalled(*args: Any, **kwargs: Any) -> Any:
            return recall(*map(plain, args), **{name: plain(value) for name, value in kwargs.items()})

        recalled.clear = recall.cache_clear  # type: ignore[attr-defined]
        return recalled  # type: ignore[return-value]

    return decorate
