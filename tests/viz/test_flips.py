"""A grid of probabilities: texts by models, the wrong verdicts outlined and named."""

import numpy as np
import plotly.graph_objects as go

from viz.flips import flip_grid
from viz.theme import DARK, LIGHT

TEXTS, MODELS = ["as typed", "+ negation", "exchanged"], ["RNN", "LSTM"]
VALUES = np.array([[0.125, 0.25], [0.75, 0.5], [1.0, 0.0]])


def outlines(figure: go.Figure) -> set[str]:
    """The colours of the lines around cells."""
    return {trace.line.color for trace in figure.data if trace.type == "scatter" and trace.mode == "lines"}


def test_every_probability_has_its_cell_and_wrong_ones_an_outline() -> None:
    for theme in (LIGHT, DARK):
        figure = flip_grid(
            VALUES,
            TEXTS,
            MODELS,
            title="Probability of praise",
            short="p",
            wrong=[(1, 0), (2, 1)],
            theme=theme,
        ).figure
        (heat,) = [trace for trace in figure.data if trace.type == "heatmap"]
        np.testing.assert_allclose(np.asarray(heat.z, dtype=float), VALUES, atol=0.01)
        assert theme.output in outlines(figure)
        texts = " ".join(str(note.text) for note in figure.layout.annotations)
        assert "misclassified" in texts
        assert all(role in texts for role in ("text ↓", "model →"))


def test_who_cannot_see_it_is_told_the_spans_and_the_wrong_verdicts() -> None:
    look = {"title": "Praise", "short": "p", "theme": LIGHT}
    assert flip_grid(VALUES, TEXTS, MODELS, wrong=[(2, 1)], **look).alt == (
        "Praise: as typed 0.125 to 0.250; + negation 0.500 to 0.750; exchanged 0 to 1.000. "
        "Wrong: LSTM on exchanged."
    )
    assert flip_grid(VALUES, TEXTS, MODELS, wrong=[], **look).alt.endswith("Wrong: none.")
    assert "Wrong" not in flip_grid(VALUES, TEXTS, MODELS, **look).alt, "these are no verdicts"
