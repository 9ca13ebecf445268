"""A figure as one dict: made at once, sent as it is, and opened by Plotly only on demand."""

import base64
from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np
import plotly.graph_objects as go

Trace = dict[str, Any]
Axis = dict[str, Any]
Spec = dict[str, Any]
"""The dict that Plotly in the browser reads: the traces as `data`, and the `layout`."""

SHORT = {"f": (4, 8), "i": (1, 2, 4), "u": (1, 2, 4)}
"""Kinds of numbers for typed arrays in the browser, and the bytes that each may take."""

LISTED = 1024
"""Longest row of numbers that is sent as a list.

Plotly always takes a one-dimensional typed array for a changed one, and draws it again. A longer list would
be too many bytes.
"""


class Figure(go.Figure):  # type: ignore[misc]  # Plotly is not typed
    """A `go.Figure` that Plotly checks only when somebody asks for a part of it.

    Plotly's constructor compares every attribute with its description, which takes longer than everything
    else that a picture needs. On the way to the browser this is unnecessary: `to_dict` gives the dict that
    the figure was made of. Code that reads `layout`, adds a trace or writes a file has an ordinary go.Figure,
    and gets Plotly's error if something in the dict is wrong; the tests open every figure that they draw. The
    dict is shared and must not be changed: opening copies it.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec, self._is_open = spec, False

    def __getattr__(self, name: str) -> Any:
        """Open the figure with Plotly's constructor when a missing attribute is read."""
        if name in ("_spec", "_is_open") or self._is_open:
            raise AttributeError(f"{type(self).__name__} has no {name}")
        self._is_open = True
        super().__init__(_opened(self._spec))
        return getattr(self, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.to_dict(),)

    def to_dict(self) -> Spec:
        """Return the figure as a dict, with arrays packed as Plotly packs them."""
        return super().to_dict() if self._is_open else self._spec

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, known without opening the figure."""
        layout = self.to_dict()["layout"]
        return layout["width"], layout["height"]


def trace_of(kind: str, **look: Any) -> Trace:
    """Return a trace of one of Plotly's kinds: heatmap, scatter, bar."""
    return {"type": kind, **look}


def packed(part: Any) -> Any:
    """Return a part of a figure for the browser: arrays as base64 or lists, without None and empty parts.

    The browser's copy of a figure lacks None and empty parts, and for such a difference it would be drawn
    again as a whole (`viz.layout.canvas` says when).
    """
    if isinstance(part, Mapping):
        parts = {key: packed(value) for key, value in part.items() if value is not None}
        return {key: value for key, value in parts.items() if value != {}}
    if isinstance(part, list | tuple):
        return [packed(value) for value in part]
    if isinstance(part, np.generic):
        return part.item()
    return _packed_array(part) if isinstance(part, np.ndarray) else part


def _packed_array(array: np.ndarray) -> Any:
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
        array = _short(array)
    if array.dtype.itemsize not in SHORT.get(array.dtype.kind, ()) or not array.size:
        return array.tolist()
    if array.ndim == 1 and len(array) <= LISTED:
        return [number if isfinite(number) else None for number in array.tolist()]
    spec = {"dtype": array.dtype.str[1:], "bdata": base64.b64encode(array.tobytes()).decode()}
    return spec if array.ndim == 1 else {**spec, "shape": ", ".join(map(str, array.shape))}


def _short(integers: np.ndarray) -> np.ndarray:
    """Return whole numbers in a type that browsers have: 32 bits if they fit, else floating point."""
    short = integers.astype(np.int32)
    return short if (short == integers).all() else integers.astype(np.float64)


def _opened(spec: Spec) -> Spec:
    """Return a copy of a packed figure for Plotly's constructor.

    It has an empty template; otherwise the constructor takes Streamlit's, once that is imported.
    """
    traces = [{name: unpacked(value) for name, value in trace.items()} for trace in spec.get("data", [])]
    return {"data": traces, "layout": {"template": {}, **spec.get("layout", {})}}


def unpacked(part: Any) -> Any:
    """Return a copy of a packed part of a trace, with arrays in place of packed ones and lists of numbers."""
    if isinstance(part, dict) and "bdata" in part:
        array = np.frombuffer(base64.b64decode(part["bdata"]), part["dtype"])
        return array.reshape([int(n) for n in part["shape"].split(",")]) if "shape" in part else array
    if isinstance(part, dict):
        return {key: unpacked(value) for key, value in part.items()}
    if isinstance(part, list) and _is_row(part):
        return np.array(part, float if None in part else None)
    return [unpacked(value) for value in part] if isinstance(part, list) else part


def _is_row(part: list[Any]) -> bool:
    return bool(part) and all(value is None or type(value) in (int, float) for value in part)
