"""Tokens as bars around their mean, and vectors as bars, each stage on a scale of its own."""

import numpy as np
import plotly.graph_objects as go
import pytest

from viz.spreads import Statistics, spreads, vector_bars
from viz.theme import DARK, LIGHT, Theme

WORDS = ["the", "<b>oven</b>", "the"]
STAGES = {
    "before": Statistics([0.5, -1.0, 2.0], [1.0, 3.0, 0.5]),
    "after": Statistics([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]),
}
VECTORS = {"before": [1.0, -3.0, 5.0, 1.0], "after": [0.0, -1.4, 1.4, 0.0]}


def colours(theme: Theme) -> dict[str, str]:
    return {"before": theme.recurrence, "after": theme.attention}


def drawn(
    stages: dict[str, Statistics], words: list[str], *, theme: Theme = LIGHT, chosen: int | None = None
) -> go.Figure:
    return spreads(stages, colours(theme), words, title="Numbers", theme=theme, chosen=chosen).figure()


def bars(figure: go.Figure) -> list[go.Bar]:
    return [trace for trace in figure.data if isinstance(trace, go.Bar)]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_bar_runs_from_mean_less_deviation_to_mean_plus_deviation(theme: Theme) -> None:
    figure = drawn(STAGES, WORDS, theme=theme, chosen=1)
    first, second = bars(figure)
    feet = [np.asarray(bar.base, dtype=float) for bar in (first, second)]
    np.testing.assert_allclose(feet[0], [-0.5, -4, 1.5])
    np.testing.assert_allclose(feet[0] + first.y, [1.5, 2, 2.5])
    np.testing.assert_allclose(feet[1], -1)
    assert (first.yaxis, second.yaxis) == ("y", "y2")
    assert list(first.marker.color) == [theme.recurrence, theme.selection, theme.recurrence]
    assert list(second.marker.color) == [theme.attention, theme.selection, theme.attention]
    assert list(first.customdata) == [0, 1, 2]
    means = [trace for trace in figure.data if isinstance(trace, go.Scatter)]
    np.testing.assert_allclose(means[0].y, STAGES["before"].mean)
    assert figure.layout.yaxis.range[0] < -4
    assert figure.layout.yaxis.range[1] > 2.5
    np.testing.assert_allclose(figure.layout.yaxis2.range, (-1.12, 1.12))


def test_a_vector_is_drawn_with_its_mean_and_spread() -> None:
    figure = vector_bars(VECTORS, colours(LIGHT), theme=LIGHT)
    np.testing.assert_allclose(bars(figure)[0].y, VECTORS["before"])
    drawn = sorted(shape.y0 for shape in figure.layout.shapes if shape.yref == "y")
    assert drawn == pytest.approx([1 - 8**0.5, 0, 1, 1 + 8**0.5])
    assert bars(figure)[0].hovertext[1] == "before, dimension 2: −3"
    assert list(figure.layout.yaxis.ticktext) == ["−3", "0", "5"]
