"""Grids of probabilities: the verdicts that count are outlined and named."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz.probability_grids import FlipGrid, PooledVerdicts
from viz.room import Room
from viz.theme import DARK, LIGHT

TEXTS, MODELS = ["as typed", "+ negation", "exchanged"], ["RNN", "LSTM"]
VALUES = np.array([[0.125, 0.25], [0.75, 0.5], [1.0, 0.0]])


def outlines(figure: go.Figure) -> set[str]:
    """Return the colours of the lines around cells."""
    return {trace.line.color for trace in figure.data if trace.type == "scatter" and trace.mode == "lines"}


def grid(title: str, **shown: Any) -> FlipGrid:
    return FlipGrid(values=VALUES, texts=TEXTS, models=MODELS, title=title, **shown)


def test_every_probability_has_its_cell_and_wrong_ones_an_outline() -> None:
    for theme in (LIGHT, DARK):
        figure = grid("Probability of praise", wrong=[(1, 0), (2, 1)]).figure(Room(theme=theme))
        (heat,) = [trace for trace in figure.data if trace.type == "heatmap"]
        np.testing.assert_allclose(np.asarray(heat.z, dtype=float), VALUES, atol=0.01)
        assert theme.output in outlines(figure)
        texts = " ".join(str(note.text) for note in figure.layout.annotations)
        assert "misclassified" in texts
        assert all(role in texts for role in ("text ↓", "model →"))


def test_the_text_has_the_spans_and_the_wrong_verdicts() -> None:
    assert grid("Praise", wrong=[(2, 1)]).alt() == (
        "Praise: as typed 0.125 to 0.250; + negation 0.500 to 0.750; exchanged 0 to 1.000. "
        "Wrong: LSTM on exchanged."
    )
    assert grid("Praise", wrong=[]).alt().endswith("Wrong: none.")
    assert "Wrong" not in grid("Praise").alt(), "these are no verdicts"


TYPED = {("RNN", "last state"): 0.75, ("RNN", "mean"): 0.25, ("LSTM", "mean"): 0.5}
WITHOUT = {("RNN", "last state"): 0.125, ("RNN", "mean"): 0.25, ("LSTM", "mean"): 1.0}


def test_rows_are_networks_columns_are_ways_to_pool_and_untrained_ones_have_no_number() -> None:
    picture = PooledVerdicts(title="Praise", verdicts={"as typed": TYPED, "without not": WITHOUT})
    assert (picture.networks, picture.ways) == (("RNN", "LSTM"), ("last state", "mean"))
    figure = picture.figure(Room(theme=LIGHT))
    first, second = (np.asarray(trace.z, dtype=float) for trace in figure.data if trace.type == "heatmap")
    np.testing.assert_allclose(first, [[0.75, 0.25], [np.nan, 0.5]], atol=0.01)
    np.testing.assert_allclose(second, [[0.125, 0.25], [np.nan, 1.0]], atol=0.01)
    texts = " ".join(str(note.text) for note in figure.layout.annotations)
    assert all(said in texts for said in ("without not", "network ↓", "vector →", "not trained"))
    assert picture.table().loc["without not", "LSTM mean"] == 1


def test_right_verdicts_are_outlined_and_said() -> None:
    picture = PooledVerdicts(title="Praise", verdicts={"as typed": TYPED}, outlined=[("RNN", "last state")])
    outlines = [one for one in picture.figure(Room(theme=LIGHT)).data if one.type == "scatter"]
    assert any(one.mode == "lines" and one.line.color == LIGHT.output for one in outlines)
    assert picture.alt() == (
        "Praise. as typed: RNN last state 0.750, RNN mean 0.250, LSTM mean 0.500. Right: RNN last state."
    )
    assert "Right" not in PooledVerdicts(title="Praise", verdicts={"as typed": TYPED}).alt()
