"""A recurrent model over its words: boxes above their words, arrows from edge to edge, and all of it told."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.covering import each
from tests.viz.test_architectures import lines, texts
from viz.architectures.layout import Box
from viz.architectures.pen import HEAD, Frame
from viz.architectures.unrolled import Step, unrolled
from viz.text import em_width
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
    """Those to every box but the contexts, of `n` words and two of their translation."""
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
    return unrolled(rows, words, steps, title="RNN", theme=LIGHT, width=width, **look).figure()


def of(n: int) -> dict[str, list[str]]:
    """Short words."""
    return {"encoder": ["a"] * n, "decoder": ["b", "c"]}


def boxes(figure: go.Figure) -> dict[Step, Frame]:
    """The boxes by the row that they answer with, and their place in it."""
    answers = figure.data[-1]
    found: dict[Step, Frame] = {}
    for shape in figure.layout.shapes:
        numbers = [float(number) for number in re.findall(r"[\d.]+", shape.path)]
        (left, right), (top, bottom) = ((min(ends), max(ends)) for ends in (numbers[::2], numbers[1::2]))
        inside = (answers.x > left) & (answers.x < right) & (answers.y > top) & (answers.y < bottom)
        (name,) = {name for name, is_it in zip(answers.customdata, inside, strict=True) if is_it}
        at = sum(row == name for row, _ in found)
        found[name, at] = Frame((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
    return found


def touched(found: Mapping[Step, Frame], x: float, y: float) -> Step | None:
    """The box on whose edge a point lies."""
    for step, box in found.items():
        beyond = max(abs(x - box.x) - box.width / 2, abs(y - box.y) - box.height / 2)
        if abs(beyond) < 0.2:
            return step
    return None


def tip(way: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The last point of an arrow, half of whose head is beyond its line."""
    (before_x, before_y), (x, y) = way[-2:]
    return x + np.sign(x - before_x) * HEAD / 2, y + np.sign(y - before_y) * HEAD / 2


def is_crossed(box: Frame, way: Sequence[tuple[float, float]]) -> bool:
    points = np.concatenate([np.linspace(*ends, 99) for ends in pairwise(way)])
    inside = np.abs(points - (box.x, box.y)) < (box.width / 2 - 0.3, box.height / 2 - 0.3)
    return bool(inside.all(axis=1).any())


@pytest.mark.parametrize("width", [330, 580])
@pytest.mark.parametrize(("step", "expected"), [(0, [1.0, 2.0, 3.0]), (1, [0.5, 5.5])])
def test_the_weights_of_one_step_are_drawn_as_thick_as_they_are_large(
    step: int, expected: list[float], width: int
) -> None:
    figure = unrolled(
        ROWS, SPOKEN, STEPS, title="RNN", theme=LIGHT, width=width, alignment=WEIGHTS, step=step
    ).figure()
    drawn = [
        trace.line.width
        for trace in figure.data
        if trace.mode == "lines" and trace.line.color == LIGHT.attention
    ]
    assert sorted(drawn) == expected
    assert len(lines(figure, LIGHT.recurrence)) == 5
    assert any("&lt;b&gt;b&lt;/b&gt;" in text for text in texts(figure))
    for x, y in zip(figure.data[-1].x, figure.data[-1].y, strict=True):
        assert 0 < x < width
        assert 0 < y < figure.layout.height


@each(("width", "n"), [(348, 3), (508, 3), (580, 4), (340, 9), (580, 20)])
def test_every_arrow_leads_from_its_step_to_the_next_and_runs_over_no_box_and_no_name(
    width: int, n: int
) -> None:
    figure = drawn(width, words=of(n), steps=arrows(n))
    found = boxes(figure)
    ways = lines(figure, LIGHT.ink) + lines(figure, LIGHT.recurrence)
    last = min(n, 16) - 1
    within = [(start, end) for start, end in arrows(n) if max(start[1], end[1]) <= last or end[0] == "vector"]
    expected = [((row, min(at, last)), end) for (row, at), end in within]
    ends = [(touched(found, *way[0]), touched(found, *tip(way))) for way in ways]
    assert sorted(ends, key=str) == sorted(expected, key=str)
    assert not [(step, way) for step, box in found.items() for way in ways if is_crossed(box, way)]
    named = [note for note in figure.layout.annotations if note.xanchor == "left"]
    names_end = max(note.x + em_width(note.text) * note.font.size for note in named)
    assert min(x for way in ways for x, _ in way) > names_end
