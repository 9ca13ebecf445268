"""The grid of verdicts shows the measured verdict of every setting and word, and nothing else."""

from itertools import product

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from tests.covering import each
from viz.room import Room
from viz.theme import LIGHT
from viz.verdicts import Verdicts

WORDS = ["the", "oven", "cooked", "the", "bread"]
MASKS, POSITIONS, DEPTHS = ("bidirectional", "causal"), ("none", "learned", "sinusoidal"), (1, 2)
PAGE = Room(width=980, height=390)
MANY = each("n", [1, 6, 20])


def measured(n: int = 5, seed: int = 0) -> pd.DataFrame:
    """Return a verdict for every setting and word; about every third one is the same."""
    rng = np.random.default_rng(seed)
    words = (WORDS * n)[:n]
    settings = product(MASKS, POSITIONS, DEPTHS, range(n))
    rows = [(mask, scheme, depth, at, words[at], rng.random() < 0.35) for mask, scheme, depth, at in settings]
    table = pd.DataFrame(rows, columns=["mask", "positions", "layers", "place", "word", "same"])
    differing = rng.uniform(0.01, 3, len(table))
    return table.assign(difference=np.where(table["same"], 7e-16, differing))


def drawn(table: pd.DataFrame, chosen: int = 0, room: Room = PAGE) -> go.Figure:
    return Verdicts.of(table, chosen).figure(room)


def place_of(table: pd.DataFrame, number: int) -> int:
    """Return the position of the word of the row that a click reports."""
    return int(table["place"].iloc[number])


def heatmap(figure: go.Figure) -> go.Heatmap:
    _, found = [trace for trace in figure.data if trace.type == "heatmap"]
    return found


def texts(figure: go.Figure) -> list[go.Scatter]:
    return [trace for trace in figure.data if trace.type == "scatter" and trace.mode == "text"]


def setting(x: float, y: float) -> tuple[str, str, int]:
    """Return mask, positions and depth at these coordinates."""
    mask, depth = list(product(MASKS, DEPTHS))[round(y)]
    return mask, POSITIONS[round(x)], depth


def tiles(figure: go.Figure, table: pd.DataFrame) -> dict[tuple[str, str, int, int], tuple[float, str]]:
    """Return the text of each tile, by its setting and by the place that a click on it reports."""
    cells = heatmap(figure)
    across, down = ((edges[1:] + edges[:-1]) / 2 for edges in (np.array(cells.x), np.array(cells.y)))
    return {
        (*setting(across[column], down[row]), place_of(table, cells.customdata[row, column])): (
            float(cells.z[row, column]),
            cells.hovertext[row][column],
        )
        for row, column in np.argwhere(~np.isnan(cells.z))
    }


@MANY
def test_a_tile_is_dark_exactly_where_its_word_came_out_the_same(n: int) -> None:
    table = measured(n)
    expected = {(r.mask, r.positions, r.layers, r.place): float(r.same) for r in table.itertuples()}
    assert {at: shown for at, (shown, _) in tiles(drawn(table), table).items()} == expected


@MANY
def test_the_chosen_word_is_framed_in_every_setting(n: int) -> None:
    chosen, table = n // 2, measured(n)
    figure = drawn(table, chosen)
    (frames,) = [trace for trace in figure.data if trace.type == "scatter" and trace.mode == "lines"]
    corners = np.stack([frames.x, frames.y], axis=-1).reshape(-1, 7, 2)[:, 1:5]
    cells = heatmap(figure)
    assert len(corners) == 12
    for (left, top), (right, bottom) in zip(corners.min(axis=1), corners.max(axis=1), strict=True):
        inside = (cells.x[:-1] > left - 1e-6) & (cells.x[1:] < right + 1e-6)
        row = 2 * round((top + bottom) / 2)
        (column,) = np.flatnonzero(inside)
        assert place_of(table, cells.customdata[row, column]) == chosen
        assert top < cells.y[row] < cells.y[row + 1] < bottom
    assert frames.line.color == LIGHT.selection
    assert frames.hoverinfo == "skip"


@each("n", [5, 30])
def test_below_stands_the_verdict_on_the_chosen_word(n: int) -> None:
    table, chosen = measured(n), 3
    verdicts = texts(drawn(table, chosen))[-1]
    shown = {
        setting(x, y): (text, ink)
        for x, y, text, ink in zip(
            verdicts.x, verdicts.y, verdicts.text, verdicts.textfont.color, strict=True
        )
    }
    assert len(shown) == 12
    for row in table[table["place"] == chosen].itertuples():
        expected = ("<b>same</b>", LIGHT.ink) if row.same else ("differs", LIGHT.muted)
        assert shown[row.mask, row.positions, row.layers] == expected


@each("n", [21, 256])
def test_many_words_are_counted_instead_of_drawn(n: int) -> None:
    table = measured(n)
    figure = drawn(table)
    counts, _ = texts(figure)
    assert len(figure.data) == 3
    shown = {setting(x, y): text for x, y, text in zip(counts.x, counts.y, counts.text, strict=True)}
    agreeing = table.groupby(["mask", "positions", "layers"])["same"].sum()
    assert shown == {at: f"{agreeing[at]} of {n}" for at in product(MASKS, POSITIONS, DEPTHS)}


@each(("n", "chosen"), [(5, 3), (30, 7)])
def test_a_click_beside_the_tiles_reports_the_chosen_word_in_the_setting(n: int, chosen: int) -> None:
    table = measured(n)
    ground = drawn(table, chosen).data[0]
    assert set(dict(ground.colorscale).values()) == {"rgba(0,0,0,0)"}
    for (y, x), number in np.ndenumerate(np.array(ground.customdata)):
        row = table.iloc[number]
        assert (row["mask"], row["positions"], row["layers"], row["place"]) == (*setting(x, y), chosen)


@each(("width", "texts_shown"), [(980, {"<b>same</b>", "differs"}), (240, {"<b>=</b>", "≠"})])
def test_verdicts_are_signs_where_words_have_no_room(width: int, texts_shown: set[str]) -> None:
    figure = drawn(measured(), room=Room(width=width))
    assert set(texts(figure)[-1].text) == texts_shown
    legend = " ".join(note.text for note in figure.layout.annotations)
    assert ("≠" in legend) == ("≠" in texts_shown), "the legend explains the signs that are used"


@each("n", [2, 6, 13])
def test_tiles_are_square_on_a_page(n: int) -> None:
    figure = drawn(measured(n))
    cells, layout = heatmap(figure), figure.layout
    pixels = [
        side * np.ptp(axis.domain) / np.ptp(axis.range)
        for side, axis in ((layout.width, layout.xaxis), (layout.height, layout.yaxis))
    ]
    width, height = (float(ends[1] - ends[0]) for ends in (cells.x, cells.y))
    assert width * pixels[0] == pytest.approx(height * pixels[1], rel=0.01)


def test_a_file_does_not_frame_the_setting_of_the_page() -> None:
    table, setting = measured(1), ("causal", "none", 1)
    rectangles = [
        sum(shape.type == "rect" for shape in Verdicts.of(table, 0, setting).figure(room).layout.shapes)
        for room in (PAGE, Room(medium="print"))
    ]
    assert rectangles == [1, 0]
