"""The figure of head scores: every value in the tile of its head and score, and a click finds both again."""

import itertools
import re

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose

from viz.head_scores import head_at, head_scores, scored
from viz.text import em_width
from viz.theme import DARK, LIGHT, Theme

SCORES = ("previous word", "subject", "focus", "<b>first</b>", "same word")
MEANINGS = {name: f"the share on {name}" for name in SCORES}
EXTENTS = [(1, 1), (2, 3), (2, 8), (3, 5), (6, 8), (7, 13)]
EACH = pytest.mark.parametrize("extent", EXTENTS, ids=str)


def table_of(n_layers: int, n_heads: int) -> pd.DataFrame:
    """A different value in every row, and in an order that is not that of the figure."""
    keys = list(itertools.product(SCORES, range(1, n_layers + 1), range(1, n_heads + 1)))
    rows = [
        {"layer": layer, "head": head, "score": score, "value": (1 + at) / (len(keys) + 1)}
        for at, (score, layer, head) in enumerate(keys)
    ]
    chance = {score: 0.1 + 0.05 * at for at, score in enumerate(SCORES)}
    table = pd.DataFrame(rows)
    return table.assign(baseline=table["score"].map(chance), places=table["score"].map(len))


def figure_of(extent: tuple[int, int], **look: object) -> go.Figure:
    return head_scores(table_of(*extent), MEANINGS, theme=LIGHT, **look)


@EACH
def test_a_click_on_a_tile_finds_the_head_and_the_score_whose_value_it_shows(extent: tuple[int, int]) -> None:
    table = table_of(*extent)
    values = head_scores(table, MEANINGS, theme=LIGHT).data[0].z
    expected = table.set_index(["layer", "head", "score"])["value"].to_dict()
    found = set()
    for row, column in np.argwhere(~np.isnan(values)):
        tile = head_at(column, row, table=table)
        if tile is None:
            assert column == values.shape[1] - 1
            continue
        layer, head, score = tile
        assert values[row, column] == pytest.approx(expected[layer + 1, head + 1, score], rel=1e-6)
        found.add(tile)
    assert len(found) == len(table)


@EACH
def test_the_last_column_is_that_of_equal_weights(extent: tuple[int, int]) -> None:
    values = figure_of(extent).data[0].z

    assert_allclose(values[:, -1], [0.1, 0.15, 0.2, 0.25, 0.3], rtol=1e-6)


@EACH
def test_a_click_beside_the_heads_finds_none(extent: tuple[int, int]) -> None:
    table, (n_layers, n_heads) = table_of(*extent), extent
    last = n_layers * (n_heads + 1)

    for x, y in [(n_heads, 0), (last, 0), (last - 1, 0), (-1, 0), (0, -1), (0, len(SCORES))]:
        assert head_at(x, y, table=table) is None


def test_colours_always_run_from_zero_to_one_in_one_trace() -> None:
    (trace,) = figure_of((2, 3)).data

    assert (trace.zmin, trace.zmax) == (0, 1)
    assert trace.colorscale == LIGHT.sequential


@EACH
@pytest.mark.parametrize("size", [520, 640, 980])
def test_the_figure_keeps_to_its_size(extent: tuple[int, int], size: int) -> None:
    assert figure_of(extent, size=size).layout.width <= size


@EACH
def test_tiles_too_small_for_digits_have_a_colour_bar_instead(extent: tuple[int, int]) -> None:
    (trace,) = figure_of(extent).data

    assert trace.showscale == (trace.text is None)
    assert (trace.text is None) == (extent in [(6, 8), (7, 13)])


def test_the_chosen_head_is_framed_over_all_its_scores() -> None:
    layout = figure_of((2, 3), selected=(1, 2)).layout
    (frame,) = layout.shapes
    inside = [column for column in range(9) if frame.x0 < column < frame.x1]

    assert [head_at(column, 0, table=table_of(2, 3)) for column in inside] == [(1, 2, SCORES[0])]
    assert frame.y0 < 0 < len(SCORES) - 1 < frame.y1
    assert layout.xaxis.ticktext == ("1", "2", "3", "1", "2", "<b>3</b>")


def test_a_head_that_does_not_exist_cannot_be_framed() -> None:
    with pytest.raises(ValueError, match=re.escape("(layer, head) below (2, 3), got (2, 0)")):
        figure_of((2, 3), selected=(2, 0))


