"""Rows of bars share one scale and one line of columns, and say in words what they show."""

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.covering import each
from viz.bar_rows import FULL, NARROWEST, SMALLEST_NUMBER, bar_rows, describe_bar_rows
from viz.text import em_width
from viz.theme import LIGHT, Theme

WORDS = ["the", "oven", "cooked", "the", "bread", "so", "why"]
SHARES = np.array(
    [[0.125, 0.25, 0.5, 0.03125, 0.0625, 0.03125, 0], [0, 0, 0.0001, 0.0049, 0.195, 0.3, 0.5], [1 / 7] * 7]
)


def drawn(
    shares: np.ndarray = SHARES, words: list[str] = WORDS, theme: Theme = LIGHT, **look: object
) -> go.Figure:
    rows = {"Transformer": theme.attention, "LSTM": theme.value, "RNN": theme.recurrence}
    return bar_rows(shares, rows, words, theme=theme, **{"top": 0.5, **look})  # type: ignore[arg-type]


def test_every_bar_stands_on_the_foot_of_its_row_and_is_as_high_as_its_share() -> None:
    figure = drawn()
    for row, trace in enumerate(figure.data):
        np.testing.assert_array_equal(trace.base, [2 - row] * 7)
        np.testing.assert_allclose(trace.y, FULL * SHARES[row] / 0.5)
        np.testing.assert_array_equal(trace.x, range(7))
    assert figure.layout.barmode == "overlay"
    assert tuple(figure.layout.yaxis.range) == (0, 3)


def test_numbers_above_bars_and_in_hovers_are_per_cent() -> None:
    figure = drawn()
    assert list(figure.data[1].text) == ["0 %", "0 %", "<0.1 %", "0.5 %", "20 %", "30 %", "50 %"]
    assert figure.data[1].hovertext[4] == "LSTM, bread: 20 %"
    assert figure.data[0].hovertext[3] == "Transformer, the (4): 3 %"


@each("n", [1, 2, 7, 13, 19, 40, 256])
def test_numbers_stand_above_bars_only_where_they_fit(n: int) -> None:
    figure = drawn(np.full((3, n), 1 / 3), (WORDS * 40)[:n])
    size = figure.data[0].textfont.size
    width = NARROWEST - figure.layout.margin.l - figure.layout.margin.r
    column = width / (figure.layout.xaxis.range[1] - figure.layout.xaxis.range[0])
    assert width > NARROWEST / 2
    assert size >= SMALLEST_NUMBER
    written = [text for text in figure.data[0].text if text]
    if n < 40:
        assert len(written) == n
        assert em_width("33") * size <= 1.1 * column
    else:
        assert written == ["33 %"], "the first of the largest"


def test_a_level_is_drawn_across_every_row_and_named_once() -> None:
    figure = drawn(level=(0.25, "guessing"))
    dotted = [line for line in figure.layout.shapes if line.line.dash == "dot"]
    assert [line.y0 for line in dotted] == pytest.approx([at + FULL / 2 for at in range(3)])
    assert [line.y1 for line in dotted] == [line.y0 for line in dotted]
    (note,) = figure.layout.annotations
    assert (note.text, note.y) == ("guessing", pytest.approx(2 + FULL / 2))
    assert (note.x, note.xanchor) == (1, "left"), "beside the bars, not on them"
    assert figure.layout.margin.r >= em_width("guessing") * note.font.size
    assert not drawn().layout.annotations


def test_what_is_not_a_number_has_no_bar_and_no_number() -> None:
    shares = SHARES.copy()
    shares[1], shares[2, 3] = np.nan, np.nan
    figure = drawn(shares)
    assert np.isnan(figure.data[1].y).all()
    assert list(figure.data[1].text) == [""] * 7
    assert figure.data[2].text[3] == ""
    assert describe_bar_rows(shares, ["A", "B", "C"], WORDS, title="Shares") == (
        "Shares. The largest bars: A: cooked 50 %, oven 25 %, the (1) 12 %; B: no bars; "
        "C: the (1) 14 %, oven 14 %, cooked 14 %."
    )


def test_rows_have_as_many_decimals_and_their_unit() -> None:
    """One row needs tenths for its shares to add up, the other does not."""
    shares = [[0.0657, 0.0363, 0.898], [0.07, 0.04, 0.89]]
    rows = {"one head": LIGHT.attention, "first of two": LIGHT.muted}
    figure = bar_rows(shares, rows, ["Maria", "met", "Zuko"], top=1, theme=LIGHT)
    assert [list(trace.text) for trace in figure.data] == [
        ["6.6 %", "3.6 %", "89.8 %"],
        ["7.0 %", "4.0 %", "89.0 %"],
    ]


@each("narrow", [False, True])
def test_a_long_name_of_a_row_is_whole(narrow: bool) -> None:
    """Beside its bars it stands in two lines, and the room for it is as wide as the longer one."""
    name = "fully trained, mask off"
    figure = bar_rows([[0.5]], {name: LIGHT.attention}, ["tea"], theme=LIGHT, top=1, narrow=narrow)
    written = [note.text for note in figure.layout.annotations] if narrow else figure.layout.yaxis.ticktext
    assert list(written) == ([name] if narrow else ["fully trained,<br>mask off"])
    assert figure.data[0].hovertext[0] == f"{name}, tea: 50 %"
    assert narrow or figure.layout.margin.l < NARROWEST / 3
