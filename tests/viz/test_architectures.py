"""The drawing of a model has an arrow for every input, a label for every shape, and nothing over anything."""

import re
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
from viz.architectures.pen import fitting
from viz.architectures.values import between, vectors
from viz.parts.line_looks import KEY_DASH
from viz.text import em_width
from viz.theme import DARK, GREY, LIGHT

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


@pytest.mark.parametrize("boxes", [ONE, TWO], ids=["one", "two"])
def test_boxes_are_lower_in_a_low_window_and_none_covers_another(boxes: tuple[Box, ...]) -> None:
    free = layout(boxes, 560)
    fitted, lowest = layout(boxes, 560, free.height - 41), layout(boxes, 560, 100)
    assert layout(boxes, 560, free.height + 41).height == free.height
    assert fitted.height == pytest.approx(free.height - 41)
    assert 100 < lowest.height < fitted.height, "a title needs its height"
    for one, other in combinations(lowest.boxes.values(), 2):
        beside = one.right < other.left or other.right < one.left
        assert beside or one.top > other.bottom or other.top > one.bottom


def test_a_shape_stands_only_at_arrows_that_are_long_enough_for_it() -> None:
    low = texts(architecture(ONE, title="Architecture", theme=LIGHT, width=560, tallest=100).figure)
    free = texts(architecture(ONE, title="Architecture", theme=LIGHT, width=560).figure)
    assert low.count("5 × 8") < free.count("5 × 8")
    assert "5 × 8" in low, "the arrow round the others still has it"


@pytest.mark.parametrize("tallest", [100, 500])
@pytest.mark.parametrize("boxes", [ONE, TWO], ids=["one", "two"])
def test_no_shape_stands_on_the_frame_of_a_block(boxes: tuple[Box, ...], tallest: int) -> None:
    figure, places = (
        architecture(boxes, title="Architecture", theme=LIGHT, width=560, tallest=tallest).figure,
        layout(boxes, 560, tallest),
    )
    shapes = [note for note in figure.layout.annotations if "×" in note.text or "5 words" in note.text]
    assert len(shapes) >= 3
    for frame, _ in places.blocks.values():
        for line in (frame.top, frame.bottom):
            assert all(
                abs(note.y - line) >= 9
                for note in shapes
                if not note.textangle and frame.left < note.x < frame.right
            )


@each("boxes", [ONE, TWO])
def test_the_name_of_a_block_stands_inside_its_frame(boxes: tuple[Box, ...]) -> None:
    figure = architecture(boxes, title="Architecture", theme=LIGHT, width=560).figure
    named = [note for note in figure.layout.annotations if note.text.startswith("block ")]
    frames = [frame for frame, _ in layout(boxes, 560).blocks.values()]
    for frame, note in zip(frames, named, strict=True):
        reaches = {"left": 1, "right": -1}[note.xanchor] * em_width(note.text) * note.font.size
        assert frame.left < min(note.x, note.x + reaches) < max(note.x, note.x + reaches) < frame.right


def test_words_stand_in_no_box() -> None:
    shapes = architecture(ONE, title="Architecture", theme=LIGHT, width=560).figure.layout.shapes
    drawn = [[float(number) for number in re.findall(r"[\d.]+", shape.path or "")] for shape in shapes]
    corners = {name: {place.left, round(place.bottom, 1)} for name, place in layout(ONE, 560).boxes.items()}
    boxed = {name for name, corner in corners.items() if any(corner <= {*path} for path in drawn)}
    assert boxed == {"embed", "norm", "look", "out"}


def test_a_drawing_that_fills_a_place_is_so_much_narrower_as_it_is_magnified() -> None:
    def width(tallest: float, width: float = 560) -> float:
        look: dict[str, Any] = {"theme": LIGHT, "width": width, "tallest": tallest, "fills": True}
        return float(architecture(ONE, title="Architecture", **look).figure.layout.width)

    height = layout(ONE, 560).height
    assert (width(height), width(1.3 * height)) == (560, round(560 / 1.3))
    assert width(9 * height) == 560 / 1.6, "no more than 1.6 times"


