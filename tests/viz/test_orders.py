"""Two orders of one sentence are shown one above the other, on scales that compare."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from numpy.typing import NDArray

from tests.covering import each
from viz.orders import orders
from viz.text import em_width, shortened
from viz.theme import DARK, LIGHT, Theme

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
    return orders(weights, output, words=words, chosen=len(words) - 1, theme=theme).figure


def flat(n: int, words: list[str] = WORDS) -> go.Figure:
    return drawn((np.full(n, 1 / n), np.full(n, 1 / n)), words=(words * n)[:n])


def band(figure: go.Figure, axis: go.layout.YAxis) -> tuple[float, float]:
    """Pixels from the top of the figure to the upper and to the lower edge of an axis."""
    low, high = axis.domain
    return (1 - high) * figure.layout.height, (1 - low) * figure.layout.height


def test_the_first_order_stands_above_the_second() -> None:
    upper, lower = drawn().data
    np.testing.assert_allclose(upper.z, WEIGHTS, rtol=1e-6)
    np.testing.assert_allclose(lower.z, OUTPUT, rtol=1e-6)
    for axis in drawn().select_yaxes():
        assert axis.range[0] > 1 > 0 > axis.range[1]
        assert dict(zip(axis.tickvals, axis.ticktext, strict=True)) == {0: "first order", 1: "second order"}


def test_weights_run_from_0_to_1_and_the_output_as_far_on_both_sides() -> None:
    upper, lower = drawn((WEIGHTS[0] / 100, WEIGHTS[1] / 100)).data
    assert (upper.zmin, upper.zmax) == (0, 1)
    largest = np.abs(OUTPUT).max()
    assert (lower.zmin, lower.zmax) == pytest.approx((-largest, largest))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_both_pictures_wear_the_colours_of_the_theme(theme: Theme) -> None:
    figure = drawn(theme=theme)
    assert [trace.colorscale for trace in figure.data] == [theme.sequential, theme.diverging]
    assert theme.query in figure.layout.annotations[0].text
    assert figure.layout.paper_bgcolor == theme.paper


def test_words_stand_over_their_columns_and_repeated_ones_apart() -> None:
    axis = drawn().layout.xaxis
    assert list(axis.tickvals) == [0, 1, 2, 3, 4, 5]
    assert list(axis.ticktext) == WORDS
    assert (axis.side, axis.tickangle) == ("top", -60)


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


@MANY
@each("word", ["so", "blackberries", "私は学生です私は学生"])
def test_words_are_apart_and_reach_no_further_than_the_figure(n: int, word: str) -> None:
    figure = flat(n, [word])
    axis, margin = figure.layout.xaxis, figure.layout.margin
    column = (480 - margin.l - margin.r) / (axis.range[1] - axis.range[0])
    assert np.diff(axis.tickvals).min(initial=n) * column >= min(13.9, column)
    reach = em_width(shortened(word)) * axis.tickfont.size * np.cos(np.radians(axis.tickangle))
    assert margin.l + (axis.tickvals[-1] + 0.5) * column + reach <= 480


def test_digits_stand_in_the_cells_while_they_can_be_read_and_a_colour_bar_after_that() -> None:
    few, many = flat(13), flat(31)
    assert few.data[0].texttemplate
    assert few.data[0].textfont.size >= 11
    assert not few.data[0].showscale
    assert many.data[0].texttemplate is None
    assert many.data[0].showscale
    assert list(many.data[0].colorbar.ticktext) == ["0", "1"]


def test_digits_are_the_weights_to_two_decimals() -> None:
    shown = [[cell.split(">")[1].split("<")[0] for cell in row] for row in drawn().data[0].text]
    assert shown == [[f"{weight:.2f}" for weight in order] for order in WEIGHTS]


def test_the_output_has_a_colour_bar_on_the_line_of_its_title() -> None:
    figure = drawn()
    bar, title = figure.data[1].colorbar, figure.layout.annotations[1]
    assert figure.data[1].showscale
    assert bar.y == title.y
    assert (bar.x, bar.xanchor) == (1, "right")
    assert list(bar.tickvals) == [figure.data[1].zmin, figure.data[1].zmax]
    assert bar.ticktext[0].startswith("−")


@pytest.mark.parametrize("word", ["so", "Donaudampfschifffahrtsgesellschaft", "私は学生です私は学生"])
def test_a_title_leaves_room_for_the_colour_bar(word: str) -> None:
    figure = drawn(words=["a", "b", "c", "d", "e", word])
    for note in figure.layout.annotations:
        room = 480 - figure.layout.margin.l - note.xshift - figure.layout.margin.r - 80 - 15
        shown = note.text.replace("<b>", "").replace("</b>", "").replace("</span>", "")
        before, _, after = shown.partition("<span")
        # The estimate is for Arial, a tenth wider than the type of the figures.
        assert em_width(before + after.partition(">")[2]) * 16 * 0.9 <= room


def test_few_words_keep_narrow_columns_at_the_left() -> None:
    assert [flat(n).layout.xaxis.range for n in (1, 2, 6, 13)] == [
        (-0.5, 5.5),
        (-0.5, 5.5),
        (-0.5, 5.5),
        (-0.5, 12.5),
    ]


def test_a_frame_shows_how_far_the_cells_go_even_where_they_are_pale() -> None:
    upper, lower = drawn().layout.shapes
    assert (upper.xref, upper.x0, upper.x1, upper.y0, upper.y1) == ("x", -0.5, 5.5, -0.5, 1.5)
    assert (lower.xref, lower.x0, lower.x1, lower.y0, lower.y1) == ("x2", 0.5, 17.5, -0.5, 1.5)


def test_dimensions_are_counted_from_1() -> None:
    figure = drawn()
    assert figure.data[1].x0 == 1
    assert figure.layout.xaxis2.range == (0.5, 17.5)
    assert "dimension %{x}" in figure.data[1].hovertemplate
    assert "17 dimensions" in figure.layout.annotations[1].text


def test_a_hover_can_name_every_word_even_one_that_is_not_written() -> None:
    axis = flat(64).layout.xaxis
    known = dict(zip(map(str, axis.tickvals), axis.ticktext, strict=True)) | axis.labelalias
    assert known == {str(at): (WORDS * 64)[at] for at in range(64)}
    assert "key %{x}" in flat(64).data[0].hovertemplate


def test_the_table_lists_both_orders_and_their_difference() -> None:
    table = orders(WEIGHTS, OUTPUT, words=WORDS, chosen=0, theme=LIGHT).table
    assert table is not None
    expected = pd.DataFrame(
        {
            "first order": WEIGHTS[0],
            "second order": WEIGHTS[1],
            "difference": WEIGHTS[1] - WEIGHTS[0],
        },
        index=pd.Index(["the (1)", "oven", "cooked", "the (4)", "bread", "so"], name="key"),
    )
    pd.testing.assert_frame_equal(table(), expected)


def test_a_description_says_how_far_the_orders_are_apart() -> None:
    weights = np.array([0.5, 0.5, 0, 0]), np.array([0.5, 0.2, 0.3, 0])
    output = np.array([1.0, -2.0]), np.array([1.0, 0.5])
    picture = orders(weights, output, words=["so", "is", "it", "so"], chosen=3, theme=LIGHT)
    assert picture.alt == (
        "Attention weights and output of so (4) in both orders, lined up by word. "
        "Largest difference of the weights 0.30, of the output 2.50."
    )
