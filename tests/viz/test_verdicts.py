"""The grid of verdicts shows for every setting and word what was measured, and nothing else."""

from itertools import pairwise, product

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from tests.covering import each
from viz.text import em_width
from viz.theme import DARK, LIGHT, Theme
from viz.verdicts import verdict_grid

WORDS = ["the", "oven", "cooked", "the", "bread"]
MASKS, POSITIONS, DEPTHS = ("bidirectional", "causal"), ("none", "learned", "sinusoidal"), (1, 2)
BOTH_THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
MANY = pytest.mark.parametrize("n", [1, 2, 6, 13, 20])


def measured(n: int = 5, seed: int = 0) -> pd.DataFrame:
    """A verdict for every setting and word; about every third one is the same."""
    rng = np.random.default_rng(seed)
    words = (WORDS * n)[:n]
    settings = product(MASKS, POSITIONS, DEPTHS, range(n))
    rows = [(mask, scheme, depth, at, words[at], rng.random() < 0.35) for mask, scheme, depth, at in settings]
    table = pd.DataFrame(rows, columns=["mask", "positions", "layers", "place", "word", "same"])
    differing = rng.uniform(0.01, 3, len(table))
    return table.assign(difference=np.where(table["same"], 7e-16, differing))


def drawn(table: pd.DataFrame, chosen: int = 0, theme: Theme = LIGHT) -> go.Figure:
    return verdict_grid(table, chosen=chosen, theme=theme).figure


def place_of(table: pd.DataFrame, number: int) -> int:
    """The position of the word of the row that a click reports."""
    return int(table["place"].iloc[number])


def heatmap(figure: go.Figure) -> go.Heatmap:
    _, found = [trace for trace in figure.data if trace.type == "heatmap"]
    return found


def texts(figure: go.Figure) -> list[go.Scatter]:
    return [trace for trace in figure.data if trace.type == "scatter" and trace.mode == "text"]


def setting(x: float, y: float) -> tuple[str, str, int]:
    """Mask, positions and depth of whatever stands at these coordinates."""
    mask, depth = list(product(MASKS, DEPTHS))[round(y)]
    return mask, POSITIONS[round(x)], depth


def tiles(figure: go.Figure, table: pd.DataFrame) -> dict[tuple[str, str, int, int], tuple[float, str]]:
    """What each tile shows and says, by its setting and by the place that a click on it reports."""
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


def test_the_order_of_the_rows_of_the_table_within_a_setting_does_not_matter() -> None:
    table = measured(6)
    settings = ["mask", "positions", "layers"]
    backwards = table.sort_values("place", ascending=False, kind="stable")
    backwards = backwards.sort_values(settings, kind="stable")
    forwards = table.sort_values(settings, kind="stable")
    assert tiles(drawn(backwards), backwards) == tiles(drawn(forwards), forwards)


@BOTH_THEMES
def test_dark_and_light_are_the_ink_and_the_line_of_the_theme(theme: Theme) -> None:
    cells = heatmap(drawn(measured(), theme=theme))
    assert (cells.zmin, cells.zmax) == (0, 1)
    assert cells.colorscale == ((0, theme.line), (1, theme.ink))


@MANY
def test_tiles_stand_in_the_order_of_the_words_in_the_middle_of_their_setting(n: int) -> None:
    table = measured(n)
    cells = heatmap(drawn(table))
    assert len(cells.x) == cells.z.shape[1] + 1
    assert len(cells.y) == cells.z.shape[0] + 1
    for column in range(3):
        own = slice(column * (n + 1), column * (n + 1) + n)
        assert [place_of(table, number) for number in cells.customdata[0, own]] == list(range(n))
        first, last = cells.x[own.start], cells.x[own.stop]
        assert (first + last) / 2 == pytest.approx(column)
        assert last - first <= 0.9 + 1e-9


def test_a_gap_between_settings_answers_nothing() -> None:
    cells = heatmap(drawn(measured()))
    assert cells.hoverongaps is False
    assert np.isnan(cells.z[1]).all()
    assert np.isnan(cells.z[:, 5]).all()


def test_a_hover_names_the_word_its_verdict_and_the_difference() -> None:
    table = measured()
    shown = tiles(drawn(table), table)
    for row in table.itertuples():
        _, hover = shown[row.mask, row.positions, row.layers, row.place]
        name = {0: "the (1)", 3: "the (4)"}.get(row.place, row.word)
        verdict = "same, difference 7·10⁻¹⁶" if row.same else f"differs, difference {row.difference:.2f}"
        assert hover == f"{name}: {verdict}"


