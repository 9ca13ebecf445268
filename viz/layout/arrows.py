"""The arrows of a network, all of one kind as one trace."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from viz.layout.boxes import Boxes
from viz.layout.sketch import Trace, trace_of

Node = tuple[int, int]
"""A box by its row, 0 for word vectors at the bottom, and its column."""

Edge = tuple[Node, Node]

CLEAR = 6
"""Distance below the box that an arrow leads up to: the head of a flat one must not touch it."""

LEAN = 0.8
"""How far along the lower edge of a box arrows may arrive, from its middle: 1 would be its corner."""

SMALLEST_HEAD = 5

Numbers = NDArray[np.floating]


def arrows(edges: Iterable[Edge], form: Boxes, colour: str, *, width: float, head: float) -> Trace:
    """Lines with a `width` and heads of a size, each turned along its line; 0 for plain lines."""
    nodes = np.array(list(edges), dtype=np.float32).reshape(-1, 2, 2)
    gap = np.full((len(nodes), 1), np.nan, dtype=np.float32)
    x, y = (np.hstack([along, gap]).ravel() for along in _route(nodes, form))
    line = {"color": colour, "width": width * form.times}
    if not head:
        return trace_of("scatter", x=x, y=y, mode="lines", line=line, hoverinfo="skip")
    sizes = np.zeros((len(nodes), 3), dtype=np.float32)
    sizes[:, 1] = np.where(_is_level(nodes), _level_head(form, head), head) * form.times
    look = {"symbol": "arrow", "angleref": "previous", "color": colour, "line": {"width": 0}, "opacity": 1}
    return trace_of(
        "scatter",
        x=x,
        y=y,
        mode="lines+markers",
        line=line,
        marker={**look, "size": sizes.ravel()},
        cliponaxis=False,
        hoverinfo="skip",
    )


def _route(nodes: Numbers, form: Boxes) -> tuple[Numbers, Numbers]:
    """Ends of arrows at their first box and at their second, as x and y (edge, end).

    Within a row they run from side to side. Between rows they run from the middle of the upper edge to just
    below the lower one, further to the left the further left they come from.
    """
    rows, columns = np.moveaxis(nodes, -1, 0)
    is_level = _is_level(nodes)[:, None]
    ahead = np.diff(columns)
    sideways = np.sign(ahead) * form.half_width * (1, -1)
    leaning = ahead / max(1, form.n_words - 1) * LEAN * form.half_width * (0, -1)
    upwards = (form.half_height, -form.half_height - CLEAR / form.row)
    x = columns + np.where(is_level, sideways, leaning)
    y = rows + np.where(is_level, 0, upwards)
    return x.astype(np.float32), y.astype(np.float32)


def _is_level(nodes: Numbers) -> NDArray[np.bool_]:
    """Whether each arrow stays in its row."""
    rows = nodes[:, :, 0]
    return np.equal(rows[:, 0], rows[:, 1])


def _level_head(form: Boxes, head: float) -> float:
    """The size of a head that fits between two boxes of a row; 0 where none does."""
    between = (1 - 2 * form.half_width) * form.column
    return min(head, between) if between >= SMALLEST_HEAD else 0
