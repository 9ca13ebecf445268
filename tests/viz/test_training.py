"""The curves of a training: the numbers of every step, their course, and what they are compared with."""

import re
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from viz.text import em_width
from viz.theme import LIGHT, Theme
from viz.training import LEFT, MOST_POINTS, PANELS, smoothed, training_curves

REFERENCES = {"loss": {"chance": 4.9, "trained model": 1.5}, "accuracy": {"chance": 0.14}}
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


def drawn(data: pd.DataFrame, *, theme: Theme = LIGHT, **given: Any) -> go.Figure:
    look = {"total": 1000, "references": REFERENCES, "schedule": [0.002, 0.001]} | given
    return training_curves(data, **look, theme=theme).figure()


def told(data: pd.DataFrame, **given: Any) -> str:
    return training_curves(data, schedule=[], theme=LIGHT, **given).alt()


def traces(figure: go.Figure, column: str) -> list[go.Scatter]:
    """The lines of a panel, the thin one first."""
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


@pytest.mark.parametrize("column", ["loss", "accuracy", "gradient_norm"])
def test_a_panel_has_the_steps_themselves_and_their_course(column: str) -> None:
    data = table(50)
    thin, thick = traces(drawn(data), column)
    assert_array_equal(thin.x, data["step"])
    assert_allclose(thin.y, data[column])
    assert_allclose(thick.y, smoothed(data[column]))
    assert thick.line.width > thin.line.width


def test_long_trainings_are_thinned_and_keep_their_last_step() -> None:
    for n in (MOST_POINTS, MOST_POINTS + 1, 5000):
        for trace in traces(drawn(table(n), schedule=[1.0] * n), "loss"):
            assert len(trace.x) <= MOST_POINTS
            assert trace.x[-1] == n
            assert len(set(np.diff(trace.x))) == 1
    assert len(traces(drawn(table(MOST_POINTS)), "loss")[0].x) == MOST_POINTS


def test_references_are_lines_across_their_own_panels() -> None:
    figure = drawn(table(3))
    lines = {(shape.yref, shape.y0, shape.y1, shape.x0, shape.x1) for shape in figure.layout.shapes}
    assert lines == {("y", 4.9, 4.9, 0, 1000), ("y", 1.5, 1.5, 0, 1000), ("y2", 0.14, 0.14, 0, 1000)}
    assert texts(figure).count("chance") == 2
    assert texts(figure).count("trained model") == 1


def placed(
    losses: np.ndarray, accuracies: np.ndarray, references: dict[str, dict[str, float]]
) -> dict[tuple[str, str], tuple[str, str]]:
    """Where the names of references stand beside these curves, by axis and name: their anchors."""
    n = len(losses)
    rest = {"gradient_norm": np.ones(n), "learning_rate": np.ones(n)}
    data = pd.DataFrame({"step": np.arange(1, n + 1), "loss": losses, "accuracy": accuracies, **rest})
    notes = drawn(data, total=30, references=references).layout.annotations
    assert not any(note.bgcolor for note in notes), "a ground hides what ends behind it"
    lines = [note for note in notes if note.yref in ("y", "y2")]
    return {(note.yref, note.text): (note.xanchor, note.yanchor) for note in lines}


def test_the_name_of_a_reference_stands_where_the_curve_does_not_run() -> None:
    lines = {"loss": {"chance": 2.0, "trained model": 0.5}, "accuracy": {"chance": 0.1, "trained model": 0.9}}
    above, learnt = np.append(4.0, np.full(29, 2.05)), np.full(30, 0.92)
    assert placed(above[:9], learnt[:9], lines)["y", "chance"] == ("right", "bottom"), "it is not there yet"
    assert placed(above, learnt, lines) == {
        ("y", "chance"): ("right", "top"),
        ("y", "trained model"): ("right", "bottom"),
        ("y2", "chance"): ("right", "bottom"),
        ("y2", "trained model"): ("right", "top"),
    }
    noisy = np.append(np.linspace(0.1, 0.6, 12), np.tile([0.82, 0.97], 9))
    assert placed(above, noisy, lines)["y2", "trained model"] == ("left", "bottom")


def test_nothing_yet_is_a_figure_too() -> None:
    empty = pd.DataFrame(columns=["step", *COLUMNS], dtype=float)
    figure = drawn(empty, references={})
    assert [panel.title for panel in PANELS] == texts(figure)
    assert told(empty, total=1500, references={}) == "Training: none of 1,500 steps taken yet."
    assert told(empty, total=1, references={}) == "Training: none of 1 step taken yet."
    behind = training_curves(empty, total=2, references={}, schedule=[0.25, 0.5], theme=LIGHT).table
    assert behind is not None
    assert behind().to_dict("list") == {"step": [1, 2], "learning_rate": [0.25, 0.5]}


def test_numbers_of_a_training_that_diverges_are_written_short() -> None:
    figure = drawn(table(3).assign(gradient_norm=[1.0, 2.5e9, 2.5e9], loss=[7.0, 7.0, 123456.0]))
    layout = figure.layout
    assert (layout.yaxis.ticktext, layout.yaxis3.ticktext) == (("0", "1.2·10⁵"), ("0", "2.5·10⁹"))
    assert 0.9 * em_width("2.5·10⁹") * layout.yaxis3.tickfont.size < LEFT, "as wide as the typeface draws it"
    said = [re.sub("<[^<>]*>", "", note.text) for note in layout.annotations]
    assert not [text for text in said if re.search(r"[1-9]\d{4}", text)]
