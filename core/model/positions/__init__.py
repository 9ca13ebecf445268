"""Position schemes: ways to tell a Transformer the positions of words.

A scheme enters at one of three injection points: it may change the word vectors (`embed`), the queries and
keys (`rotate`) or the scores (`bias`). Each scheme overrides one of them, so attention has no branches, and
each has a file with everything particular to it. A new scheme is a new file here and a line in SCHEMES.
"""

from importlib import import_module

from core.model.positions.base import INJECTION_POINTS, InjectionPoint, PositionScheme, SchemeDescription


def _scheme_in(file: str) -> type[PositionScheme]:
    """Return the scheme that a file of this folder defines."""
    module = import_module(f"{__name__}.{file}")
    (scheme,) = (
        one
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, PositionScheme) and one.__module__ == module.__name__
    )
    return scheme


SCHEMES: dict[str, type[PositionScheme]] = {
    name: _scheme_in(name)
    for name in (
        "none",
        "learned",
        "sinusoidal",
        "alibi",
        "rotary",
        "relative",
    )
}
"""Every scheme by the name of its file, which configurations, switches, links and checkpoints use too."""

__all__ = ["INJECTION_POINTS", "SCHEMES", "InjectionPoint", "PositionScheme", "SchemeDescription"]
