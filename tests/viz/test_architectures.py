"""The drawing of a model has an arrow for every input, a label for every shape, and nothing over anything."""

from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from tests.covering import each
from viz.architectures import Architecture, Box
from viz.architectures.inside import Inside
from viz.architectures.layout import layout
from viz.architectures.model import small
from viz.architectures.values import Vectors
from viz.room import Room
from viz.theme import LIGHT

CAUSAL = np.tril(np.ones((5, 5), dtype=bool))
WIDTHS = (340, 620)


def box(name: str, kind: str, *inputs: str, **look: Any) -> Box:
    stack = name.split(".")[0] if "." in name else ""
    shape = look.pop("shape", "5 × 8")
    return Box(name, kind, look.pop("title", kind.capitalize()), shape, inputs, stack=stack, **look)


ONE = (
    box("words", "words", title="one <b>two</b> three", shape="5 words"),
    box("embed", "embedding", "words"),
    box("norm", "norm", "embed", block="block 1 of 2"),
    box(
        "look", "attention", "norm", block="block 1 of 2", notes=("2 heads",), allowed=CAUSAL, shape="5 × 11"
    ),
    box("sum", "sum", "embed", "look", block="block 1 of 2"),
    box("out", "output", "sum"),
)
TWO = (
    box("encoder.words", "words", shape="3 words"),
    box("encoder.look", "attention", "encoder.words", block="block 1 of 1"),
    box("encoder.out", "norm", "encoder.look", shape="3 × 8"),
    box("decoder.words", "words", shape="5 words"),
    box("decoder.look", "cross-attention", "decoder.words", "encoder.out", block="block 1 of 1"),
    box("decoder.sum", "sum", "decoder.words", "decoder.look", block="block 1 of 1"),
    box("decoder.out", "output", "decoder.sum"),
)


def drawn(boxes: tuple[Box, ...], chosen: str = "", **room: Any) -> go.Figure:
    picture = Architecture(title="Architecture", boxes=boxes, chosen=chosen, make_table=pd.DataFrame)
    return picture.figure(Room(**{"width": 560, **room}))


def lines(figure: go.Figure, colour: str) -> list[list[tuple[float, float]]]:
    """Return the lines of a colour, each with its points."""
    found: list[list[tuple[float, float]]] = [[]]
    for trace in figure.data:
        if "lines" in trace.mode and trace.line.color == colour:
            for x, y in zip(trace.x, trace.y, strict=True):
                if np.isnan(x):
                    found.append([])
                else:
                    found[-1].append((float(x), float(y)))
    return [line for line in found if line]


