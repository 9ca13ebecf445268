"""A recurrent model over its words: boxes above their words, arrows from edge to edge, and all of it told."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from tests.viz.test_architectures import lines, texts
from viz.architectures.layout import Box
from viz.architectures.unrolled import Step, UnrolledNetwork
from viz.layout.boxes import RotatedRect
from viz.room import Room
from viz.theme import LIGHT

ROWS = (
    Box("e.embed", "words", "word vectors", "3 × 7", (), stack="encoder"),
    Box("e.hidden", "state", "hidden states", "3 × 7", (), stack="encoder"),
    Box("vector", "vector", "fixed vector", "1 × 7", (), stack="encoder"),
    Box("d.embed", "words", "word vectors", "2 × 7", (), stack="decoder"),
    Box("d.hidden", "state", "hidden states", "2 × 7", (), stack="decoder"),
    Box("context", "context", "contexts", "2 × 7", (), stack="decoder"),
    Box("out", "output", "output", "2 × 9", (), stack="decoder"),
)
SPOKEN = {"encoder": ["a", "<b>b</b>", "c"], "decoder": ["<s>", "d"]}
WEIGHTS = np.array([[0.2, 0.3, 0.5], [0.0, 0.9, 0.1]])


def arrows(n: int) -> list[tuple[Step, Step]]:
    """Return the arrows to all boxes but the contexts, for `n` words and two of their translation."""
    return [
        *(((("e.embed", at), ("e.hidden", at))) for at in range(n)),
        *((("e.hidden", at), ("e.hidden", at + 1)) for at in range(n - 1)),
        (("e.hidden", n - 1), ("vector", 0)),
        (("vector", 0), ("d.hidden", 0)),
        *((("d.embed", at), ("d.hidden", at)) for at in range(2)),
        (("d.hidden", 0), ("d.hidden", 1)),
        *(((row, at), ("out", at)) for row in ("d.hidden", "context") for at in range(2)),
    ]


def attended(n: int) -> list[tuple[Step, Step]]:
    return [(("e.hidden", at), ("context", to)) for at in range(n) for to in range(2)]


STEPS = arrows(3) + attended(3)


def drawn(
    width: float = 508,
    *,
    rows: Sequence[Box] = ROWS,
    words: Mapping[str, Sequence[str]] = SPOKEN,
    steps: Sequence[tuple[Step, Step]] = STEPS,
    **look: Any,
) -> go.Figure:
    room = {name: look.pop(name) for name in ("height", "fills", "medium") if name in look}
    known = {"rows": rows, "words": words, "arrows": steps, "make_table": pd.DataFrame, **look}
    return UnrolledNetwork(title="RNN", name="RNN", **known).figure(Room(width=width, **room))


def boxes(figure: go.Figure) -> dict[Step, RotatedRect]:
    """Return the boxes by the row that they answer with, and their place in it."""
    answers = figure.data[-1]
    found: dict[Step, RotatedRect] = {}
    for path in (one for shape in figure.layout.shapes for one in shape.path.split("Z")[:-1]):
        numbers = [float(number) for number in re.findall(r"[\d.]+", path)]
        (left, right), (top, bottom) = ((min(ends), max(ends)) for ends in (numbers[::2], numbers[1::2]))
        inside = (answers.x > left) & (answers.x < right) & (answers.y > top) & (answers.y < bottom)
        (name,) = {name for name, is_it in zip(answers.customdata, inside, strict=True) if is_it}
        at = sum(row == name for row, _ in found)
        found[name, at] = RotatedRect((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
    return found


def touched(found: Mapping[Step, RotatedRect], x: float, y: float) -> Step | None:
    """Return the box on whose edge a point lies."""
    for step, box in found.items():
        beyond = max(abs(x - box.x) - box.width / 2, abs(y - box.y) - box.height / 2)
        if abs(beyond) < 0.2:
            return step
    return None


def is_crossed(box: RotatedRect, way: Sequence[tuple[float, float]]) -> bool:
    points = np.concatenate([np.linspace(*ends, 99) for ends in pairwise(way)])
    inside = np.abs(points - (box.x, box.y)) < (box.width / 2 - 0.3, box.height / 2 - 0.3)
    return bool(inside.all(axis=1).any())


@pytest.mark.parametrize("width", [330, 580])
@pytest.mark.parametrize(("step", "expected"), [(0, [1.0, 2.0, 3.0]), (1, [0.5, 5.5])])
def test_the_weights_of_one_step_are_drawn_as_thick_as_they_are_large(
    step: int, expected: list[float], width: int
) -> None:
    figure = drawn(width, alignment=WEIGHTS, step=step)
    weights = [
        trace.line.width
        for trace in figure.data
        if trace.mode == "lines" and trace.line.color == LIGHT.attention
    ]
    assert sorted(weights) == expected
    assert len(lines(figure, LIGHT.recurrence)) == 5
    assert any("&lt;b&gt;b&lt;/b&gt;" in text for text in texts(figure))
    for x, y in zip(figure.data[-1].x, figure.data[-1].y, strict=True):
        assert 0 < x < width
        assert 0 < y < figure.layout.height
    found = boxes(figure)
    ways = lines(figure, LIGHT.attention)
    if all(len(way) == 4 for way in ways):
        others = [box for (row, _), box in found.items() if row != "vector"]
        assert not [way for box in others for way in ways if is_crossed(box, way)]
    else:
        assert any(is_crossed(found["d.hidden", step], way) for way in ways), "over boxes, at slanted words"
    ends = {touched(found, *way[-1]) for way in ways} | {touched(found, *way[0]) for way in ways}
    drawn_from = {("e.hidden", at) for at in np.flatnonzero(WEIGHTS[step]).tolist()}
    assert ends - {None} == drawn_from | {("context", step)}


@pytest.mark.parametrize(("alignment", "n_framed"), [(WEIGHTS, 1), (None, 2)])
def test_of_the_chosen_contexts_only_the_one_with_the_lines_is_framed(
    alignment: np.ndarray | None, n_framed: int
) -> None:
    figure = drawn(alignment=alignment, step=1, chosen="context")
    framed = [one for one in figure.layout.shapes if one.line.color == LIGHT.selection]
    assert sum(one.path.count("Z") for one in framed) == n_framed
