"""The cells of a heatmap are shapes in the colours of their numbers."""

import re
from base64 import b64decode
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from figures.rendering.exporter import Exporter
from figures.rendering.frame import SVG, XLINK
from tests.figures.sheets import job, plot
from viz.matrices import HeadMatrix
from viz.room import Room
from viz.theme import LIGHT

RIM = re.compile(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)H([\d.]+)z")


def heat(z: Any, **look: Any) -> dict[str, Any]:
    axes = {"xaxis": {"visible": False}, "yaxis": {"visible": False, "autorange": "reversed"}}
    layout = {"margin": {"l": 0, "r": 0, "t": 0, "b": 0}, **axes}
    trace = {"type": "heatmap", "z": z, "zmin": 0, "zmax": 1, "showscale": False, **look}
    return {"data": [trace], "layout": layout}


def drawn(exporter: Exporter, figure: dict[str, Any]) -> ElementTree.Element:
    made = exporter.files(job("svg", drawn=plot(figure=figure)))
    return ElementTree.fromstring(made["svg"])


def cells(root: ElementTree.Element) -> list[tuple[str, list[float]]]:
    """Return the colour of each cell, and its left edge, upper edge, width and height."""
    paths = [one for group in root.iter(f"{{{SVG}}}g") if group.get("class") == "hm" for one in group]
    found = []
    for path in paths:
        rim = RIM.fullmatch(path.get("d", ""))
        assert rim is not None
        found.append((path.get("fill", ""), [float(number) for number in rim.groups()[:4]]))
    return found


def test_each_cell_has_the_colour_that_its_number_has_between_the_stops(exporter: Exporter) -> None:
    stops = [(0.0, "#000000"), (0.5, "#804020"), (1.0, "#FFFFFF")]
    z = [[0.0, 0.25, 0.5], [0.75, 1.0, 2.0]]
    found = cells(drawn(exporter, heat(z, colorscale=stops, xgap=1, ygap=1)))
    assert [colour for colour, _ in found] == [
        "#000000",
        "#402010",
        "#804020",
        "#c0a090",
        "#ffffff",
        "#ffffff",
    ]
    lefts, tops = [edge[0] for _, edge in found], [edge[1] for _, edge in found]
    assert lefts == [*lefts[:3], *lefts[:3]] == sorted(lefts[:3]) * 2
    assert tops[0] == tops[2] < tops[3] == tops[5]


def test_cells_of_one_colour_that_meet_are_one_shape_without_a_seam(exporter: Exporter) -> None:
    stops = [(0.0, "#000000"), (1.0, "#FFFFFF")]
    z = [[0, 0, 1], [0, 0, 1], [1, 1, 0]]
    found = cells(drawn(exporter, heat(z, colorscale=stops)))
    assert [colour for colour, _ in found] == ["#000000", "#ffffff", "#ffffff", "#000000"]
    (left, top, width, height), right, below, last = (edge for _, edge in found)
    assert width - (right[0] - left) == pytest.approx(1, abs=0.02), "the next one covers its rim"
    assert height - (below[1] - top) == pytest.approx(1, abs=0.02)
    assert last[0] + last[2] == pytest.approx(200, abs=0.02)
    assert last[1] + last[3] == pytest.approx(100, abs=0.02)


def test_more_cells_than_a_file_can_do_with_are_an_image_with_a_dot_for_each(exporter: Exporter) -> None:
    z = np.zeros((151, 149))
    z[3, 7] = 1
    stops = [(0.0, "#804020"), (1.0, "#FFFFFF")]
    (image,) = drawn(exporter, heat(z.tolist(), colorscale=stops)).iter(f"{{{SVG}}}image")
    dots = Image.open(BytesIO(b64decode(image.get(f"{{{XLINK}}}href", "").partition(",")[2])))
    assert dots.size == (149, 151)
    assert dots.convert("RGB").getpixel((6, 3)) == (128, 64, 32)
    assert dots.convert("RGB").getpixel((7, 3)) == (255, 255, 255)
    assert "pixelated" in image.get("style", "")
    assert float(image.get("width", 0)) == pytest.approx(200, abs=0.5)


def test_dots_below_masked_cells_are_lines_and_no_image(exporter: Exporter) -> None:
    n = 17
    allowed = np.tri(n, dtype=bool)
    weights = np.where(allowed, np.linspace(0.1, 0.9, n), 0)
    figure = (
        HeadMatrix(pattern=weights, words=["a"] * n, title="", allowed=allowed)
        .figure(Room(width=300))
        .to_dict()
    )
    size = {name: figure["layout"][name] for name in ("width", "height")}
    root = ElementTree.fromstring(exporter.files(job("svg", drawn=plot(figure=figure, **size)))["svg"])
    assert root.find(f".//{{{SVG}}}image") is None
    assert len(cells(root)) == n * (n + 1) // 2
    (dots,) = [one for one in root.iter(f"{{{SVG}}}path") if one.get("stroke-linecap") == "round"]
    assert dots.get("d", "").count("M") == n
    assert dots.get("stroke", "").upper() == LIGHT.muted
