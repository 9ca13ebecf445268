"""A figure on a sheet that has its headline: the line is gone, and everything else stands where it stood."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from viz.head_effects import head_effects
from viz.matrices import heatmap
from viz.parts.canvas import HEADLINE_LINE
from viz.parts.figure import Figure
from viz.theme import LIGHT
from viz.untitled import untitled

N = 30
WORDS = [f"w{at}" for at in range(N)]


def matrix(title: str) -> Figure:
    pattern = np.where(np.tri(N, dtype=bool), 1 / N, np.nan).astype(np.float32)
    return heatmap(pattern, WORDS, title=title, theme=LIGHT, allowed=np.tri(N, dtype=bool), selected=(3, 1))


def from_below(figure: Figure) -> dict[str, Any]:
    """Pixels from the lower edge of all that stands on the paper, of a figure without margins."""
    spec = figure.to_dict()
    layout, high = spec["layout"], spec["layout"]["height"]
    return {
        "notes": [one["y"] * high for one in layout["annotations"]],
        "panel": [end * high for end in layout["yaxis"]["domain"]],
        "bar": spec["data"][0]["colorbar"]["y"] * high,
    }


def test_a_matrix_is_lower_by_the_line_of_its_headline_and_nothing_else_moves() -> None:
    titled = matrix("Attention weights")
    bare = untitled(titled)
    assert "title" not in bare.to_dict()["layout"]
    assert titled.layout.height - bare.layout.height == HEADLINE_LINE
    found, before = from_below(bare), from_below(titled)
    for kind, places in before.items():
        assert found[kind] == pytest.approx(places), kind
    assert bare.layout.shapes == titled.layout.shapes, "the frame is on the cells"


def test_a_matrix_without_its_headline_is_one_that_was_drawn_without() -> None:
    found, drawn = from_below(untitled(matrix("Attention weights"))), from_below(matrix(""))
    for kind, places in drawn.items():
        assert found[kind] == pytest.approx(places), kind


def test_a_title_in_a_margin_takes_its_line_of_the_margin() -> None:
    table = pd.DataFrame({"layer": [1, 1], "head": [1, 2], "divergence": [0.1, 0.2]})
    titled = head_effects(table, theme=LIGHT)
    bare = untitled(titled)
    assert bare.layout.margin.t == titled.layout.margin.t - HEADLINE_LINE
    assert bare.layout.height == titled.layout.height - HEADLINE_LINE
    assert bare.layout.yaxis == titled.layout.yaxis
    assert titled.layout.title.text


def test_a_figure_that_has_no_headline_stays_as_it_is() -> None:
    figure = matrix("")
    assert untitled(figure) is figure
