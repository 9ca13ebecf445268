"""Curves are named where they end, never by two names in one place, and each looks different."""

from html import unescape
from math import log10

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from core.words import seconds
from tests.covering import each
from viz.curves import Log, curves, describe_curves
from viz.parts.line_looks import IN_GREY
from viz.text import em_width
from viz.theme import DARK, GREY, LIGHT, Theme

DOUBLING = {2**power: str(2**power) for power in range(3, 12)}
EVEN = {at: str(at) for at in (0, 64, 128, 192, 256)}
TENFOLD = {10.0**power: seconds(10.0**power) for power in range(-5, 0)}


def table(**ends: tuple[float, float]) -> pd.DataFrame:
    """Two points per network, the last one first: at 8 words, and where it ends."""
    rows = [
        row
        for name, (words, value) in ends.items()
        for row in ((name.replace("_", "-"), words, value), (name.replace("_", "-"), 8, value / 2))
    ]
    return pd.DataFrame(rows, columns=["network", "words", "operations"])


def drawn(data: pd.DataFrame, theme: Theme = LIGHT, **look: object) -> go.Figure:
    colours = {"RNN": theme.recurrence, "LSTM": theme.value, "self-attention": theme.attention}
    linear = {"x_ticks": EVEN, "y_ticks": EVEN, "x_title": "words in it", "y_title": "operations"}
    where = {"x": "words", "y": "operations", "by": "network", "colours": colours}
    return curves(data, theme=theme, **{**where, **linear, **look})


def timed(data: pd.DataFrame, **look: object) -> go.Figure:
    return drawn(data, x_ticks=DOUBLING, y_ticks=TENFOLD, log=True, say=seconds, **look)


def names(figure: go.Figure) -> dict[str, go.layout.Annotation]:
    return {note.text: note for note in figure.layout.annotations if note.xanchor == "left" and note.xshift}


def heights(figure: go.Figure) -> dict[str, float]:
    """Pixels of each name above the lower end of the axis."""
    low, high = figure.layout.yaxis.range
    inner = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    return {text: (n.y - low) / (high - low) * inner + n.yshift for text, n in names(figure).items()}


THREE = table(RNN=(256, 100), LSTM=(256, 150), self_attention=(256, 30))


def test_a_curve_runs_through_its_own_points_in_order() -> None:
    figure = drawn(THREE)
    for trace, (value, end) in zip(figure.data, [(50, 100), (75, 150), (15, 30)], strict=True):
        np.testing.assert_array_equal(trace.x, [8, 256])
        np.testing.assert_array_equal(trace.y, [value, end])


def test_a_name_stands_right_of_the_end_of_its_curve() -> None:
    notes = names(drawn(THREE))
    assert {text: (note.x, note.y, note.yshift) for text, note in notes.items()} == {
        "RNN": (256, 100, 0),
        "LSTM": (256, 150, 0),
        "self-attention": (256, 30, 0),
    }
    assert all(note.xshift > 8 for note in notes.values())


def test_on_logarithmic_axes_a_name_stands_at_the_logarithm() -> None:
    notes = names(timed(table(RNN=(512, 1e-2), LSTM=(128, 1e-4))))
    assert (notes["RNN"].x, notes["RNN"].y) == pytest.approx((np.log10(512), -2))
    assert (notes["LSTM"].x, notes["LSTM"].y) == pytest.approx((np.log10(128), -4))


@pytest.mark.parametrize(
    ("log", "types", "end"), [("y", ("linear", "log"), (256, 2)), ("x", ("log", "linear"), (log10(256), 100))]
)
def test_one_axis_alone_can_be_logarithmic(
    log: Log, types: tuple[str, str], end: tuple[float, float]
) -> None:
    ticks = {1: "1", 16: "16", 100: "100", 256: "256"}
    figure = drawn(table(RNN=(256, 100)), x_ticks=ticks, y_ticks=ticks, log=log)
    assert (figure.layout.xaxis.type, figure.layout.yaxis.type) == types
    name = names(figure)["RNN"]
    assert (name.x, name.y) == pytest.approx(end)


@each("log", [False, True, "x", "y"])
@each(
    "ends",
    [(100, 100, 100), (100, 101, 99), (256, 255, 254), (1, 1, 1), (256, 256, 1), (30, 32, 36), (9, 200, 9)],
)
def test_names_never_touch_whatever_their_curves_do(ends: tuple[float, float, float], log: Log) -> None:
    ticks = {1: "1", 8: "8", 64: "64", 256: "256"}
    data = table(
        **{name: (256, end) for name, end in zip(("RNN", "LSTM", "self_attention"), ends, strict=True)}
    )
    figure = drawn(data, x_ticks=ticks, y_ticks=ticks, log=log)
    placed = heights(figure)
    assert np.diff(sorted(placed.values())).min() >= 22 - 1e-6
    by_end = dict(zip(("RNN", "LSTM", "self-attention"), ends, strict=True))
    for one, height in placed.items():
        assert all(height > lower for other, lower in placed.items() if by_end[one] > by_end[other])


