"""The figure of head scores: every value in the tile of its head and score, and a click finds both again."""

import itertools

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from viz.head_scores import head_at, head_scores
from viz.theme import LIGHT

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
def test_a_click_beside_the_heads_finds_none(extent: tuple[int, int]) -> None:
    table, (n_layers, n_heads) = table_of(*extent), extent
    last = n_layers * (n_heads + 1)

    for x, y in [(n_heads, 0), (last, 0), (last - 1, 0), (-1, 0), (0, -1), (0, len(SCORES))]:
        assert head_at(x, y, table=table) is None


def test_the_chosen_head_is_framed_over_all_its_scores() -> None:
    layout = figure_of((2, 3), selected=(1, 2)).layout
    (frame,) = layout.shapes
    inside = [column for column in range(9) if frame.x0 < column < frame.x1]

    assert [head_at(column, 0, table=table_of(2, 3)) for column in inside] == [(1, 2, SCORES[0])]
    assert frame.y0 < 0 < len(SCORES) - 1 < frame.y1
    assert layout.xaxis.ticktext == ("1", "2", "3", "1", "2", "<b>3</b>")
