"""Two orders of one sentence are shown one above the other, on scales that compare."""

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from tests.covering import each
from viz.layout.canvas import MARKUP
from viz.orders import WEIGHT, Orders
from viz.room import PAGE, Room
from viz.text import em_width, shortened

WORDS = ["the", "oven", "cooked", "the", "bread", "so"]
RNG = np.random.default_rng(11)
WEIGHTS = RNG.dirichlet(np.ones(6)), RNG.dirichlet(np.ones(6))
OUTPUT = RNG.normal(size=17), RNG.normal(size=17)
MANY = each("n", [1, 13, 256])
Vectors = tuple[NDArray[np.floating], NDArray[np.floating]]


def drawn(
    weights: Vectors = WEIGHTS, output: Vectors = OUTPUT, words: list[str] = WORDS, room: Room = PAGE
) -> go.Figure:
    chosen = len(words) - 1
    return Orders(title="O", weights=weights, output=output, words=words, chosen=chosen).figure(room)


def flat(n: int, words: list[str] = WORDS, room: Room = PAGE) -> go.Figure:
    return drawn((np.full(n, 1 / n), np.full(n, 1 / n)), words=(words * n)[:n], room=room)


def band(figure: go.Figure, axis: go.layout.YAxis) -> tuple[float, float]:
    """Pixels from the top of the figure to the upper and to the lower edge of an axis."""
    low, high = axis.domain
    return (1 - high) * figure.layout.height, (1 - low) * figure.layout.height


def width(markup: str) -> float:
    """Em of a word that may be marked as the chosen one."""
    return em_width(shortened(MARKUP.sub("", markup)))


@MANY
def test_the_weights_lie_above_the_output_and_nothing_overlaps(n: int) -> None:
    figure = flat(n)
    upper, lower = (band(figure, axis) for axis in figure.select_yaxes())
    notes = [
        note for note in figure.layout.annotations if note.text != WEIGHT and "dimension" not in note.text
    ]
    titles = [(1 - note.y) * figure.layout.height for note in notes]
    longest = max(map(width, figure.layout.xaxis.ticktext))
    words_from = upper[0] - longest * figure.layout.xaxis.tickfont.size * np.sin(
        np.radians(-figure.layout.xaxis.tickangle)
    )
    edges = [titles[0] + 16, words_from, upper[1], titles[1], titles[1] + 16, lower[0], lower[1]]
    assert edges == sorted(edges)
    assert titles[0] >= 0
    assert lower[1] <= figure.layout.height


ROOMS = [
    Room(width=402, medium="print"),
    Room(width=352, height=358, fills=True, smallest_type=10.5),
    Room(width=350, height=410),
]


@each("n", [2, 13, 27])
@each("room", ROOMS)
def test_names_of_rows_do_not_touch_cells_and_slanted_words_have_a_line_each(n: int, room: Room) -> None:
    figure = flat(n, room=room)
    layout, axis = figure.layout, figure.layout.xaxis
    first, last = (share * layout.width for share in axis.domain)
    longest = max(map(em_width, layout.yaxis.ticktext)) * layout.yaxis.tickfont.size
    assert longest + layout.yaxis.ticklabelstandoff + 3 <= first
    assert layout.yaxis.ticklabelstandoff >= 4
    column = (last - first) / n
    size = axis.tickfont.size
    angle = np.radians(-axis.tickangle)
    if angle:
        assert np.diff(axis.tickvals).min(initial=99) * column * np.sin(angle) >= size - 0.01
    else:
        assert max(map(width, axis.ticktext)) * size < column
    reach = width(axis.ticktext[-1]) * size * np.cos(angle) * (0.5 if angle == 0 else 1)
    assert first + (axis.tickvals[-1] + 0.5) * column + reach <= layout.width
    if n <= 13:
        assert len(axis.ticktext) == n
