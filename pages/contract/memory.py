"""Results that all visitors share, computed once for equal values."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from typing import Any, TypeVar

from core.store import STORE, stored
from pages.contract.prose import plain
from viz.layout import figure_cache

F = TypeVar("F", bound=Callable[..., Any])

_progress: list[Callable[[str], AbstractContextManager[Any]]] = []
"""What shows a visitor that something is being computed; the shell of the pages puts it here."""


def show_progress_with(shown: Callable[[str], AbstractContextManager[Any]]) -> None:
    """Show what a function is `saying` while it computes, by this from now on."""
    _progress[:] = [shown]


figure_cache.keep_figures_in(lambda key, draw: STORE.take((figure_cache, key), draw))


def remembered(*, saying: str = "") -> Callable[[F], F]:
    """Keep the results of a function in the store for all visitors together; nobody may change them.

    Typed text reaches the function as mere characters. A visitor who asks for a result that is being computed
    waits for it; `saying` is shown while it computes.
    """

    def decorate(function: F) -> F:
        @stored
        def recall(*args: Any, **named: Any) -> Any:
            with _progress[0](saying) if saying and _progress else nullcontext():
                return function(*args, **named)

        @wraps(function)
        def recalled(*args: Any, **kwargs: Any) -> Any:
            return recall(*map(plain, args), **{name: plain(value) for name, value in kwargs.items()})

        recalled.clear = recall.cache_clear  # type: ignore[attr-defined]
        return recalled  # type: ignore[return-value]

    return decorate
