"""The curves of a training: the numbers of every step, their course, and what they are compared with."""

import re
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.testing import assert_allclose, assert_array_equal

from tests.covering import each
from viz.room import PAGE, Room
from viz.text import em_width
from viz.training import MOST_POINTS, PANELS, TrainingCurves, smoothed

REFERENCES = {"loss": {"guess": 4.9, "trained": 1.5}, "accuracy": {"guess": 0.14}}
COLUMNS = [panel.column for panel in PANELS]


def table(n: int) -> pd.DataFrame:
    noise = np.random.default_rng(1).normal(size=(3, n))
    step = np.arange(1, n + 1)
    loss, accuracy, norm = 5 / np.sqrt(step) + 0.1 * noise[0], 1 - 1 / (step + 1), 1 + noise[2] ** 2
    columns = {
        "step": step,
        "loss": loss,
        "accuracy": accuracy,
        "gradient_norm": norm,
        "learning_rate": 1e-3 / step,
    }
    return pd.DataFrame(columns)


def picture(data: pd.DataFrame, **given: Any) -> TrainingCurves:
    look = {"total": 1000, "references": REFERENCES, "schedule": [0.002, 0.001]} | given
    return TrainingCurves(steps=data, **look)


def drawn(data: pd.DataFrame, *, room: Room = PAGE, **given: Any) -> go.Figure:
    return picture(data, **given).figure(room)


def traces(figure: go.Figure, column: str) -> list[go.Scatter]:
    """Return the lines of a panel, the thin one first."""
    axis = f"y{COLUMNS.index(column) + 1}".replace("y1", "y")
    return [trace for trace in figure.data if (trace.yaxis or "y").replace("y1", "y") == axis]


def texts(figure: go.Figure) -> list[str]:
    return [re.sub("<[^>]*>", "", note.text) for note in figure.layout.annotations]


def by_hand(values: np.ndarray, span: int) -> list[float]:
    """The mean of everything so far, each value weighing less by the same factor for every step since."""
    keep = 1 - 2 / (span + 1)
    ages = [keep ** np.arange(n, -1, -1) for n in range(len(values))]
    return [float(age @ values[: len(age)] / age.sum()) for age in ages]


def test_smoothing_is_a_weighted_mean_that_begins_at_the_first_value() -> None:
    values = np.array([7.0, 3.0, 4.0, 1.0, 1.5])
    assert_allclose(smoothed(pd.Series(values), span=3), by_hand(values, 3))
    assert smoothed(pd.Series(values)).iloc[0] == 7.0


@each("column", ["loss", "accuracy", "gradient_norm"])
def test_a_panel_has_the_steps_themselves_and_their_course(column: str) -> None:
    data = table(50)
    thin, thick = traces(drawn(data), column)
    assert_array_equal(thin.x, data["step"])
    assert_allclose(thin.y, data[column])
    assert_allclose(thick.y, smoothed(data[column]))
    assert thick.line.width > thin.line.width


def test_long_trainings_are_thinned_and_keep_their_last_step() -> None:
    for n in (MOST_POINTS, MOST_POINTS + 1):
        for trace in traces(drawn(table(n), schedule=[1.0] * n), "loss"):
            assert len(trace.x) <= MOST_POINTS
            assert trace.x[-1] == n
            assert len(set(np.diff(trace.x))) == 1
    assert len(traces(drawn(table(MOST_POINTS)), "loss")[0].x) == MOST_POINTS


ROOMS = {
    "page": Room(width=620, height=390),
    "telephone": Room(width=350, height=410),
    "large": Room(width=731, height=358, fills=True, smallest_type=10.5),
    "half a large page": Room(width=352, height=358, fills=True, smallest_type=10.5),
    "column": Room(width=509, medium="print"),
}


@each("room", ROOMS)
def test_references_are_lines_across_their_own_panels_and_named_at_them(room: str) -> None:
    figure = drawn(table(300), room=ROOMS[room])
    layout = figure.layout
    lines = [shape for shape in layout.shapes if shape.line.dash == "dot"]
    names = [note for note in layout.annotations if note.text in ("guess", "trained")]
    assert sorted(note.text for note in names) == ["guess", "guess", "trained"]
    assert len(lines) == 3
    wanted = [("yaxis", 4.9), ("yaxis", 1.5), ("yaxis2", 0.14)]
    for line, note, (axis, value) in zip(lines, names, wanted, strict=True):
        low, high = layout[axis].range
        bottom, top = layout[axis].domain
        assert line.y0 == line.y1 == value
        place = bottom + (value - low) / (high - low) * (top - bottom)
        assert abs(note.y - place) * layout.height < 20
        assert bottom <= note.y <= top
        left, right = layout[axis.replace("y", "x")].domain
        assert left <= note.x
        assert note.x + 0.8 * em_width(note.text) * note.font.size / layout.width <= right + 0.01


def test_nothing_yet_is_a_figure_too() -> None:
    empty = pd.DataFrame(columns=["step", *COLUMNS], dtype=float)
    assert {panel.title for panel in PANELS} <= set(texts(drawn(empty, references={})))
    assert picture(empty, total=1500).alt() == "Training: none of 1,500 steps taken yet."
    assert picture(empty, total=1).alt() == "Training: none of 1 step taken yet."
    behind = picture(empty, total=2, schedule=[0.25, 0.5]).table()
    assert behind.to_dict("list") == {"step": [1, 2], "learning_rate": [0.25, 0.5]}


def test_the_text_names_smoothed_curves_and_their_values() -> None:
    told = picture(table(50), references={"accuracy": {"guess": 0.14}}).alt()
    assert told.startswith("Training after 50 of 1,000 steps. Loss from ")
    assert told.endswith("the thin line of the learning rate is its schedule.")
    assert "Accuracy from 50 % to 96 %, guess 14 %." in told


@each("room", ROOMS)
def test_numbers_of_a_training_that_diverges_are_written_short(room: str) -> None:
    wild = table(3).assign(gradient_norm=[1.0, 2.5e9, float("inf")], loss=[7.0, 7.0, 123456.0])
    layout = drawn(wild, room=ROOMS[room]).layout
    for axis in (layout.yaxis, layout.yaxis3):
        assert axis.range[1] > 1e5
        assert max(map(len, axis.ticktext)) <= 8
    assert layout.xaxis.domain[1] - layout.xaxis.domain[0] > 0.2, "the numbers leave room for the curve"
    said = [re.sub("<[^<>]*>", "", note.text) for note in layout.annotations]
    assert not [text for text in said if re.search(r"[1-9]\d{4}|nan|inf", text)]