@pytest.mark.parametrize(
    ("extent", "size", "first"),
    [((2, 3), 980, "layer 1 · head"), ((12, 12), 980, "layer 1"), ((12, 12), 560, "1"), ((24, 5), 980, "1")],
)
def test_the_names_of_layers_are_as_long_as_there_is_room(
    extent: tuple[int, int], size: int, first: str
) -> None:
    layout = figure_of(extent, size=size).layout
    names = [note for note in layout.annotations if note.xanchor == "center"]
    assert names[0].text == first
    assert len(names) == extent[0]
    room = np.diff([note.x for note in names]) * layout.width
    assert all(7 * len(note.text) < width for note, width in zip(names[1:], room, strict=True))
    beside = [note.text for note in layout.annotations if note.xanchor == "right"]
    assert beside == (["layer", "head"] if first == "1" else [])


@EACH
def test_scores_stand_from_top_to_bottom_and_heads_below_their_layer(extent: tuple[int, int]) -> None:
    layout, table = figure_of(extent).layout, table_of(*extent)
    bottom, top = layout.yaxis.range

    assert bottom > top
    assert layout.yaxis.ticktext[0] == "previous word"
    for column, label in zip(layout.xaxis.tickvals, layout.xaxis.ticktext, strict=True):
        tile = head_at(column, 0, table=table)
        assert tile is not None
        assert label == str(tile[1] + 1)
    named = [note.text for note in layout.annotations if note.text.startswith("layer")]
    assert [name.split(" ·")[0] for name in named] == [f"layer {at + 1}" for at in range(extent[0])]


def test_a_hover_says_whose_a_tile_is_what_it_measures_and_what_chance_gives() -> None:
    hovers = figure_of((2, 3)).data[0].hovertext

    assert hovers[1][6] == (
        "layer 2, head 3 · <b>subject</b> 0.39<br>the share on subject<br>equal weights 0.15, over 7 words"
    )
    assert hovers[1][8] == "<b>subject</b>: the share on subject<br>equal weights 0.15, over 7 words"
    assert hovers[1][3] == hovers[1][7] == ""


def test_names_are_shown_as_the_characters_they_are() -> None:
    figure = figure_of((1, 2))

    assert figure.layout.yaxis.ticktext[3] == "&lt;b&gt;first&lt;/b&gt;"
    assert figure.data[0].hovertext[3][0].startswith("layer 1, head 1 · <b>&lt;b&gt;first&lt;/b&gt;</b>")
    assert "the share on &lt;b&gt;first&lt;/b&gt;" in figure.data[0].hovertext[3][0]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_digits_can_be_read_on_their_tiles(theme: Theme) -> None:
    """Dark digits on light tiles and light ones on dark tiles, whichever theme."""
    (trace,) = head_scores(table_of(2, 3), MEANINGS, theme=theme).data
    inks = {text[19:26] for row in trace.text for text in row if text}

    assert inks == {"#000000", "#FFFFFF"}


def test_the_description_names_the_highest_head_of_each_score() -> None:
    text = scored(table_of(2, 3), MEANINGS, theme=LIGHT).alt

    assert text.startswith("Scores of 2 layers with 3 heads each. Highest of each")
    assert "subject: layer 2, head 3, 0.39 (0.15)" in text
    assert text.count(";") == len(SCORES) - 1


@EACH
def test_every_head_is_numbered_in_numbers_that_do_not_touch(extent: tuple[int, int]) -> None:
    layout = figure_of(extent).layout
    across, axis = layout.xaxis.domain, layout.xaxis
    cell = layout.width * (across[1] - across[0]) / (axis.range[1] - axis.range[0])
    turned, size = axis.tickangle == -90, axis.tickfont.size
    widest = size if turned else em_width(str(extent[1])) * size
    assert size >= 10
    assert np.diff(axis.tickvals).min(initial=99) * cell >= widest
    assert len(axis.tickvals) == extent[0] * extent[1] or cell < 10


def test_heads_in_very_narrow_columns_are_numbered_now_and_then() -> None:
    layout = figure_of((12, 12)).layout
    assert [int(label) for label in layout.xaxis.ticktext[:6]] == [1, 3, 5, 7, 9, 11]
