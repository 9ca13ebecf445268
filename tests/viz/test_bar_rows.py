"""Rows of bars share one scale and one line of columns, and say in words what they show."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.covering import each
from viz.bar_rows import BarRows
from viz.layout.bars import largest_bars
from viz.room import Room
from viz.text import em_width
from viz.theme import LIGHT, Role

WORDS = ["the", "oven", "cooked", "the", "bread", "so", "why"]
SHARES = np.array(
    [[0.125, 0.25, 0.5, 0.03125, 0.0625, 0.03125, 0], [0, 0, 0.0001, 0.0049, 0.195, 0.3, 0.5], [1 / 7] * 7]
)
ROWS: dict[str, Role] = {"Transformer": "attention", "LSTM": "value", "RNN": "recurrence"}
BARS = BarRows(title="Shares", shares=SHARES, rows=ROWS, columns=WORDS, top=0.5)
PAGE, NARROW = Room(width=980, height=390), Room(width=350, height=390)


def pixels(figure: go.Figure, row: int, height: float) -> float:
    """Pixels from the lower edge of the figure up to a height in a row."""
    axis = figure.layout[f"yaxis{row + 1 if row else ''}"]
    share = (height - axis.range[0]) / (axis.range[1] - axis.range[0])
    return float(np.interp(share, (0, 1), axis.domain) * figure.layout.height)


def column(figure: go.Figure) -> float:
    """Pixels of width of a column."""
    axis = figure.layout.xaxis
    return float(np.ptp(axis.domain) * figure.layout.width / np.ptp(axis.range))


def notes(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


def test_every_bar_is_as_high_as_its_share_on_the_scale_of_all_rows() -> None:
    figure = BARS.figure(PAGE)
    for row, trace in enumerate(figure.data):
        np.testing.assert_allclose(trace.y, SHARES[row])
        np.testing.assert_array_equal(trace.x, range(7))
        assert [tuple(place) for place in trace.customdata] == [(row, at) for at in range(7)]
    highs = [[pixels(figure, row, height) for height in (0, 0.5)] for row in range(3)]
    assert len({round(top - foot, 6) for foot, top in highs}) == 1
    size = figure.data[0].textfont.size
    for (foot, _), (_, below) in pairwise(highs):
        assert foot > below + 1.2 * size, "a number stands on the largest bar, below the row above"


def test_numbers_on_bars_and_in_hovers_are_per_cent() -> None:
    figure = BARS.figure(PAGE)
    assert list(figure.data[1].text) == ["0 %", "0 %", "<0.1 %", "0.5 %", "20 %", "30 %", "50 %"]
    assert figure.data[1].hovertext[4] == "LSTM, bread: 20 %"
    assert figure.data[0].hovertext[3] == "Transformer, the (4): 3 %"


def test_the_chosen_column_has_its_numbers_in_the_colour_of_a_choice() -> None:
    for trace in replace(BARS, chosen=6).figure(PAGE).data:
        assert [at for at, ink in enumerate(trace.textfont.color) if ink == LIGHT.selection] == [6]


@each("n", [1, 13, 40, 256])
def test_numbers_stand_on_bars_only_where_they_fit(n: int) -> None:
    words = (WORDS * 40)[:n]
    figure = BarRows(title="B", shares=np.full((3, n), 1 / 3), rows=ROWS, columns=words).figure(PAGE)
    size = figure.data[0].textfont.size
    assert size >= PAGE.smallest_type
    written = [text for text in figure.data[0].text if text]
    if n <= 40:
        assert len(written) == n
        assert em_width("33") * size <= column(figure)
    else:
        assert written == ["33 %"], "the first of the largest"


def test_numbers_without_their_sign_have_their_unit_beside_them() -> None:
    figure = BARS.figure(Room(width=300))
    assert "20" in figure.data[1].text
    assert "in %" in notes(figure)
    assert "in %" not in notes(BARS.figure(PAGE))


def test_a_level_is_drawn_across_every_row_and_named_once() -> None:
    figure = replace(BARS, level=(0.25, "guessing")).figure(PAGE)
    dotted = [line for line in figure.layout.shapes if line.line.dash == "dot"]
    assert [(line.y0, line.y1, line.yref) for line in dotted] == [(0.25, 0.25, y) for y in ("y", "y2", "y3")]
    (note,) = (note for note in figure.layout.annotations if note.text == "guessing")
    assert note.y * figure.layout.height == pytest.approx(pixels(figure, 0, 0.25))
    assert dotted[0].x1 < note.x, "beside the bars, not on them"
    assert note.x * figure.layout.width + em_width("guessing") * note.font.size <= figure.layout.width
    assert notes(BARS.figure(PAGE)) == list(ROWS)
    for row, name in enumerate(ROWS):
        (note,) = (note for note in figure.layout.annotations if note.text == name)
        above = note.y * figure.layout.height - pixels(figure, row, 0.25)
        assert above > note.font.size / 2, "the name of a row is not taken for the name of the level"


@each("room", [PAGE, NARROW, Room(width=731, height=358, fills=True)])
def test_no_level_runs_through_a_number(room: Room) -> None:
    shares = np.linspace(0, 1, 12)[None]
    bars = BarRows(
        title="B", shares=shares, rows={"A": "key"}, columns=WORDS + WORDS[:5], level=(0.5, "chance")
    )
    figure = bars.figure(room)
    size, level = figure.data[0].textfont.size, pixels(figure, 0, 0.5)
    heights = [note.y * figure.layout.height for note in figure.layout.annotations]
    written = dict(zip([text.removesuffix(" %") for text in notes(figure)], heights, strict=True))
    lifted = 0
    for share, text, said in zip(shares[0], figure.data[0].text, figure.data[0].hovertext, strict=True):
        number = said.rpartition(": ")[2].removesuffix(" %")
        low = pixels(figure, 0, share) if text else written[number]
        assert not text or number not in written, "a number is written once"
        assert low >= level or low + 1.2 * size < level
        lifted += not text
    assert lifted


def test_a_printed_column_is_not_highlighted() -> None:
    chosen = replace(BARS, chosen=2)
    assert f"color:{LIGHT.selection}" in chosen.figure(PAGE).layout.xaxis.ticktext[2]
    assert chosen.figure(Room(medium="print")).layout.xaxis.ticktext[2] == "cooked"


def test_nan_has_no_bar_and_no_number() -> None:
    shares = SHARES.copy()
    shares[1], shares[2, 3] = np.nan, np.nan
    bars = replace(BARS, shares=shares, rows=dict(zip("ABC", ROWS.values(), strict=True)))
    figure = bars.figure(PAGE)
    assert np.isnan(figure.data[1].y).all()
    assert list(figure.data[1].text) == [""] * 7
    assert figure.data[2].text[3] == ""
    assert bars.alt() == (
        "Shares. The largest bars: A: cooked 50 %, oven 25 %, the (1) 12 %; B: no bars; "
        "C: the (1) 14 %, oven 14 %, cooked 14 %."
    )


def test_rows_have_as_many_decimals_and_their_unit() -> None:
    """One row needs tenths for its shares to add up, the other does not."""
    rows: dict[str, Role] = {"one head": "attention", "first of two": "muted"}
    shares = [[0.0657, 0.0363, 0.898], [0.07, 0.04, 0.89]]
    figure = BarRows(title="B", shares=shares, rows=rows, columns=["Maria", "met", "Zuko"]).figure()
    assert [list(trace.text) for trace in figure.data] == [
        ["6.6 %", "3.6 %", "89.8 %"],
        ["7.0 %", "4.0 %", "89.0 %"],
    ]


def test_the_name_of_a_head_is_distinct_from_its_number() -> None:
    values = np.array([0.5, 0.25])
    assert largest_bars(["layer 1, head 2", "tea"], values, ["50 %", "25 %"]) == (
        "layer 1, head 2: 50 %, tea 25 %"
    )


def test_the_largest_number_of_each_row_is_marked_on_demand() -> None:
    marked = replace(BARS, mark_largest=True).draw(PAGE)
    bold = [[at for at, text in enumerate(row.text) if text.startswith("<b>")] for row in marked.data]
    assert bold == [[2], [6], [0]]
    assert not any(text.startswith("<b>") for row in BARS.draw(PAGE).data for text in row.text)
