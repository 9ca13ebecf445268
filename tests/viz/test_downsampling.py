"""A large matrix, downsampled, shows the largest of each block in place, and a click finds it."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.covering import each
from viz.layout.downsampling import MOST_BLOCKS, NEAR, cell_of, largest_of_blocks
from viz.matrices import Comparison, HeadMatrix, StagePanel, Stages
from viz.room import LEAST_TYPE, Room

LONG, SIZE = 1024, 560
PLAIN = 61
"""The number of words that a figure of the default size draws cell by cell; it has at most 64 blocks."""

MOST_BYTES = 2_000_000


def random_weights(n: int, seed: int = 0) -> NDArray[np.float32]:
    return np.random.default_rng(seed).random((n, n)).astype(np.float32)


def words_of(n: int) -> list[str]:
    return [f"word{at}." for at in range(n)]


def causal(n: int) -> NDArray[np.bool_]:
    return np.tril(np.ones((n, n), dtype=bool))


def head(pattern: NDArray[np.floating], **masked: Any) -> HeadMatrix:
    return HeadMatrix(pattern=pattern, words=words_of(len(pattern)), title="a head", **masked)


def drawn(n: int, size: int = SIZE) -> Any:
    return head(random_weights(n), allowed=causal(n)).figure(Room(width=size))


@each("shape", [(5, 7), (6, 6), (1, 11), (13, 4)])
@each("side", [1, 2, 3, 5])
def test_a_block_shows_its_largest_number_and_where_that_stands(shape: tuple[int, int], side: int) -> None:
    values = np.random.default_rng(1).standard_normal(shape)
    values[np.random.default_rng(2).random(shape) < 0.4] = np.nan
    largest, rows, columns = largest_of_blocks(values, side)
    for row in range(len(largest)):
        for column in range(largest.shape[1]):
            part = values[row * side : (row + 1) * side, column * side : (column + 1) * side]
            if np.isnan(part).all():
                assert np.isnan(largest[row, column])
                continue
            found = largest[row, column]
            assert abs(found) == np.nanmax(np.abs(part))
            assert values[rows[row, column], columns[row, column]] == found
            assert rows[row, column] // side == row
            assert columns[row, column] // side == column


def test_no_weight_is_averaged_away() -> None:
    pattern = np.zeros((LONG, LONG), dtype=np.float32)
    pattern[777, 333] = 1
    trace = head(pattern).figure(Room(width=SIZE)).data[0]
    assert float(trace.z.max()) == 1
    ((row, column),) = np.argwhere(trace.z == 1)
    assert cell_of(column, row, trace.customdata[row][column]) == (777, 333)
    assert "<b>word777.</b> (778) → key <b>word333.</b> (334): 1.00" in trace.hovertext[row][column]


def pixels_per_cell(figure: Any) -> float:
    x = figure.layout.xaxis
    return float(figure.layout.width * (x.domain[1] - x.domain[0]) / (x.range[1] - x.range[0]))


@pytest.mark.parametrize(
    ("n", "size"),
    [(64, 980), (101, 410), (251, 300)],
)
def test_every_cell_is_large_enough_to_be_seen_and_no_block_larger_than_that_takes(n: int, size: int) -> None:
    figure = drawn(n, size=size)
    (trace,), has_blocks = figure.data, head(random_weights(n)).shows_blocks(Room(width=size))
    assert pixels_per_cell(figure) >= 4 - 0.01
    assert has_blocks == (trace.customdata is not None)
    if not has_blocks:
        assert trace.z.shape == (n, n)
        return
    side = next(side for side in range(2, n) if -(-n // side) == len(trace.z))
    assert len(trace.z) <= MOST_BLOCKS
    finer = [f"{at + 1} word{at}." for at in range(0, n, side - 1)]
    coarser = HeadMatrix(pattern=random_weights(len(finer)), words=finer, title="")
    assert len(finer) > MOST_BLOCKS or coarser.shows_blocks(Room(width=size))


@each("n", [PLAIN * 3])
def test_every_block_hands_its_largest_cell_over_and_says_it(n: int) -> None:
    figure, pattern = drawn(n), random_weights(n)
    (trace,) = figure.data
    assert max(trace.z.shape) <= MOST_BLOCKS
    for row in range(0, len(trace.z), 5):
        for column in range(0, trace.z.shape[1], 3):
            if np.isnan(trace.z[row, column]):
                assert trace.hovertext[row][column] == "masked, not allowed"
                continue
            cell = cell_of(column, row, trace.customdata[row][column])
            assert causal(n)[cell]
            assert pattern[cell] == trace.z[row, column]
            assert f"<b>word{cell[0]}.</b> ({cell[0] + 1}) → " in trace.hovertext[row][column]
            assert f"key <b>word{cell[1]}.</b> ({cell[1] + 1}): " in trace.hovertext[row][column]


@each("around", [(0, 0), (500, 20), (1023, 1023)])
def test_near_a_cell_every_weight_is_drawn_with_its_words_and_its_place(around: tuple[int, int]) -> None:
    pattern, words = random_weights(LONG), words_of(LONG)
    figure = head(pattern).close_up(around).figure()
    (trace,) = figure.data
    assert trace.z.shape == (NEAR, NEAR)
    assert figure.layout.yaxis.tickfont.size >= LEAST_TYPE
    places = [[cell_of(0, 0, data) for data in row] for row in trace.customdata]
    assert all(
        pattern[place] == trace.z[row, column]
        for row, line in enumerate(places)
        for column, place in enumerate(line)
    )
    query, key = places[0][0]
    axis = figure.layout.yaxis
    assert len(axis.tickvals) == NEAR
    for at, text in zip(axis.tickvals, axis.ticktext, strict=True):
        assert words[query + at] in text
    (frame,) = figure.layout.shapes
    middle = round((frame.y0 + frame.y1) / 2), round((frame.x0 + frame.x1) / 2)
    assert (middle[0] + query, middle[1] + key) == around


@each("n", [300])
def test_the_panels_of_stages_and_of_a_comparison_are_drawn_from_afar_in_two_megabytes(n: int) -> None:
    first, second, may = random_weights(n), random_weights(n, 1), causal(n)
    words, cell = words_of(n), (n - 1, 70)
    panels = [
        StagePanel("a", first, "scores"),
        StagePanel("b", second, "scores"),
        StagePanel("m", may, "mask"),
        StagePanel("w", first, "weights"),
    ]
    told = Stages(stages=panels, words=words, title="s")
    both = {"a": first, "b": second, "allowed": (may, may)}
    compared = Comparison(words=words, title="c", titles=("A", "B"), selected=cell, **both)
    changes = np.where(may, second - first, 0)
    for picture, last in ((told, np.where(may, first, 0)), (compared, changes)):
        figure = picture.figure()
        side = next(side for side in range(2, n) if -(-n // side) == len(figure.data[-1].z))
        assert len(figure.to_json()) < MOST_BYTES
        trace = figure.data[-1]
        row, column = cell[0] // side, cell[1] // side
        block = last[row * side : (row + 1) * side, column * side : (column + 1) * side]
        assert abs(trace.z[row][column]) == pytest.approx(np.abs(block).max())
        at = cell_of(column, row, trace.customdata[row][column])
        assert abs(last[at]) == pytest.approx(np.abs(block).max())
        assert "<b>" not in trace.hovertext[row][column], "markup weighs more than words"
        assert sum(f" of {side} × {side}" in note.text for note in figure.layout.annotations) > 2
