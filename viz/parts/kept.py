"""Finished figures, kept by value: a class that follows a lecturer asks for the same picture 200 times."""

import json
from collections import OrderedDict
from collections.abc import Callable, KeysView, Set
from dataclasses import fields, is_dataclass
from functools import wraps
from hashlib import blake2b
from threading import Lock
from typing import NoReturn, ParamSpec

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from viz.parts.figure import Figure

ROOM = 32 * 2**20
"""Bytes for all figures together: some thousand matrices of a sentence."""

Draw = ParamSpec("Draw")


class Store:
    """Figures as bytes under keys, at most `room` of them, for all threads; the longest unused go first.

    As bytes they take no more than their size, are no work for the garbage collector, and whoever takes one
    has it alone.
    """

    def __init__(self, room: int) -> None:
        self._room, self._held = room, 0
        self._figures: OrderedDict[bytes, bytes] = OrderedDict()
        self._lock = Lock()

    def take(self, key: bytes) -> bytes | None:
        """The figure under a key, which is now the one used last; None where there is none."""
        with self._lock:
            if key in self._figures:
                self._figures.move_to_end(key)
            return self._figures.get(key)

    def put(self, key: bytes, figure: bytes) -> None:
        """Keep a figure, and give up others for it where there is not the room."""
        with self._lock:
            self._held += len(figure) - len(self._figures.pop(key, b""))
            self._figures[key] = figure
            while self._held > self._room:
                self._held -= len(self._figures.popitem(last=False)[1])

    def clear(self) -> None:
        """Give up all figures."""
        with self._lock:
            self._figures.clear()
            self._held = 0


STORE = Store(ROOM)


def kept(draw: Callable[Draw, go.Figure]) -> Callable[Draw, go.Figure]:
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
        spec = STORE.take(key)
        if spec is not None:
            return Figure(json.loads(spec))
        drawn = draw(*args, **look)
        STORE.put(key, json.dumps(drawn.to_dict()).encode())
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
