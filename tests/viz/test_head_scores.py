"""The figure of head scores: every value in the tile of its head and score, and a click finds both again."""

import itertools
import re

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from tests.covering import each
from viz.head_scores import HeadScores
from viz.room import Room

SCORES = ("previous word", "subject", "focus", "<b>first</b>", "same word")
MEANINGS = {name: f"the share on {name}" for name in SCORES}
EXTENTS = [(1, 1), (2, 8), (7, 13)]
EACH = each("extent", EXTENTS)
PAGE, TELEPHONE = Room(width=980, height=390), Room(width=330, height=514)


def table_of(n_layers: int, n_heads: int) -> pd.DataFrame:
    """Return a different value for every row, in another order than the figure's."""
    keys = list(itertools.product(SCORES, range(1, n_layers + 1), range(1, n_heads + 1)))
    rows = [
        {"layer": layer, "head": head, "score": score, "value": (1 + at) / (len(keys) + 1)}
        for at, (score, layer, head) in enumerate(keys)
    ]
    chance = {score: 0.1 + 0.05 * at for at, score in enumerate(SCORES)}
    table = pd.DataFrame(rows)
    return table.assign(baseline=table["score"].map(chance), places=table["score"].map(len))


def figure_of(extent: tuple[int, int], room: Room = PAGE, **look: object) -> go.Figure:
    return HeadScores(title="S", scores=table_of(*extent), meanings=MEANINGS, **look).figure(room)  # type: ignore[arg-type]


def is_turned(figure: go.Figure) -> bool:
    """Return whether each head has a row."""
    return "subject" in figure.layout.xaxis.ticktext


@EACH
@each("room", [PAGE, TELEPHONE])
def test_a_click_on_a_tile_reports_its_line_of_the_table(extent: tuple[int, int], room: Room) -> None:
    table, (tiles,) = table_of(*extent), figure_of(extent, room).data
    lines = np.array(tiles.customdata)
    shown = lines >= 0
    np.testing.assert_allclose(tiles.z[shown], table["value"].to_numpy()[lines[shown]], rtol=1e-6)
    assert sorted(lines[shown]) == list(range(len(table)))
    beside = np.isfinite(tiles.z) & ~shown
    np.testing.assert_allclose(np.sort(tiles.z[beside]), sorted(set(table["baseline"])), rtol=1e-6)


def test_few_heads_have_a_row_each_where_their_columns_have_no_room_for_digits() -> None:
    assert not is_turned(figure_of((2, 4)))
    assert not is_turned(figure_of((6, 12), TELEPHONE))
    figure = figure_of((2, 4), TELEPHONE)
    assert is_turned(figure)
    (tiles,) = figure.data
    assert tiles.texttemplate
    assert not tiles.showscale
    heads = [f"head {at}" for at in range(1, 5)]
    named = ["layer 1", *heads, "layer 2", *heads, "equal", "weights"]
    assert list(figure.layout.yaxis.ticktext) == named


@each(("extent", "room"), [((6, 12), PAGE), ((6, 12), TELEPHONE), ((30, 9), PAGE)])
def test_tiles_without_digits_have_a_colour_bar_with_a_name(extent: tuple[int, int], room: Room) -> None:
    figure = figure_of(extent, room)
    (tiles,) = figure.data
    assert not is_turned(figure)
    assert tiles.texttemplate is None
    assert tiles.showscale
    assert tuple(tiles.colorbar.ticktext) == ("0", "1")
    assert "score" in [note.text for note in figure.layout.annotations]
    assert figure.layout.height <= max(room.height or 0, 1.3 * room.width)


@each(
    ("extent", "room", "numbered"), [((2, 4), PAGE, [1, 2, 3, 4]), ((6, 12), PAGE, None), ((30, 9), PAGE, [])]
)
def test_numbers_of_heads_are_there_or_their_number_in_a_layer(
    extent: tuple[int, int], room: Room, numbered: list[int] | None
) -> None:
    """One number in five, turned and as close as letters, was a row of ticks."""
    figure = figure_of(extent, room)
    found = [int(name) for name in figure.layout.xaxis.ticktext]
    assert found if numbered is None else found == numbered * extent[0]
    notes = [note.text for note in figure.layout.annotations]
    assert ("head" in notes) == bool(found)
    assert (f"{extent[1]} heads each" in notes) == (not found)


@each(("room", "corner"), [(PAGE, "x"), (TELEPHONE, "y")])
def test_the_chosen_head_is_framed_over_all_its_scores(room: Room, corner: str) -> None:
    figure = figure_of((2, 4), room, selected=(1, 2))
    (frame,) = figure.layout.shapes
    (tiles,) = figure.data
    inside = [at for at in range(12) if frame[f"{corner}0"] < at < frame[f"{corner}1"]]
    lines = np.take(np.array(tiles.customdata), inside, axis=1 if corner == "x" else 0).ravel()
    framed = table_of(2, 4).iloc[lines]
    assert set(zip(framed["layer"], framed["head"], strict=True)) == {(2, 3)}
    assert set(framed["score"]) == set(SCORES)
    names = figure.layout.yaxis.ticktext if corner == "y" else figure.layout.xaxis.ticktext
    (bold,) = [name for name in names if "<b>" in name and "first" not in name]
    assert re.sub("<[^<>]*>", "", bold) == ("head 3" if corner == "y" else "3")
    assert not figure_of((2, 4), Room(width=509, medium="print"), selected=(1, 2)).layout.shapes


@each("room", [PAGE, TELEPHONE])
def test_a_marked_score_is_framed_alone(room: Room) -> None:
    figure = figure_of((2, 4), room, selected=(1, 2), marked=SCORES[1])
    (frame,) = figure.layout.shapes
    assert (frame.x1 - frame.x0, frame.y1 - frame.y0) == (1, 1)
    (tiles,) = figure.data
    y, x = round((frame.y0 + frame.y1) / 2), round((frame.x0 + frame.x1) / 2)
    framed = table_of(2, 4).iloc[tiles.customdata[y][x]]
    assert (framed["layer"], framed["head"], framed["score"]) == (2, 3, SCORES[1])
