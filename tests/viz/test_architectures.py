"""The drawing of a model has an arrow for every input, a label for every shape, and nothing over anything."""

from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.covering import each
from viz.architectures import Box, architecture
from viz.architectures.inside import inside
from viz.architectures.layout import layout
from viz.architectures.model import small
from viz.architectures.values import vectors
from viz.text import em_width
from viz.theme import DARK, LIGHT

CAUSAL = np.tril(np.ones((5, 5), dtype=bool))
WIDTHS = (340, 560, 620)


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


def lines(figure: go.Figure, colour: str) -> list[list[tuple[float, float]]]:
    """The lines of a colour, each with its points."""
    found: list[list[tuple[float, float]]] = [[]]
    for trace in figure.data:
        if trace.mode == "lines" and trace.line.color == colour:
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


@pytest.mark.parametrize(("width", "size"), [(560, 16), (429, 15), (200, 14)])
def test_the_words_take_all_of_the_width_before_any_is_left_out(width: int, size: int) -> None:
    words = "The chef who ran out of blackberries and went to it"
    boxes = (replace(ONE[0], title=words), *ONE[1:])
    figure = architecture(boxes, title="Architecture", theme=LIGHT, width=width).figure()
    (found,) = (note for note in figure.layout.annotations if "chef" in note.text)
    assert found.font.size == size
    assert (found.text == f"<i>{words}</i>") == (width > 200)
    assert found.text.removesuffix(" …</i>").removeprefix("<i>").removesuffix("</i>") in words
    widest = em_width(found.text.removeprefix("<i>").removesuffix("</i>")) * size / 2
    assert widest <= min(found.x, width - found.x)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_input_has_an_arrow_that_ends_at_its_box(theme: Any) -> None:
    figure, places = (
        architecture(ONE, title="Architecture", theme=theme, width=560).figure(),
        layout(ONE, 560).boxes,
    )
    drawn = lines(figure, theme.ink)
    assert len(drawn) == sum(len(one.inputs) for one in ONE)
    straight = [line for line in drawn if len(line) == 2]
    (round_it,) = (line for line in drawn if len(line) > 2)
    for below, above in pairwise(ONE):
        ends = [(line[0], line[1]) for line in straight]
        assert any(
            start == pytest.approx((places[below.name].x, places[below.name].top), abs=0.01)
            and places[above.name].bottom <= end[1] < places[above.name].bottom + 6
            for start, end in ends
        )
    assert round_it[-1][1] == pytest.approx(places["sum"].y)
    assert round_it[-1][0] < places["sum"].left
    assert min(x for x, _ in round_it) < places["look"].left, "it goes round the box"


@pytest.mark.parametrize("width", WIDTHS)
def test_what_another_stack_gives_comes_in_the_colour_of_keys_between_the_two(width: int) -> None:
    figure, places = (
        architecture(TWO, title="Architecture", theme=LIGHT, width=width).figure(),
        layout(TWO, width),
    )
    (across,) = lines(figure, LIGHT.key)
    source, target = places.boxes["encoder.out"], places.boxes["decoder.look"]
    assert across[0] == pytest.approx((source.x, source.top), abs=0.01)
    assert across[-1][1] == pytest.approx(target.y, abs=0.01)
    (channel,) = {round(x, 2) for x, _ in across[2:-1]}
    assert source.right < channel < target.left
    assert places.blocks["encoder"][0].right < channel < places.blocks["decoder"][0].left
    assert "3 × 8" in texts(figure)


def test_shapes_stand_at_every_arrow_and_typed_markup_as_it_was_typed() -> None:
    figure = architecture(ONE, title="Architecture", theme=LIGHT, width=560).figure()
    written = texts(figure)
    assert written.count("5 words") == 1
    assert written.count("5 × 8") == 4, "two upwards from embed and norm, one round, one from the sum"
    assert written.count("5 × 11") == 1
    assert any("&lt;b&gt;two&lt;/b&gt;" in text for text in written)
    assert "2 heads" in written


def test_a_click_on_any_place_of_a_box_reports_its_name() -> None:
    figure, places = (
        architecture(ONE, title="Architecture", theme=LIGHT, width=560).figure(),
        layout(ONE, 560).boxes,
    )
    points = figure.data[-1]
    for x, y, name in zip(points.x, points.y, points.customdata, strict=True):
        frame = places[name]
        assert frame.left < x < frame.right
        assert frame.top < y < frame.bottom
    assert set(points.customdata) == set(places)


def test_a_mask_is_drawn_from_what_it_lets_through() -> None:
    np.testing.assert_array_equal(small(CAUSAL), CAUSAL)
    np.testing.assert_array_equal(small(np.tril(np.ones((97, 97)))), np.tril(np.ones((13, 13), dtype=bool)))
    filled = [
        s
        for s in architecture(ONE, title="Architecture", theme=LIGHT, width=560).figure().layout.shapes
        if s.fillcolor == LIGHT.attention
    ]
    assert len(filled) == 1
    assert filled[0].path.count("M") == 5, "a run of cells for each query"
    assert not [
        s
        for s in architecture(TWO, title="Architecture", theme=LIGHT, width=560).figure().layout.shapes
        if s.fillcolor == LIGHT.attention
    ]


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
    figure = inside(boxes, title="it", entering="from below", theme=LIGHT, width=380, chosen="out")
    told, figure = figure.alt(), figure.figure()
    written = texts(figure)
    assert all(one.shape in written for one in boxes[:-1])
    assert "from below" in written
    assert list(dict.fromkeys(figure.data[-1].customdata)) == list(names)
    assert f"Inside of it: {names[0]}" in told


def test_vectors_are_drawn_with_their_norms() -> None:
    values = np.array([[3.0, -4.0, 0.0], [1.0, 2.0, 2.0]])
    figure = vectors(values, ["one", "two"], title="it", theme=LIGHT).figure()
    np.testing.assert_array_equal(figure.data[0].z, values)
    np.testing.assert_allclose(figure.data[1].x, [5, 3])
    assert figure.data[0].zmin == -figure.data[0].zmax
    assert "Norms from 3 (two) to 5 (one)" in vectors(values, ["one", "two"], title="it", theme=LIGHT).alt()