@MANY
def test_the_chosen_word_is_framed_in_every_setting(n: int) -> None:
    chosen, table = n // 2, measured(n)
    figure = drawn(table, chosen)
    (frames,) = [trace for trace in figure.data if trace.type == "scatter" and trace.mode == "lines"]
    corners = np.stack([frames.x, frames.y], axis=-1).reshape(-1, 6, 2)[:, :4]
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


@pytest.mark.parametrize("n", [5, 30])
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


@each("at", [("causal", "learned", 2), ("bidirectional", "none", 1)])
def test_the_cell_of_the_setting_is_framed_if_the_grid_has_it(at: tuple[str, str, int]) -> None:
    def frames(chosen: tuple[str, str, int] | None) -> list[go.layout.Shape]:
        figure = verdict_grid(measured(), chosen=0, theme=LIGHT, setting=chosen).figure
        return [shape for shape in figure.layout.shapes if shape.type == "rect"]

    (frame,) = frames(at)
    assert setting((frame.x0 + frame.x1) / 2, (frame.y0 + frame.y1) / 2) == at
    assert frames(None) == frames(("causal", "learned", 3)) == []


@pytest.mark.parametrize("n", [21, 30, 256])
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


def test_settings_are_named_above_and_at_the_left() -> None:
    notes = drawn(measured()).layout.annotations
    above = {note.text: note.x for note in notes if note.yref == "paper" and note.xref is None}
    beside = {note.text: note.y for note in notes if note.xref == "paper" and note.yref is None}
    assert above == {"none": 0, "learned": 1, "sinusoidal": 2}
    assert beside == {
        "bidirectional<br>1 layer": 0,
        "bidirectional<br>2 layers": 1,
        "causal<br>1 layer": 2,
        "causal<br>2 layers": 3,
    }


def test_the_first_row_is_on_top_and_lines_divide_the_rows() -> None:
    figure = drawn(measured())
    assert figure.layout.yaxis.range == (3.5, -0.5)
    assert [(line.y0, line.y1) for line in figure.layout.shapes] == [(0.5, 0.5), (1.5, 1.5), (2.5, 2.5)]


@pytest.mark.parametrize("n", [5, 256])
def test_texts_do_not_touch_their_neighbours_in_a_narrow_column(n: int) -> None:
    schemes = ("none", "learned", "sinusoidal", "alibi", "rotary")
    settings = list(product(MASKS, schemes, DEPTHS, range(n)))
    table = pd.DataFrame(settings, columns=["mask", "positions", "layers", "place"])
    figure = drawn(table.assign(word="so", same=True, difference=7e-16))
    column = (480 - figure.layout.margin.l - figure.layout.margin.r) / 5
    for trace in texts(figure):
        sizes = np.broadcast_to(trace.textfont.size, len(trace.text))
        for text, size in zip(trace.text, sizes, strict=True):
            # The estimate is for Arial, a tenth wider than the type of the figures.
            assert em_width(text.replace("<b>", "").replace("</b>", "")) * size * 0.9 <= column
    height = 46
    lines = sorted({(round(y % 1 * height), size) for t in texts(figure) for y, size in _lines(t)})
    assert all(b - a >= size for (a, size), (b, _) in pairwise(lines))


def _lines(trace: go.Scatter) -> list[tuple[float, float]]:
    sizes = np.broadcast_to(trace.textfont.size, len(trace.text))
    return list(zip((np.array(trace.y) + 0.5).tolist(), sizes.tolist(), strict=True))


def test_a_legend_says_what_the_signs_mean_and_which_word_is_judged() -> None:
    few, many = (drawn(measured(n), 1).layout.annotations[-1].text for n in (5, 30))
    for meaning in (
        "same output in both orders",
        "differs",
        "<b>oven</b>",
        LIGHT.ink,
        LIGHT.line,
        LIGHT.selection,
    ):
        assert meaning in few
    assert "words with the same output" in many
    assert "<b>oven</b>" in many


def test_a_description_lists_the_settings_in_which_the_word_is_the_same() -> None:
    table = measured().assign(same=False)
    table.loc[
        (table["place"] == 3) & (table["mask"] == "causal") & (table["positions"] == "none"), "same"
    ] = True
    assert verdict_grid(table, chosen=3, theme=LIGHT).alt == (
        "The word the (4) gets the same output in both orders in 2 of 12 settings: "
        "causal, none positions, 1 layer; causal, none positions, 2 layers."
    )
    assert verdict_grid(table, chosen=1, theme=LIGHT).alt == (
        "The word oven gets the same output in both orders in 0 of 12 settings."
    )
