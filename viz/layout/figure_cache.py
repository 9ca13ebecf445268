"""Cached figures, by value: a class that follows a lecturer asks for the same picture 200 times."""

import json
from collections.abc import Callable, KeysView, Set
from dataclasses import fields, is_dataclass
from functools import wraps
from hashlib import blake2b
from typing import NoReturn, ParamSpec

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from viz.layout.figure import Figure

Draw = ParamSpec("Draw")

Recall = Callable[[bytes, Callable[[], bytes]], bytes]
"""A cache: returns the value of a key, or calls a function, keeps its result and returns it."""


def _drawn_every_time(key: bytes, draw: Callable[[], bytes]) -> bytes:
    return draw()


_recall: Recall = _drawn_every_time


def keep_figures_in(recall: Recall) -> None:
    """Keep figures by `recall` from now on; before that they are drawn every time."""
    global _recall
    _recall = recall


def cached_figure(draw: Callable[Draw, go.Figure]) -> Callable[Draw, go.Figure]:
    """Draw once for all callers with the same arguments, by value.

    The figure may depend only on the arguments. If one of them has no value, such as a function without a
    name, it is drawn every time. Figures are kept as bytes, so every caller gets a separate figure.
    """

    @wraps(draw)
    def figure(*args: Draw.args, **look: Draw.kwargs) -> go.Figure:
        try:
            value = json.dumps(
                [draw.__module__, draw.__qualname__, args, look], default=_spelt, sort_keys=True
            )
        except TypeError:
            return draw(*args, **look)
        drawn: list[go.Figure] = []

        def spec() -> bytes:
            drawn.append(draw(*args, **look))
            return json.dumps(drawn[0].to_dict()).encode()

        kept = _recall(blake2b(value.encode(), digest_size=32).digest(), spec)
        return drawn[0] if drawn else Figure(json.loads(kept))

    return figure


def _spelt(value: object) -> object:
    """Return an argument in the JSON vocabulary of the key. Raises TypeError for one without a value."""
    if isinstance(value, np.ndarray):
        content = value.tolist() if value.dtype == object else blake2b(value.tobytes()).hexdigest()
        return [value.dtype.str, value.shape, content]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, pd.DataFrame):
        return [(name, column.to_numpy()) for name, column in value.items()]
    if is_dataclass(value) and not isinstance(value, type):
        return [_named(type(value)), [getattr(value, field.name) for field in fields(value) if field.compare]]
    if callable(value):
        return _named(value)
    return list(value) if isinstance(value, Set | range | KeysView) else _unknown(value)


def _named(value: object) -> str:
    """Return the full name of a function or class. Raises TypeError for an anonymous one."""
    name = f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"
    return _unknown(value) if "<" in name or name == "." else name


def _unknown(value: object) -> NoReturn:
    raise TypeError(f"{type(value).__name__} has no value that a figure could be kept by")
