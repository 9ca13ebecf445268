"""Curves are named at their ends, never with two names in one place, and each looks different."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.covering import each
from viz.curves import Curves, Log
from viz.layout.line_looks import IN_GREY
from viz.room import Room
from viz.text import em_width
from viz.theme import GREY, LIGHT, Role

ROOMS = {
    "page": Room(width=860, height=390),
    "column of a page": Room(width=415, height=390),
    "telephone": Room(width=350, height=410),
    "large": Room(width=731, height=358, fills=True, smallest_type=10.5),
    "half a large page": Room(width=352, height=358, fills=True, smallest_type=10.5),
    "column": Room(width=509, medium="print"),
    "grey": Room(width=509, medium="print", theme=GREY),
}
COLOURS: dict[str, Role] = {"RNN": "recurrence", "LSTM": "value", "self-attention": "attention"}


def rows(**ends: tuple[float, float]) -> pd.DataFrame:
    """Return two points per network, the last network first: at 8 words, and at its end."""
    points = [
        row
        for name, (words, value) in ends.items()
        for row in ((name.replace("_", "-"), words, value), (name.replace("_", "-"), 8, value / 2))
    ]
    return pd.DataFrame(points, columns=["network", "words", "operations"])


THREE = rows(RNN=(256, 100), LSTM=(256, 150), self_attention=(256, 30))


def picture(of: pd.DataFrame = THREE, **look: Any) -> Curves:
    fields = {"x": "words", "y": "operations", "by": "network", "colours": COLOURS, "title": "Operations"}
    return Curves(rows=of, **{**fields, "x_title": "words in it", "y_title": "operations", **look})


def layout(one: Curves, room: Room = ROOMS["page"]) -> dict[str, Any]:
    return one.figure(room).to_dict()["layout"]


def notes(one: Curves, room: Room = ROOMS["page"]) -> dict[str, dict[str, Any]]:
    """All notes of a figure but the upright title, each with its box in pixels from the upper left corner."""
    figure = layout(one, room)
    found = {}
    for note in figure["annotations"]:
        wide = 0.8 * em_width(note["text"].replace("<br>", " ")) * note["font"]["size"]
        high = note["font"]["size"] * (1 + note["text"].count("<br>"))
        left = note["x"] * figure["width"] - wide * {"left": 0, "center": 0.5, "right": 1}[note["xanchor"]]
        above = high * {"top": 0, "middle": 0.5, "bottom": 1}[note["yanchor"]]
        top = (1 - note["y"]) * figure["height"] - above
        if "textangle" not in note:
            found[note["text"]] = {**note, "box": (left, top, left + wide, top + high)}
    return found


def end(one: Curves, name: str, room: Room = ROOMS["page"]) -> float:
    """Pixels from the upper edge to the end of a curve."""
    figure = layout(one, room)
    low, high = figure["yaxis"]["range"]
    value = one.rows[one.rows["network"] == name].sort_values("words")["operations"].iloc[-1]
    value = np.log10(value) if figure["yaxis"]["type"] == "log" else value
    bottom, top = figure["yaxis"]["domain"]
    return figure["height"] * (1 - bottom - (value - low) / (high - low) * (top - bottom))


def test_a_curve_runs_through_its_own_points_in_order() -> None:
    for trace, (value, last) in zip(picture().figure().data, [(50, 100), (75, 150), (15, 30)], strict=True):
        np.testing.assert_array_equal(trace.x, [8, 256])
        np.testing.assert_array_equal(trace.y, [value, last])


@each("room", ROOMS)
@each("log", [False, True])
@each("ends", [(100, 101, 99), (1, 1, 1), (256, 256, 1), (9, 200, 9)])
def test_no_word_touches_another_or_leaves_the_figure(
    ends: tuple[float, float, float], log: Log, room: str
) -> None:
    data = rows(
        **{name: (256, last) for name, last in zip(("RNN", "LSTM", "self_attention"), ends, strict=True)}
    )
    one = picture(data, log=log, mark=64, mark_name="training ends here")
    found = notes(one, ROOMS[room])
    figure = layout(one, ROOMS[room])
    texts = {text: note for text, note in found.items() if text not in IN_GREY.values()}
    for first, second in combinations(texts.values(), 2):
        a, b = first["box"], second["box"]
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (first["text"], second["text"])
    for note in found.values():
        left, top, right, bottom = note["box"]
        assert left >= -1, note["text"]
        assert top >= -1, note["text"]
        assert right <= figure["width"] + 1, note["text"]
        assert bottom <= figure["height"] + 1, note["text"]


@each("log", [False, "y"])
@each("ends", [(100, 101, 99), (256, 256, 1), (30, 32, 36)])
def test_names_stand_beside_their_curves_in_the_order_of_the_ends_and_lines_lead_there(
    ends: tuple[float, float, float], log: Log
) -> None:
    names = ("RNN", "LSTM", "self-attention")
    one = picture(rows(RNN=(256, ends[0]), LSTM=(256, ends[1]), self_attention=(256, ends[2])), log=log)
    figure, found = layout(one), notes(one)
    heights = {name: (1 - found[name]["y"]) * figure["height"] for name in names}
    by_end = dict(zip(names, ends, strict=True))
    for first, second in combinations(names, 2):
        if by_end[first] > by_end[second]:
            assert heights[first] < heights[second]
    moved = [name for name in names if abs(heights[name] - end(one, name)) > 4]
    leading = [shape for shape in figure.get("shapes", []) if shape["line"]["width"] == 1]
    assert len(leading) == len(moved)
    for name in moved:
        colour = found[name]["font"]["color"]
        (line,) = [shape for shape in leading if shape["line"]["color"] == colour]
        assert (1 - line["y0"]) * figure["height"] == pytest.approx(end(one, name), abs=1)
        assert (1 - line["y1"]) * figure["height"] == pytest.approx(heights[name], abs=1)


def test_a_curve_that_ends_early_is_named_at_its_end_unless_another_runs_there() -> None:
    growing = rows(RNN=(100, 90), LSTM=(256, 30), self_attention=(256, 10))
    free, taken = notes(picture(growing))["RNN"], notes(picture(growing.replace({30: 130, 15: 65})))["RNN"]
    last = picture(growing).figure(ROOMS["page"]).layout.xaxis.domain[1]
    assert free["x"] < 0.6 * last
    assert taken["x"] > last


@pytest.mark.parametrize("log", [False, True])
def test_a_mark_stands_at_the_sentence_if_the_axis_reaches_it(log: bool) -> None:
    figure = layout(picture(log=log, mark=13))
    (line,) = [shape for shape in figure["shapes"] if shape["line"].get("dash") == "dot"]
    assert (line["x0"], line["x1"], line["y0"], line["y1"]) == (13, 13, 0, 1)
    assert "this sentence" in notes(picture(log=log, mark=13))
    assert "this sentence" not in notes(picture(log=log, mark=300))


@each(("x", "last"), [("words", "1 word"), ("words back", "1 word back"), ("step", "step 1")])
def test_counted_names_begin_with_the_number_and_numbered_ones_with_the_name(x: str, last: str) -> None:
    one = pd.DataFrame({"network": ["RNN"], x: [1], "operations": [20]})
    assert picture(one, x=x).alt() == f"Operations: RNN 20 at {last}."


def test_the_text_has_the_ends_of_curves_and_the_meaning_of_bars() -> None:
    data = THREE[THREE["network"] != "LSTM"].assign(low=1.0, high=200.0)
    one = picture(data, bars="one standard error")
    assert one.alt() == (
        "Operations: RNN from 50 at 8 to 100 at 256 words; self-attention from 15 at 8 to 30 at 256 words. "
        "Bars show one standard error."
    )
    assert picture(data.iloc[:0]).alt() == "Operations: nothing yet."


@each("log", [False, True])
@each("room", ["page", "telephone"])
def test_no_bar_is_cut_off(room: str, log: bool) -> None:
    data = THREE.assign(low=lambda table: table["operations"] / 9, high=lambda table: table["operations"] * 4)
    figure = picture(data, bars="the runs", log=log).figure(ROOMS[room])
    low, high = figure.layout.yaxis.range
    for trace in figure.data:
        ends = np.array([trace.y - trace.error_y.arrayminus, trace.y + trace.error_y.array])
        np.testing.assert_allclose(ends[0], np.array(trace.y) / 9)
        ends = np.log10(ends) if log else ends
        assert low < ends.min()
        assert ends.max() < high


@each("log", [False, True, "x", "y"])
@each("room", ["page", "telephone"])
def test_points_outside_the_axes_are_not_drawn(room: str, log: Log) -> None:
    data = pd.DataFrame(
        [
            ("RNN", 0, 5.0),
            ("RNN", 1, 0.0),
            ("RNN", 2, float("nan")),
            ("RNN", 3, float("inf")),
            ("RNN", 4, 7.0),
        ],
        columns=["network", "words", "operations"],
    )
    (trace,) = picture(data, log=log).figure(ROOMS[room]).data
    assert 4 in trace.x
    assert (0 in trace.x) == (log in (False, "y"))
    assert (0 in trace.y) == (log in (False, "x"))
    assert np.isfinite(trace.y).all()
    for few in (data.iloc[:0], data.iloc[4:]):
        assert layout(picture(few, log=log, mark=2, level=(2.0, "chance")), ROOMS[room])["annotations"]


GROUPS = {0: "1–2", 1: "3–5", 2: "6–10"}
GROUPED = pd.DataFrame(
    {"network": ["RNN"] * 3 + ["LSTM"] * 3, "words": [0, 1, 2] * 2, "operations": [90, 50, 20, 100, 70, 60]}
)


def test_a_named_place_of_the_axis_is_called_by_its_name_everywhere() -> None:
    one = picture(GROUPED, places=GROUPS)
    figure = one.figure()
    assert figure.data[0].hovertext[1] == "RNN: 50 at 3–5 words"
    assert list(figure.layout.xaxis.ticktext) == ["1–2", "3–5", "6–10"]
    assert one.alt() == (
        "Operations: RNN 90 at 1–2, 50 at 3–5, 20 at 6–10; LSTM 100 at 1–2, 70 at 3–5, 60 at 6–10."
    )


def test_names_without_room_beside_stand_above_the_axes_behind_samples() -> None:
    one = picture(mark=64)
    wide, narrow = (layout(one, ROOMS[room]) for room in ("page", "telephone"))
    above = [note for text, note in notes(one, ROOMS["telephone"]).items() if text in COLOURS]
    assert all(1 - note["y"] < 1 - narrow["yaxis"]["domain"][1] for note in above)
    assert len([shape for shape in narrow["shapes"] if shape["line"]["width"] == 3]) == 3
    assert not [shape for shape in wide["shapes"] if shape["line"]["width"] == 3]
    assert narrow["xaxis"]["domain"][1] > 0.9 > wide["xaxis"]["domain"][1]


@each("room", ROOMS)
def test_a_marked_point_is_on_its_curve_and_its_name_crosses_no_curve(room: str) -> None:
    bent = pd.DataFrame(
        [("RNN", at, at**2) for at in range(8, 257, 8)], columns=["network", "words", "operations"]
    )
    one = picture(bent, points=[(128, 128.0**2, "halfway")])
    figure, name = layout(one, ROOMS[room]), notes(one, ROOMS[room])["<b>halfway</b>"]
    (dot,) = [shape for shape in figure["shapes"] if shape["type"] == "circle"]
    places = [
        ends[0] + (value - low) / (high - low) * (ends[1] - ends[0])
        for value, axis in ((128, "xaxis"), (128**2, "yaxis"))
        for (low, high), ends in [(figure[axis]["range"], figure[axis]["domain"])]
    ]
    middle = [(dot["x0"] + dot["x1"]) / 2, (dot["y0"] + dot["y1"]) / 2]
    np.testing.assert_allclose(middle, places, atol=0.002)
    assert name["font"]["color"] == dot["fillcolor"] == ROOMS[room].theme.selection
    assert name["box"][3] < (1 - places[1]) * figure["height"], "a rising curve is below"
    right = name["x"] * figure["width"] + em_width("halfway") * name["font"]["size"]
    assert right < places[0] * figure["width"], "and on the right"
    assert "Marked: halfway." in one.alt()


def test_in_grey_every_name_has_the_dash_and_the_sign_of_its_curve_before_it() -> None:
    figure = picture().figure(Room(theme=GREY))
    signs = [note.text for note in figure.layout.annotations if note.text in IN_GREY.values()]
    assert sorted(signs) == sorted(IN_GREY[trace.marker.symbol] for trace in figure.data)
    assert len(set(signs)) == 3
    samples = [shape.line.dash for shape in figure.layout.shapes if shape.line.width == 3]
    assert sorted(samples) == sorted(trace.line.dash for trace in figure.data)
    in_light = picture().figure(Room(theme=LIGHT))
    assert not in_light.layout.shapes
    assert not set(IN_GREY.values()) & {note.text for note in in_light.layout.annotations}


@each("room", ["page", "column"])
def test_a_lone_curve_has_no_name_and_its_axis_takes_the_width(room: str) -> None:
    alone = picture(THREE[THREE["network"] == "RNN"], colours={"RNN": "recurrence"})
    figure = alone.figure(ROOMS[room])
    assert "RNN" not in [note.text for note in figure.layout.annotations]
    assert figure.layout.xaxis.domain[1] * figure.layout.width >= ROOMS[room].width - 30
    assert "RNN" in alone.alt()


@each(("is_choice", "colour"), [(True, LIGHT.selection), (False, LIGHT.muted)])
def test_only_a_mark_that_was_chosen_has_the_colour_of_a_choice(is_choice: bool, colour: str) -> None:
    one = replace(picture(mark=64, mark_name="training ends here"), mark_is_choice=is_choice)
    assert notes(one)["training ends here"]["font"]["color"] == colour