def test_a_name_is_never_moved_above_the_axis() -> None:
    figure = drawn(table(RNN=(256, 254), LSTM=(256, 255), self_attention=(256, 256)))
    low, high = figure.layout.yaxis.range
    inner = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    assert max(heights(figure).values()) <= (256 - low) / (high - low) * inner + 1e-6


def test_each_curve_has_a_dash_and_a_symbol_of_its_own() -> None:
    traces = drawn(THREE).data
    assert len({trace.line.dash for trace in traces}) == 3
    assert len({trace.marker.symbol for trace in traces}) == 3


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_curve_and_its_name_wear_the_colour_of_its_role(theme: Theme) -> None:
    figure = drawn(THREE, theme)
    expected = [theme.recurrence, theme.value, theme.attention]
    assert [trace.line.color for trace in figure.data] == expected
    assert [note.font.color for note in names(figure).values()] == expected


def test_a_name_without_rows_has_no_curve_yet() -> None:
    figure = drawn(table(RNN=(64, 20), self_attention=(64, 3)))
    assert len(figure.data) == 2
    assert list(names(figure)) == ["RNN", "self-attention"]


def test_nothing_measured_leaves_the_axes() -> None:
    empty = pd.DataFrame(columns=["network", "words", "operations"])
    figure = timed(empty, mark=13)
    assert len(figure.data) == 0
    assert figure.layout.yaxis.range == pytest.approx((-5.12, -0.88))
    assert figure.layout.margin == timed(table(RNN=(64, 1e-3))).layout.margin


def test_one_point_is_marked_and_named() -> None:
    one = pd.DataFrame({"network": ["RNN"], "words": [8], "operations": [1e-4]})
    figure = timed(one)
    assert "markers" in figure.data[0].mode
    assert names(figure)["RNN"].x == pytest.approx(np.log10(8))


def test_many_points_make_a_line() -> None:
    many = pd.DataFrame({"network": "RNN", "words": range(1, 101), "operations": range(1, 101)})
    assert drawn(many).data[0].mode == "lines"


def test_a_curve_that_leaves_the_ticks_takes_the_axis_along() -> None:
    figure = timed(table(RNN=(2048, 3.0)))
    assert figure.layout.yaxis.range[1] > np.log10(3)


@pytest.mark.parametrize(("log", "at"), [(False, 13), (True, np.log10(13))])
def test_a_mark_stands_at_the_sentence(log: bool, at: float) -> None:
    ticks = {1: "1", 256: "256"}
    figure = drawn(THREE, x_ticks=ticks, y_ticks=ticks, log=log, mark=13)
    (line,) = figure.layout.shapes
    assert (line.x0, line.x1, line.y0, line.y1, line.yref) == (13, 13, 0, 1, "paper")
    (note,) = [note for note in figure.layout.annotations if note.text == "this sentence"]
    assert note.x == pytest.approx(at)


def test_the_name_of_a_mark_stands_on_the_side_with_more_room() -> None:
    anchors = [drawn(THREE, mark=mark).layout.annotations[-1].xanchor for mark in (0, 100, 150, 256)]
    assert anchors == ["left", "left", "right", "right"]


def test_a_sentence_beyond_the_axis_is_not_marked() -> None:
    for mark in (5, 4000):
        figure = timed(table(RNN=(64, 1e-3)), mark=mark)
        assert not figure.layout.shapes
        assert "this sentence" not in [note.text for note in figure.layout.annotations]


def test_ticks_and_names_have_room_beside_the_axes() -> None:
    figure = timed(table(RNN=(64, 1e-3)))
    widest = max(em_width(text) for text in figure.layout.yaxis.ticktext)
    assert figure.layout.margin.l >= widest * figure.layout.yaxis.tickfont.size + 16 + 10
    assert figure.layout.margin.r >= em_width("self-attention") * 16 + 12


def test_ticks_are_thinned_on_both_axes_before_they_touch() -> None:
    tall = {10**power: f"10 to the {power}" for power in range(9)}
    figure = drawn(table(RNN=(64, 9)), x_ticks=DOUBLING, y_ticks=tall, log=True)
    for axis, length in ((figure.layout.xaxis, 480), (figure.layout.yaxis, 160)):
        assert len(axis.tickvals) == len(axis.ticktext) == 5
        assert (np.diff(np.log10(axis.tickvals)) / np.ptp(axis.range) * length >= 18).all()


