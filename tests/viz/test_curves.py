"""Curves are named where they end, never by two names in one place, and each looks different."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from tests.covering import each
from viz.curves import Log, curves, describe_curves
from viz.parts.line_looks import IN_GREY
from viz.text import em_width
from viz.theme import GREY, LIGHT, Theme

EVEN = {at: str(at) for at in (0, 64, 128, 192, 256)}


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


def test_names_that_would_touch_stand_around_the_ends_of_their_curves() -> None:
    def placed(rnn: float, lstm: float) -> dict[str, float]:
        return heights(drawn(table(RNN=(256, rnn), LSTM=(256, lstm), self_attention=(256, 240))))

    apart, near, lowest = placed(0, 160), placed(160, 160), placed(0, 0)
    assert (near["RNN"] + near["LSTM"]) / 2 == pytest.approx(apart["LSTM"])
    assert abs(near["RNN"] - near["LSTM"]) == pytest.approx(22)
    assert near["self-attention"] == pytest.approx(apart["self-attention"]), "it touches none"
    assert min(lowest.values()) == pytest.approx(apart["RNN"]), "no name stands below the axes"


@pytest.mark.parametrize(("log", "at"), [(False, 13), (True, np.log10(13))])
def test_a_mark_stands_at_the_sentence(log: bool, at: float) -> None:
    ticks = {1: "1", 256: "256"}
    figure = drawn(THREE, x_ticks=ticks, y_ticks=ticks, log=log, mark=13)
    (line,) = figure.layout.shapes
    assert (line.x0, line.x1, line.y0, line.y1, line.yref) == (13, 13, 0, 1, "paper")
    (note,) = [note for note in figure.layout.annotations if note.text == "this sentence"]
    assert note.x == pytest.approx(at)


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


def test_a_wide_figure_has_room_for_more_ticks() -> None:
    spans = {float(n): f"{n}–{n + 1} words" for n in range(1, 7)}
    rows = pd.DataFrame([("RNN", n, n) for n in spans], columns=["network", "words", "operations"])
    written = [drawn(rows, x_ticks=spans, width=width).layout.xaxis.ticktext for width in (480, 1000)]
    assert len(written[0]) < len(spans) == len(written[1])


def samples(figure: go.Figure) -> list[go.layout.Shape]:
    """The pieces of dashes before the names."""
    return [one for one in figure.layout.shapes if one.xsizemode == "pixel"]


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


@pytest.mark.parametrize("narrow", [False, True])
def test_the_name_of_a_level_without_a_free_place_stands_above_the_axes(narrow: bool) -> None:
    """Two curves run so close to the line that the name has no place at it."""
    close = table(RNN=(256, 110), LSTM=(256, 90))
    close.loc[close["words"] == 8, "operations"] *= 2
    look = {"narrow": narrow, "level": (100, "word frequencies <i>")}
    free, taken = drawn(close, narrow=narrow).layout, drawn(close, **look).layout
    (note,) = [one for one in taken.annotations if one.text == "word frequencies &lt;i&gt;"]
    assert (note.y, note.yref, note.font.color) == (1, "paper", LIGHT.muted)
    assert note.yshift + 11 <= taken.margin.t
    others = [one.yshift for one in taken.annotations if one.yref == "paper" and one != note]
    assert all(abs(note.yshift - other) >= 22 for other in others)
    assert (taken.margin.t - free.margin.t, taken.height - free.height) == (22, 22)
    assert [one.line.dash for one in taken.shapes if one.xsizemode == "pixel"][-1] == "dot"


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
