"""Tokens as bars around their mean, on one scale; vectors and contributions as bars, a scale for each row."""

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.covering import each
from tests.test_contrast import contrast
from viz.room import Room
from viz.spreads import Spreads, Statistics, VectorBars, WordBars
from viz.theme import LIGHT, THEMES, Role, Theme

WORDS = ["the", "<b>oven</b>", "the"]
STAGES = {
    "before": Statistics([0.5, -1.0, 2.0], [1.0, 3.0, 0.5]),
    "after": Statistics([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]),
}
VECTORS = {"before": [1.0, -3.0, 5.0, 1.0], "after": [0.0, -1.4, 1.4, 0.0]}
COLOURS: dict[str, Role] = {"before": "recurrence", "after": "attention"}
SIX = ["the", "film", "was", "not", "the", "<i>"]
MEASURES = {
    "ablation": np.array([0.5, -2.0, 0.0, 1.0, 0.25, -0.125]),
    "attention": np.array([0.1, 0.2, 0.3, 0.2, 0.1, 0.1]),
}


def spreads(chosen: int | None = None) -> Spreads:
    return Spreads(stages=STAGES, colours=COLOURS, words=WORDS, title="Numbers", chosen=chosen)


def bars(figure: go.Figure) -> list[go.Bar]:
    return [trace for trace in figure.data if isinstance(trace, go.Bar)]


@each("theme", THEMES.values())
def test_a_bar_runs_from_mean_less_deviation_to_mean_plus_deviation(theme: Theme) -> None:
    figure = spreads(chosen=1).figure(Room(theme=theme))
    first, second = bars(figure)
    feet = [np.asarray(bar.base, dtype=float) for bar in (first, second)]
    np.testing.assert_allclose(feet[0], [-0.5, -4, 1.5])
    np.testing.assert_allclose(feet[0] + first.y, [1.5, 2, 2.5])
    np.testing.assert_allclose(feet[1], -1)
    assert (first.yaxis, second.yaxis) == ("y", "y2")
    assert list(first.marker.color) == [theme.recurrence, theme.selection, theme.recurrence]
    assert list(second.marker.color) == [theme.attention, theme.selection, theme.attention]
    assert [tuple(place) for place in second.customdata] == [(1, 0), (1, 1), (1, 2)]
    means = [trace for trace in figure.data if isinstance(trace, go.Scatter)]
    np.testing.assert_allclose(means[0].y, STAGES["before"].mean)
    on_bars = [
        contrast(means[0].marker.line.color, colour) for bar in (first, second) for colour in bar.marker.color
    ]
    assert min(on_bars) > 2.5, "a mean is seen on its bar"
    assert figure.layout.yaxis.range[0] < -4
    assert figure.layout.yaxis.range[1] > 2.5
    assert figure.layout.yaxis2.range == figure.layout.yaxis.range, "both rows have one scale"


def test_a_file_does_not_show_which_word_is_chosen() -> None:
    figure = spreads(chosen=1).figure(Room(medium="print"))
    assert {colour for bar in bars(figure) for colour in bar.marker.color} == {
        LIGHT.recurrence,
        LIGHT.attention,
    }
    assert "<b>" not in "".join(figure.layout.xaxis.ticktext)


def test_a_vector_is_drawn_with_its_mean_and_spread_over_its_numbered_dimensions() -> None:
    picture = VectorBars(stages=VECTORS, colours=COLOURS, title="Vector")
    figure = picture.figure()
    np.testing.assert_allclose(bars(figure)[0].y, VECTORS["before"])
    drawn = sorted(shape.y0 for shape in figure.layout.shapes if shape.yref == "y")
    assert drawn == pytest.approx([1 - 8**0.5, 0, 1, 1 + 8**0.5])
    assert bars(figure)[0].hovertext[1] == "before, dimension 2: −3"
    assert list(figure.layout.xaxis2.ticktext) == ["1", "2", "3", "4"]
    assert picture.alt().startswith("Vector: before mean 1, standard deviation 2.83; after mean 0,")


@each("theme", THEMES.values())
def test_every_bar_is_as_long_as_its_number_and_coloured_by_its_sign(theme: Theme) -> None:
    figure = WordBars(measures=MEASURES, words=SIX, title="p").figure(Room(theme=theme))
    down, up = theme.signs
    for values, drawn in zip(MEASURES.values(), figure.data, strict=True):
        np.testing.assert_allclose(drawn.y, values)
        assert list(drawn.marker.color) == [down if value < 0 else up for value in values]
        assert "&lt;i&gt;" in drawn.hovertext[-1]


def test_a_measure_without_any_bar_has_an_axis_and_says_so() -> None:
    rows = {"ablation": np.zeros(6), "attention": MEASURES["attention"]}
    picture = WordBars(measures=rows, words=SIX, title="Contributions")
    axis = picture.figure().layout.yaxis
    assert "0" in axis.ticktext
    assert axis.range[0] < 0 < axis.range[1]
    assert picture.alt().startswith(
        "Contributions. Furthest from 0 by ablation: no word; by attention: was 0.3"
    )