def test_in_a_low_box_the_note_stands_beside_the_title_and_all_titles_of_a_kind_are_as_large() -> None:
    wide = (replace(ONE[3], title="Masked self-attention"), replace(ONE[3], name="b", title="Attention"))
    figure = architecture((*ONE[:3], *wide), title="", theme=LIGHT, width=900, tallest=240).figure
    found = [note for note in figure.layout.annotations if "ttention" in note.text]
    assert ["2 heads" in note.text for note in found] == [True, True]
    assert len({note.font.size for note in found}) == 1


def test_in_the_lowest_boxes_a_title_leaves_its_descenders_room() -> None:
    figure = architecture(ONE, title="", theme=LIGHT, width=560, tallest=100).figure
    boxes = layout(ONE, 560, 100).boxes
    titles = [note for note in figure.layout.annotations if note.text in ("Norm", "Embedding", "Output")]
    heights = [next(one.height for one in boxes.values() if one.y == note.y) for note in titles]
    assert len(titles) == 3
    assert all(1.12 * note.font.size + 3 <= high for note, high in zip(titles, heights, strict=True))


@pytest.mark.parametrize(("width", "size"), [(560, 16), (429, 15), (200, 14)])
def test_the_words_take_all_of_the_width_before_any_is_left_out(width: int, size: int) -> None:
    words = "The chef who ran out of blackberries and went to it"
    boxes = (replace(ONE[0], title=words), *ONE[1:])
    figure = architecture(boxes, title="Architecture", theme=LIGHT, width=width).figure
    (found,) = (note for note in figure.layout.annotations if "chef" in note.text)
    assert found.font.size == size
    assert (found.text == f"<i>{words}</i>") == (width > 200)
    assert found.text.removesuffix(" …</i>").removeprefix("<i>").removesuffix("</i>") in words
    widest = em_width(found.text.removeprefix("<i>").removesuffix("</i>")) * size / 2
    assert widest <= min(found.x, width - found.x)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_input_has_an_arrow_that_ends_at_its_box(theme: Any) -> None:
    figure, places = (
        architecture(ONE, title="Architecture", theme=theme, width=560).figure,
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


def test_without_an_input_there_is_no_arrow_round() -> None:
    bare = (*ONE[:4], box("sum", "sum", "look", block="block 1 of 2"), ONE[5])
    assert all(
        len(line) == 2
        for line in lines(architecture(bare, title="Architecture", theme=LIGHT, width=560).figure, LIGHT.ink)
    )


@pytest.mark.parametrize("width", WIDTHS)
def test_what_another_stack_gives_comes_in_the_colour_of_keys_between_the_two(width: int) -> None:
    figure, places = (
        architecture(TWO, title="Architecture", theme=LIGHT, width=width).figure,
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
    figure = architecture(ONE, title="Architecture", theme=LIGHT, width=560).figure
    written = texts(figure)
    assert written.count("5 words") == 1
    assert written.count("5 × 8") == 4, "two upwards from embed and norm, one round, one from the sum"
    assert written.count("5 × 11") == 1
    assert any("&lt;b&gt;two&lt;/b&gt;" in text for text in written)
    assert "2 heads" in written


def test_a_click_on_any_place_of_a_box_reports_its_name() -> None:
    figure, places = (
        architecture(ONE, title="Architecture", theme=LIGHT, width=560).figure,
        layout(ONE, 560).boxes,
    )
    points = figure.data[-1]
    for x, y, name in zip(points.x, points.y, points.customdata, strict=True):
        frame = places[name]
        assert frame.left < x < frame.right
        assert frame.top < y < frame.bottom
    assert set(points.customdata) == set(places)


def test_the_chosen_box_has_the_colour_of_what_is_chosen() -> None:
    figure = architecture(ONE, title="Architecture", theme=LIGHT, width=560, chosen="look").figure
    chosen = [shape for shape in figure.layout.shapes if shape.line.color == LIGHT.selection]
    assert len(chosen) == 1
    assert not any(
        shape.line.color == LIGHT.selection
        for shape in architecture(ONE, title="Architecture", theme=LIGHT, width=560).figure.layout.shapes
    )


def test_a_mask_is_drawn_from_what_it_lets_through() -> None:
    np.testing.assert_array_equal(small(CAUSAL), CAUSAL)
    np.testing.assert_array_equal(small(np.tril(np.ones((97, 97)))), np.tril(np.ones((13, 13), dtype=bool)))
    filled = [
        s
        for s in architecture(ONE, title="Architecture", theme=LIGHT, width=560).figure.layout.shapes
        if s.fillcolor == LIGHT.attention
    ]
    assert len(filled) == 1
    assert filled[0].path.count("M") == 5, "a run of cells for each query"
    assert not [
        s
        for s in architecture(TWO, title="Architecture", theme=LIGHT, width=560).figure.layout.shapes
        if s.fillcolor == LIGHT.attention
    ]


def test_the_drawing_in_words_names_every_box_its_shape_and_the_arrows_round() -> None:
    told = architecture(ONE, title="Architecture", theme=LIGHT, width=560).alt
    assert "Attention (5 × 11), masked" in told
    assert "Sum (5 × 8), with Embedding" in told
    both = architecture(TWO, title="Architecture", theme=LIGHT, width=560).alt
    assert "Encoder: " in both
    assert "Decoder: " in both
    assert "Cross-attention (5 × 8), with Norm" in both


def test_titles_are_written_as_large_as_they_fit() -> None:
    assert fitting("short", 200, sizes=(17, 13)) == (["short"], 17)
    assert fitting("a title of many words", 120, sizes=(17, 13)) == (["a title of", "many words"], 17)
    assert fitting("unbreakable", 20, sizes=(17, 13)) == (["unbreakable"], 13)


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
    told, figure = figure.alt, figure.figure
    written = texts(figure)
    assert all(one.shape in written for one in boxes[:-1])
    assert "from below" in written
    assert list(dict.fromkeys(figure.data[-1].customdata)) == list(names)
    assert f"Inside of it: {names[0]}" in told


@pytest.mark.parametrize("width", [310, 420])
def test_inside_of_a_part_no_shape_is_cut_off_at_the_left(width: int) -> None:
    boxes = [
        replace(one, shape="4 × 13 × 12") for one in parts("q", "k", "v", "scores", "pattern", "z", "out")
    ]
    figure = inside(boxes, title="it", entering="x", theme=LIGHT, width=width).figure
    written = [note for note in figure.layout.annotations if note.xanchor == "right"]
    assert all(note.x >= em_width(note.text) * note.font.size for note in written)
    assert len(texts(figure)) == len(
        texts(inside(boxes, title="it", entering="x", theme=LIGHT, width=560).figure)
    )


def test_keys_and_values_of_another_sentence_come_in_its_colour() -> None:
    boxes = parts("q", "k", "v", "scores", "pattern", "z", "out")
    look: dict[str, Any] = {"entering": "x", "theme": LIGHT, "width": 380}
    assert len(lines(inside(boxes, title="it", **look, elsewhere=["k", "v"]).figure, LIGHT.key)) == 2
    assert lines(inside(boxes, title="it", **look).figure, LIGHT.key) == []
    assert "output of the encoder" in texts(inside(boxes, title="it", **look, elsewhere=["k", "v"]).figure)


def test_what_is_added_to_scores_comes_from_the_side() -> None:
    boxes = parts("bias", "q", "k", "v", "scores", "pattern", "z", "out")
    boxes[4] = box("scores", "scores", "q", "k", "bias", title="scores")
    level = [
        line
        for line in lines(inside(boxes, title="it", entering="x", theme=LIGHT, width=380).figure, LIGHT.ink)
        if len({y for _, y in line}) == 1
    ]
    ((start, end),) = level
    assert start[0] < end[0]
    assert sum(len(one.inputs) for one in boxes) + 3 == len(
        lines(inside(boxes, title="it", entering="x", theme=LIGHT, width=380).figure, LIGHT.ink)
    ), "an arrow for each input, and three from below"


def test_vectors_are_drawn_with_their_norms() -> None:
    values = np.array([[3.0, -4.0, 0.0], [1.0, 2.0, 2.0]])
    figure = vectors(values, ["one", "two"], title="it", theme=LIGHT).figure
    np.testing.assert_array_equal(figure.data[0].z, values)
    np.testing.assert_allclose(figure.data[1].x, [5, 3])
    assert figure.data[0].zmin == -figure.data[0].zmax
    assert "Norms from 3 (two) to 5 (one)" in vectors(values, ["one", "two"], title="it", theme=LIGHT).alt


def test_in_grey_a_line_under_the_numbers_says_which_end_is_dark() -> None:
    values = np.array([[3.0, -4.0, 0.0]])
    told = {
        theme.name: texts(vectors(values, ["one"], title="it", theme=theme).figure)[-1]
        for theme in (LIGHT, GREY)
    }
    assert told == {
        "light": "colours from −4 to 4; mean norm 5",
        "grey": "from −4, light, to 4, dark; mean norm 5",
    }


def test_in_grey_the_way_from_another_stack_is_dashed() -> None:
    for theme, dash in ((LIGHT, None), (GREY, KEY_DASH)):
        drawn = architecture(TWO, title="Architecture", theme=theme, width=560).figure.data
        assert {one.line.dash for one in drawn if one.line.color == theme.key} == {dash}
        assert {one.line.dash for one in drawn if one.line.color == theme.ink} <= {None, "solid"}


def test_norms_are_written_where_rows_are_high_enough() -> None:
    assert list(vectors(np.eye(2), ["one", "two"], title="it", theme=LIGHT).figure.data[1].text) == ["1", "1"]
    assert vectors(np.ones((61, 3)), ["word"] * 61, title="it", theme=LIGHT).figure.data[1].text is None


def test_the_pointer_says_whose_number_it_is_on_unless_that_were_too_many_names() -> None:
    few = vectors(np.ones((2, 3)), ["<b>one</b>", "two"], title="it", theme=LIGHT).figure.data[0]
    assert few.hovertemplate.startswith("%{customdata}, dimension %{x}")
    assert [list(row) for row in few.customdata] == [["&lt;b&gt;one&lt;/b&gt;"] * 3, ["two"] * 3]
    many = vectors(np.ones((61, 71)), ["word"] * 61, title="it", theme=LIGHT).figure.data[0]
    assert many.customdata is None
    assert many.hovertemplate.startswith("dimension %{x}")


def test_queries_and_keys_of_two_sentences_keep_their_sides() -> None:
    matrix = np.array([[0.1, 0.2, 0.7], [0.5, 0.25, 0.25]])
    look: dict[str, Any] = {"title": "Weights"}
    picture = between(matrix, ["x", "y"], ["a", "b", "c"], theme=LIGHT, size=380, **look)
    figure = picture.figure
    np.testing.assert_allclose(figure.data[0].z, matrix, rtol=1e-6)
    assert list(figure.layout.yaxis.ticktext) == ["x", "y"]
    assert list(figure.layout.xaxis.ticktext) == ["a", "b", "c"]
    assert "of 2 words to 3 words. Largest: x → c 0.70" in picture.alt
    assert picture.table is not None
    np.testing.assert_allclose(picture.table().to_numpy(), matrix, rtol=1e-6)