def test_a_hover_says_the_value_in_words() -> None:
    figure = timed(table(RNN=(512, 0.0123), self_attention=(512, 4.5)))
    assert list(figure.data[0].hovertext) == ["RNN: 6.15 ms at 8 words", "RNN: 12.3 ms at 512 words"]
    assert figure.data[1].hovertext[1] == "self-attention: 4.5 s at 512 words"


def test_a_description_says_where_the_curves_end() -> None:
    text = describe_curves(THREE, x="words", y="operations", by="network", title="Operations")
    assert text == (
        "Operations. The curves end at: RNN 100 at 256 words; LSTM 150 at 256 words; "
        "self-attention 30 at 256 words."
    )
    timings = table(RNN=(2048, 0.0123))
    text = describe_curves(timings, x="words", y="operations", by="network", title="Seconds", say=seconds)
    assert text == "Seconds. The curves end at: RNN 12.3 ms at 2048 words."


@each(("x", "end"), [("words", "1 word"), ("words back", "1 word back"), ("step", "step 1")])
def test_what_is_counted_has_its_number_first_and_what_is_numbered_its_name(x: str, end: str) -> None:
    one = pd.DataFrame({"network": ["RNN"], x: [1], "operations": [20]})
    assert describe_curves(one, x=x, y="operations", by="network", title="T").endswith(f"RNN 20 at {end}.")


def test_an_empty_table_is_described_as_such() -> None:
    empty = pd.DataFrame(columns=["network", "words", "operations"])
    text = describe_curves(empty, x="words", y="operations", by="network", title="Seconds")
    assert text == "Seconds: nothing yet."


GROUPS = {0: "1–2", 1: "3–5", 2: "6–10"}
GROUPED = pd.DataFrame(
    {"network": ["RNN"] * 3 + ["LSTM"] * 3, "words": [0, 1, 2] * 2, "operations": [90, 50, 20, 100, 70, 60]}
)


def test_a_place_on_the_axis_is_called_as_its_tick_is() -> None:
    figure = drawn(GROUPED, x_ticks=GROUPS, y_ticks=EVEN)
    assert figure.data[0].hovertext[1] == "RNN: 50 at 3–5 words"
    assert list(figure.layout.xaxis.ticktext) == ["1–2", "3–5", "6–10"]
    assert describe_curves(
        GROUPED, x="words", y="operations", by="network", title="Operations", x_ticks=GROUPS
    ) == ("Operations. RNN 90 at 1–2, 50 at 3–5, 20 at 6–10; LSTM 100 at 1–2, 70 at 3–5, 60 at 6–10.")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_level_runs_across_under_its_name(theme: Theme) -> None:
    figure = drawn(THREE, theme, level=(50, "guessing <i>"))
    (line,) = figure.layout.shapes
    assert (line.y0, line.y1, line.x0, line.xref) == (50, 50, 0, "paper")
    (note,) = [one for one in figure.layout.annotations if one.y == 50]
    assert (note.yanchor, note.font.color, line.line.color) == ("bottom", theme.muted, theme.muted)
    assert unescape(note.text) == "guessing <i>"
    assert "<" not in note.text


def test_the_name_of_the_highest_level_stands_below_it_where_a_mark_leaves_room() -> None:
    figure = drawn(THREE, mark=64, level=(max(EVEN), "equal weights"))
    (level,) = [one for one in figure.layout.annotations if one.text == "equal weights"]
    (mark,) = [one for one in figure.layout.annotations if one.text == "this sentence"]
    assert (level.yanchor, mark.yanchor, mark.y, mark.yref) == ("top", "bottom", 1, "paper")


def test_on_a_logarithmic_axis_the_name_of_a_level_stands_at_its_logarithm() -> None:
    figure = drawn(table(RNN=(256, 100)), y_ticks={1: "1", 100: "100"}, log="y", level=(50, "guessing"))
    (line,) = figure.layout.shapes
    (note,) = [one for one in figure.layout.annotations if one.text == "guessing"]
    assert (line.y0, note.y) == (50, pytest.approx(np.log10(50)))


def test_an_upright_line_can_have_another_name() -> None:
    figure = drawn(THREE, mark=64, mark_name="training ends <i>")
    notes = [unescape(note.text) for note in figure.layout.annotations]
    assert "training ends <i>" in notes
    assert "this sentence" not in notes


def test_curves_can_be_dashed_by_name() -> None:
    figure = drawn(table(RNN=(64, 3), LSTM=(64, 5), self_attention=(64, 9)), dashed=["LSTM"])
    assert [trace.line.dash for trace in figure.data] == ["solid", "dash", "solid"]
    solid = drawn(table(RNN=(64, 3), LSTM=(64, 5), self_attention=(64, 9)), dashed=())
    assert {trace.line.dash for trace in solid.data} == {"solid"}


