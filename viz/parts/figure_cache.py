"""Finished figures, kept by value: a class that follows a lecturer asks for the same picture 200 times."""

import json
from collections.abc import Callable, KeysView, Set
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import wraps
from hashlib import blake2b
from threading import Lock
from typing import NoReturn, ParamSpec

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from cachetools import LRUCache

from viz.parts.figure import Figure

MOST_BYTES = 32 * 2**20
"""Bytes for all figures together: some thousand matrices of a sentence."""

Draw = ParamSpec("Draw")


STORE: LRUCache[bytes, bytes] = LRUCache(MOST_BYTES, getsizeof=len)
"""Figures as bytes: they take no more than their size, and are no work for the garbage collector.

Whoever takes one has it alone.
"""

_LOCK = Lock()


def cached_figure(draw: Callable[Draw, go.Figure]) -> Callable[Draw, go.Figure]:
    """`draw`, which draws once for all who ask with the same arguments, by value, and then remembers.

    What is drawn may depend on nothing but the arguments. Where one has no value, as a function without
    a name, it is drawn every time.
    """

    @wraps(draw)
    def figure(*args: Draw.args, **look: Draw.kwargs) -> go.Figure:
        try:
            value = json.dumps(
                [draw.__module__, draw.__qualname__, args, look], default=_spelt, sort_keys=True
            )
        except TypeError:
            return draw(*args, **look)
        key = blake2b(value.encode(), digest_size=32).digest()
        with _LOCK:
            spec = STORE.get(key)
        if spec is not None:
            return Figure(json.loads(spec))
        drawn = draw(*args, **look)
        with _LOCK, suppress(ValueError):  # one larger than the whole room is drawn every time
            STORE[key] = json.dumps(drawn.to_dict()).encode()
        return drawn

    return figure


def _spelt(value: object) -> object:
    """What an argument is for the key, in the vocabulary of JSON. Raises TypeError for what has no value."""
    if isinstance(value, np.ndarray):
        return [
            value.dtype.str,
            value.shape,
            value.tolist() if value.dtype == object else blake2b(value.tobytes()).hexdigest(),
        ]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, pd.DataFrame):
        return [(name, column.to_numpy()) for name, column in value.items()]
    if is_dataclass(value) and not isinstance(value, type):
        return [_named(type(value)), [getattr(value, field.name) for field in fields(value)]]
    if callable(value):
        return _named(value)
    return list(value) if isinstance(value, Set | range | KeysView) else _unknown(value)


def _named(value: object) -> str:
    """The full name of a function or class. Raises TypeError for one that was made on the spot."""
    name = f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"
    return _unknown(value) if "<" in name or name == "." else name


def _unknown(value: object) -> NoReturn:
    raise TypeError(f"{type(value).__name__} has no value that a figure could be kept by")
