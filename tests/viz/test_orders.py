"""Two orders of one sentence are shown one above the other, on scales that compare."""

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from tests.covering import each
from viz.orders import orders
from viz.text import em_width, shortened
from viz.theme import LIGHT, Theme

WORDS = ["the", "oven", "cooked", "the", "bread", "so"]
RNG = np.random.default_rng(11)
WEIGHTS = RNG.dirichlet(np.ones(6)), RNG.dirichlet(np.ones(6))
OUTPUT = RNG.normal(size=17), RNG.normal(size=17)
NUMBERS = [1, 2, 6, 13, 31, 64, 256]

MANY = each("n", NUMBERS)
Vectors = tuple[NDArray[np.floating], NDArray[np.floating]]


def drawn(
    weights: Vectors = WEIGHTS, output: Vectors = OUTPUT, words: list[str] = WORDS, theme: Theme = LIGHT
) -> go.Figure:
    return orders(weights, output, words=words, chosen=len(words) - 1, theme=theme).figure()


def flat(n: int, words: list[str] = WORDS) -> go.Figure:
    return drawn((np.full(n, 1 / n), np.full(n, 1 / n)), words=(words * n)[:n])


def band(figure: go.Figure, axis: go.layout.YAxis) -> tuple[float, float]:
    """Pixels from the top of the figure to the upper and to the lower edge of an axis."""
    low, high = axis.domain
    return (1 - high) * figure.layout.height, (1 - low) * figure.layout.height


@MANY
def test_the_weights_lie_above_the_output_and_nothing_overlaps(n: int) -> None:
    figure = flat(n)
    upper, lower = (band(figure, axis) for axis in figure.select_yaxes())
    titles = [(1 - note.y) * figure.layout.height for note in figure.layout.annotations]
    assert [note.yanchor for note in figure.layout.annotations] == ["top", "top"]
    longest = max(em_width(shortened(word)) for word in figure.layout.xaxis.ticktext)
    words_from = upper[0] - longest * figure.layout.xaxis.tickfont.size * np.sin(np.pi / 3)
    edges = [titles[0] + 16, words_from, upper[1], titles[1], titles[1] + 16, lower[0], lower[1]]
    assert edges == sorted(edges)
    assert titles[0] >= 0
    assert lower[1] <= figure.layout.height