def texts(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


@each("width", WIDTHS)
@each("boxes", [ONE, TWO])
def test_boxes_stand_upwards_in_their_columns_and_none_covers_another(
    boxes: tuple[Box, ...], width: int
) -> None:
    places = layout(boxes, width)
    frames = [places.boxes[one.name] for one in boxes]
    for one, other in combinations(frames, 2):
        beside = one.right < other.left or other.right < one.left
        assert beside or one.top > other.bottom or other.top > one.bottom
    for stack in {one.stack for one in boxes}:
        column = [places.boxes[one.name] for one in boxes if one.stack == stack]
        assert all(below.top - above.bottom >= 14 for below, above in pairwise(column))
    for frame in (*frames, *(frame for frame, _ in places.blocks.values())):
        assert frame.left >= 0
        assert frame.right <= width
        assert frame.top >= 0
        assert frame.bottom <= places.height
    for stack, (frame, _) in places.blocks.items():
        inner = [places.boxes[one.name] for one in boxes if one.stack == stack and one.block]
        assert all(frame.top < one.top and one.bottom < frame.bottom for one in inner)
        assert frame.left < places.lanes[stack] < frame.right


@each("theme", [LIGHT])
def test_every_input_has_an_arrow_that_ends_at_its_box(theme: Any) -> None:
    figure, places = drawn(ONE, theme=theme), layout(ONE, 560).boxes
    found = lines(figure, theme.ink)
    assert len(found) == sum(len(one.inputs) for one in ONE)
    straight = [line for line in found if len(line) == 2]
    (round_it,) = (line for line in found if len(line) > 2)
    for below, above in pairwise(ONE):
        ends = [(line[0], line[1]) for line in straight]
        assert any(
            start == pytest.approx((places[below.name].x, places[below.name].top), abs=0.01)
            and places[above.name].bottom <= end[1] < places[above.name].bottom + 6
            for start, end in ends
        )
    assert round_it[-1][1] == pytest.approx(places["sum"].y)
    assert round_it[-1][0] == pytest.approx(places["sum"].left)
    assert min(x for x, _ in round_it) < places["look"].left, "it goes round the box"


@each("width", WIDTHS)
def test_input_from_another_stack_has_the_colour_of_keys(width: int) -> None:
    figure, places = drawn(TWO, width=width), layout(TWO, width)
    (across,) = lines(figure, LIGHT.key)
    source, target = places.boxes["encoder.out"], places.boxes["decoder.look"]
    assert across[0] == pytest.approx((source.x, source.top), abs=0.01)
    assert across[-1][1] == pytest.approx(target.y, abs=0.01)
    (channel,) = {round(x, 2) for x, _ in across[2:-1]}
    assert source.right < channel < target.left
    assert places.blocks["encoder"][0].right < channel < places.blocks["decoder"][0].left
    assert "3 × 8" in texts(figure)


def test_shapes_stand_at_every_arrow_and_typed_markup_as_it_was_typed() -> None:
    written = texts(drawn(ONE, height=900))
    assert written.count("5 words") == 1
    assert written.count("5 × 8") == 4, "two upwards from embed and norm, one round, one from the sum"
    assert written.count("5 × 11") == 1
    assert any("&lt;b&gt;two&lt;/b&gt;" in text for text in written)
    assert "2 heads" in written
    hall = texts(drawn(ONE, height=448, fills=True))
    assert not {"5 × 8", "2 heads"} & {*hall}, "a hall sees no shapes at arrows and no notes"


def test_a_click_on_any_place_of_a_box_reports_its_name() -> None:
    figure, places = drawn(ONE), layout(ONE, 560).boxes
    points = figure.data[-1]
    for x, y, name in zip(points.x, points.y, points.customdata, strict=True):
        frame = places[name]
        assert frame.left < x < frame.right
        assert frame.top < y < frame.bottom
    assert set(points.customdata) == set(places)


def test_a_mask_is_drawn_from_its_allowed_cells() -> None:
    np.testing.assert_array_equal(small(CAUSAL), CAUSAL)
    np.testing.assert_array_equal(small(np.tril(np.ones((97, 97)))), np.tril(np.ones((13, 13), dtype=bool)))
    filled = [one for one in drawn(ONE).layout.shapes if one.fillcolor == LIGHT.attention]
    assert len(filled) == 1
    assert filled[0].path.count("M") == 5, "a run of cells for each query"
    assert not [one for one in drawn(TWO).layout.shapes if one.fillcolor == LIGHT.attention]


def test_only_on_a_screen_the_chosen_box_is_marked() -> None:
    def marked(**room: Any) -> list[Any]:
        figure = drawn(ONE, chosen="norm", **room)
        return [one for one in figure.layout.shapes if one.line.color == LIGHT.selection]

    assert len(marked()) == 1
    assert not marked(medium="print")


def parts(*names: str) -> list[Box]:
    made = {"scores": ("q", "k"), "pattern": ("scores",), "z": ("pattern", "v"), "out": ("z",), "hidden": ()}
    return [
        box(name, name, *made.get(name, ()), title=name, shape=f"2 × {at}")
        for at, name in enumerate(names, 3)
    ]


@pytest.mark.parametrize(
    "names",
    [("q", "k", "v", "scores", "pattern", "z", "out"), ("hidden", "out")],
    ids=["attention", "feed-forward"],
)
def test_inside_of_a_part_every_shape_stands_at_the_arrow_that_leaves(names: tuple[str, ...]) -> None:
    boxes = parts(*names)
    if "hidden" in names:
        boxes[1] = box("out", "out", "hidden", title="out")
    picture = Inside(
        title="Inside of it", boxes=boxes, entering="from below", chosen="out", make_table=pd.DataFrame
    )
    told, figure = picture.alt(), picture.figure(Room(width=380))
    written = texts(figure)
    assert all(one.shape in written for one in boxes[:-1])
    assert "from below" in written
    assert list(dict.fromkeys(figure.data[-1].customdata)) == list(names)
    assert f"Inside of it: {names[0]}" in told


def test_vectors_are_drawn_with_their_norms() -> None:
    values = np.array([[3.0, -4.0, 0.0], [1.0, 2.0, 2.0]])
    picture = Vectors(title="it", values=values, words=["one", "two"])
    figure = picture.figure()
    np.testing.assert_array_equal(figure.data[0].z, values)
    np.testing.assert_allclose(figure.data[1].x, [5, 3])
    assert figure.data[0].zmin == -figure.data[0].zmax
    assert figure.data[0].colorbar.ticktext == ("−4", "0", "4")
    assert "Lengths from 3 (two) to 5 (one)" in picture.alt()
