"""Arrows in circles: where they point, how long they are, what stands beside them."""

import numpy as np
import plotly.graph_objects as go
import pytest

from viz.rotary_pairs import rotary_pairs
from viz.theme import GREY, LIGHT, Theme

Q = np.array([[3.0, 4.0], [0.0, 1.0], [-2.0, 0.0]])
K = np.array([[1.0, 0.0], [0.0, -2.0], [1.0, 1.0]])
PARTS = [3, -2, -2.004]
TITLES = ["57° per word", "2° <b>", "0.1°"]


def drawn(theme: Theme = LIGHT, **options) -> go.Figure:  # type: ignore[no-untyped-def]
    given = {
        "before": (Q, K),
        "parts": PARTS,
        "titles": TITLES,
        "names": ("query of <i>", "key of b"),
    } | options
    return rotary_pairs(Q, K, title="Pairs", theme=theme, **given).figure()


def arrows(figure: go.Figure, name: str) -> np.ndarray:
    """From its middle to its end, each arrow in pixels, up counted upwards."""
    trace = next(one for one in figure.data if one.hovertext[1].startswith(name) and one.hovertemplate)
    x, y = (np.array(each).reshape(-1, 3) for each in (trace.x, trace.y))
    return np.stack([x[:, 1] - x[:, 0], y[:, 0] - y[:, 1]], axis=1)


def radius(figure: go.Figure) -> float:
    circle = figure.layout.shapes[0]
    return (circle.x1 - circle.x0) / 2


def test_arrows_point_as_their_pairs_do_and_the_longest_reaches_its_circle() -> None:
    figure = drawn()
    for name, pairs in (("query", Q), ("key", K)):
        np.testing.assert_allclose(arrows(figure, name), pairs * radius(figure) / 5, rtol=1e-6)


@pytest.mark.parametrize("n", [3, 4, 6, 12, 16, 24, 32])
def test_circles_lie_within_the_figure_and_apart(n: int) -> None:
    pairs = np.ones((n, 2))
    figure = rotary_pairs(
        pairs,
        pairs,
        before=(pairs, pairs),
        parts=[0] * n,
        title="Pairs",
        titles=[""] * n,
        names=("q", "k"),
        theme=LIGHT,
        size=470,
    ).figure()
    circles = figure.layout.shapes
    assert len(circles) == n
    assert figure.layout.width <= 471
    assert all(one.x0 >= 0 and one.x1 <= figure.layout.width for one in circles)
    assert len({(round(one.x0), round(one.y0)) for one in circles}) == n


def test_in_grey_the_key_is_dashed_and_its_name_says_so() -> None:
    figure = drawn(GREY)
    dashes = [trace.line.dash for trace in figure.data]
    assert len(set(dashes)) == 4
    assert {trace.line.dash for trace in drawn().data} == {"solid", "dot"}
    names = [note.text for note in figure.layout.annotations if note.text.startswith("<b>")]
    assert [name.rpartition(", ")[2] for name in names] == ["solid</b>", "dashed</b>"]