def test_a_line_across_ends_where_the_curves_end() -> None:
    figure = drawn(table(RNN=(256, 3), LSTM=(256, 5)), level=(5.0, "as many"))
    (line,) = [shape for shape in figure.layout.shapes if shape.xref == "paper"]
    low, high = figure.layout.xaxis.range
    assert line.x0 == 0
    assert low + line.x1 * (high - low) == pytest.approx(256)


SAME = table(RNN=(256, 30), LSTM=(256, 30), self_attention=(256, 30))


def samples(figure: go.Figure) -> list[go.layout.Shape]:
    """The pieces of dashes before the names."""
    return [one for one in figure.layout.shapes if one.xsizemode == "pixel"]


def test_names_of_one_colour_have_the_dashes_of_their_curves_before_them() -> None:
    colours = {"RNN": LIGHT.recurrence, "LSTM": LIGHT.recurrence, "self-attention": LIGHT.attention}
    figure = drawn(SAME, colours=colours)
    shown = samples(figure)
    assert [one.line.dash for one in shown] == [trace.line.dash for trace in figure.data]
    assert [one.line.color for one in shown] == list(colours.values())
    for sample, note in zip(shown, names(figure).values(), strict=True):
        assert sample.y0 == sample.y1 == note.yshift, "in the line of the name"
        assert 8 < sample.x0 < sample.x1 < note.xshift
    longest = em_width("self-attention") * 16
    assert figure.layout.margin.r >= names(figure)["RNN"].xshift + longest
    assert not samples(drawn(SAME)), "colours of their own tell names apart"


def test_curves_that_end_in_one_point_are_named_in_the_order_of_their_courses() -> None:
    before = {"RNN": 60, "LSTM": 20, "self-attention": 40}
    rows = [(name, at, value) for name, last in before.items() for at, value in ((8, last), (256, 0))]
    placed = heights(drawn(pd.DataFrame(rows, columns=["network", "words", "operations"])))
    assert sorted(placed, key=placed.__getitem__) == ["LSTM", "self-attention", "RNN"]


def test_a_narrow_figure_has_its_names_above_the_axes_and_the_mark() -> None:
    wide, narrow = (drawn(THREE, mark=64, narrow=narrow) for narrow in (False, True))
    inner = [one.layout.height - one.layout.margin.t - one.layout.margin.b for one in (wide, narrow)]
    assert inner[0] == inner[1]
    assert narrow.layout.margin.r < 30
    notes = {note.text: note for note in narrow.layout.annotations}
    assert all((notes[name].yref, notes[name].y) == ("paper", 1) for name in names(wide))
    shifts = [notes[name].yshift for name in ("self-attention", "RNN", "LSTM")]
    assert shifts == [28 + 11, 28 + 33, 28 + 55], "as their ends are, above what is called as the mark is"
    assert narrow.layout.margin.t >= max(shifts) + 11
    assert len(samples(narrow)) == 3


def test_the_name_of_a_level_stands_where_no_curve_runs() -> None:
    """The first curve passes above the line where the axis begins, the other follows it."""
    falling = pd.DataFrame(
        [("RNN", at, max(200 - at * 2, 20)) for at in range(0, 257, 8)]
        + [("LSTM", at, max(220 - at * 2, 108)) for at in range(0, 257, 8)],
        columns=["network", "words", "operations"],
    )
    figure = drawn(falling, level=(100, "guessing alone"), height=330)
    (note,) = [one for one in figure.layout.annotations if one.text == "guessing alone"]
    low, high = figure.layout.xaxis.range
    left = low + note.x * (high - low)
    per_pixel = (figure.layout.yaxis.range[1] - figure.layout.yaxis.range[0]) / (330 - 80)
    wide = em_width(note.text) * note.font.size * (high - low) / (480 - 2 * figure.layout.margin.l)
    bottom, top = (100, 100 + 20 * per_pixel) if note.yanchor == "bottom" else (100 - 20 * per_pixel, 100)
    for trace in figure.data:
        there = [y for x, y in zip(trace.x, trace.y, strict=True) if left - 8 <= x <= left + wide + 8]
        assert there
        assert min(there) > top or max(there) < bottom, f"{trace.hovertext[0]} runs through it"
    assert left + wide <= 256


def test_in_grey_every_name_has_the_dash_and_the_sign_of_its_curve_before_it() -> None:
    figure = drawn(THREE, GREY)
    signs = [note.text for note in figure.layout.annotations if note.text in IN_GREY.values()]
    assert signs == [IN_GREY[trace.marker.symbol] for trace in figure.data]
    assert len(set(signs)) == 3
    samples = [shape.line.dash for shape in figure.layout.shapes]
    assert samples == [trace.line.dash for trace in figure.data]
    in_light = drawn(THREE)
    assert figure.layout.margin.r > in_light.layout.margin.r
    assert not in_light.layout.shapes
    assert not set(IN_GREY.values()) & {note.text for note in in_light.layout.annotations}
