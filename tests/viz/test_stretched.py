"""A finished figure takes another shape: its panels fill it, its letters stay legible."""

from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from viz.architectures.pen import Frame, Pen
from viz.fitted import LARGEST, fitted
from viz.matrices import heatmap
from viz.parts.figure import Figure
from viz.stretched import natural, stretched
from viz.theme import LIGHT

WORDS = ("the", "chef", "is", "tired", "now")
WEIGHTS = np.tril(np.full((5, 5), 0.2))


def matrix(**look: Any) -> Figure:
    figure = heatmap(
        WEIGHTS, WORDS, title="Layer 1", theme=LIGHT, allowed=np.tril(np.ones((5, 5), bool)), **look
    )
    assert isinstance(figure, Figure)
    return figure


def layout(figure: Figure) -> Any:
    return figure.to_dict()["layout"]


def pixels(figure: Figure, letter: str) -> tuple[float, float]:
    """Where the panel of a figure without margins begins and ends."""
    whole = layout(figure)["width" if letter == "x" else "height"]
    first, last = layout(figure)[f"{letter}axis"]["domain"]
    return first * whole, last * whole


def test_cells_become_wider_than_high_and_words_keep_their_room() -> None:
    figure = matrix()
    wide = stretched(figure, layout(figure)["width"] + 300, layout(figure)["height"], least_type=10)

    before, after = pixels(figure, "x"), pixels(wide, "x")
    assert after[0] == pytest.approx(before[0])
    assert after[1] - after[0] == pytest.approx(before[1] - before[0] + 300)
    assert pixels(wide, "y") == pytest.approx(pixels(figure, "y"))
    assert layout(wide)["xaxis"]["range"] == layout(figure)["xaxis"]["range"]


def test_a_title_of_an_axis_stays_beside_its_panel() -> None:
    figure = matrix()
    wide = stretched(figure, layout(figure)["width"] + 300, layout(figure)["height"], least_type=10)

    def distances(one: Figure) -> list[float]:
        notes = [note for note in layout(one)["annotations"] if note["xref"] == "paper"]
        return [note["x"] * layout(one)["width"] - pixels(one, "x")[0] for note in notes]

    assert distances(wide) == pytest.approx(distances(figure), abs=4)  # which is the room for a frame


def test_the_figure_that_is_stretched_stays_as_it_is() -> None:
    figure = matrix()
    before = deepcopy(figure.to_dict())
    stretched(figure, 1200, 500, least_type=30)
    assert figure.to_dict() == before


def test_every_type_has_the_least_size_and_larger_ones_stay() -> None:
    sizes = [
        part["size"]
        for part in walked(stretched(matrix(), 1200, 600, least_type=17).to_dict())
        if "size" in part and "family" not in part
    ]
    assert min(sizes) == 17
    assert max(sizes) == 20


def walked(part: Any) -> list[dict[str, Any]]:
    """Every dict in a figure that a key ending in `font` names."""
    if isinstance(part, dict):
        inner = [found for value in part.values() for found in walked(value)]
        return inner + [value for key, value in part.items() if key.endswith("font")]
    return [found for one in part for found in walked(one)] if isinstance(part, list) else []


def test_dots_of_masked_cells_stay_round() -> None:
    masked, words = np.tril(np.ones((15, 15), bool)), WORDS * 3
    figure = heatmap(np.tril(np.full((15, 15), 0.1)), words, title="", theme=LIGHT, allowed=masked, size=300)
    assert isinstance(figure, Figure)
    (image,) = layout(figure)["images"]
    assert "ellipse" not in image["source"]
    wide = stretched(figure, 3 * layout(figure)["width"], layout(figure)["height"], least_type=8)
    (image,) = layout(wide)["images"]
    assert "%3Cellipse" in image["source"]
    rx, ry = (float(image["source"].split(f"{name}%3D%27")[1].split("%27")[0]) for name in ("rx", "ry"))
    grown = np.diff(pixels(wide, "x")) / np.diff(pixels(figure, "x"))
    assert rx * grown == pytest.approx(ry, rel=0.01)


def test_a_circle_stays_one_and_its_middle_where_it_belongs() -> None:
    pen = Pen(LIGHT, 200, 100)
    pen.circle(Frame(50, 60, 20, 20), LIGHT.ink, fill=LIGHT.paper)
    (shape,) = layout(stretched(pen.finished(), 600, 100, least_type=10))["shapes"]

    assert (shape["xsizemode"], shape["ysizemode"]) == ("pixel", "pixel")
    assert (shape["xanchor"], shape["yanchor"]) == (50, 60)
    assert [shape[end] for end in ("x0", "x1", "y0", "y1")] == [-10, 10, -10, 10]


def test_what_is_measured_in_pixels_from_a_place_keeps_its_pixels() -> None:
    mark = {"type": "line", "xref": "paper", "yref": "paper", "ysizemode": "pixel", "yanchor": 1}
    spec = {"data": [], "layout": {"width": 100, "height": 100, "margin": dict.fromkeys("lrtb", 0)}}
    spec["layout"] |= {"yaxis": {}, "xaxis": {}, "shapes": [{**mark, "x0": 0, "x1": 0.5, "y0": 7, "y1": 9}]}
    (shape,) = layout(stretched(Figure(spec), 300, 200, least_type=13))["shapes"]
    assert (shape["y0"], shape["y1"], shape["yanchor"]) == (7, 9, 1)


def test_a_title_that_was_cut_is_whole_where_there_is_room() -> None:
    long = "Change of states without each head, one after the other, mean over the sentence"
    figure = heatmap(WEIGHTS, WORDS, title=long, theme=LIGHT, size=280)
    assert isinstance(figure, Figure)
    assert "…" in layout(figure)["title"]["text"]
    title = layout(stretched(figure, 1000, 400, least_type=13))["title"]
    assert title["text"] == f"<b>{long}</b>"


def test_rows_can_be_pressed_until_their_words_would_touch() -> None:
    figure = matrix()
    found = natural(figure, least_type=13)
    rows = np.diff(pixels(figure, "y")).item()
    assert found.width == layout(figure)["width"]
    assert found.height == layout(figure)["height"]
    assert found.height - found.least < rows
    low = stretched(figure, 400, found.least, least_type=13)
    row = np.diff(pixels(low, "y")).item() / 5
    assert 13 < row < 32


@pytest.mark.parametrize(("width", "height"), [(914, 448), (400, 448), (914, 260)])
def test_a_figure_fills_its_place(width: float, height: float) -> None:
    one = fitted(matrix(), width, height, least_type=13)

    assert one.taken == pytest.approx((width, max(height, one.height * one.scale)), abs=2)
    assert one.scale <= LARGEST
    sizes = [part["size"] for part in walked(one.figure.to_dict()) if "size" in part]
    assert min(sizes) * one.scale >= 13 - 1e-6


def test_a_figure_that_takes_any_width_fills_its_place_too() -> None:
    figure = Figure({"data": [], "layout": {"height": 240, "yaxis": {}, "xaxis": {}}})
    one = fitted(figure, 914, 448, least_type=13)
    assert one.taken == pytest.approx((914, 448), abs=2)
    assert layout(one.figure)["width"] == one.width


def test_what_is_too_high_to_be_read_pressed_is_higher_than_its_place() -> None:
    words = [f"w{at}" for at in range(40)]
    figure = heatmap(np.full((40, 40), 0.1), words, title="", theme=LIGHT, size=900)
    assert isinstance(figure, Figure)
    one = fitted(figure, 914, 300, least_type=13)
    assert one.taken[1] > 300
    assert one.taken[0] == pytest.approx(914, abs=2)
