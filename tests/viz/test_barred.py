"""Where digits make way a colour bar says what shades mean, and nothing stands on it."""

from typing import Any

import numpy as np
import pytest

from viz.fitted import fitted
from viz.matrices import alone, heatmap
from viz.parts.canvas import BAR_LINE
from viz.parts.digits import MARKUP
from viz.parts.figure import Figure
from viz.parts.kinds import real_numbers
from viz.stages import Panel, stages
from viz.theme import LIGHT

N = 12
WORDS = [f"word{at}" for at in range(N)]
ALLOWED = np.tri(N, dtype=bool)
PATTERN = np.where(ALLOWED, 1 / N, 0).astype(np.float32)
PAGE, COLUMN, LEAST = 470, 313, 9.3
"""A column is drawn as a page of 470 pixels, and made so much smaller that digits of 10 cannot be read."""


def in_column(figure: Any) -> dict[str, Any]:
    high = figure.layout.height * COLUMN / figure.layout.width
    return fitted(figure, COLUMN, high, least_type=LEAST).figure.to_dict()


def tops(spec: dict[str, Any], kind: str) -> list[float]:
    """Pixels from above of what stands on the paper."""
    high = spec["layout"]["height"]
    return [(1 - one["y"]) * high for one in spec["layout"].get(kind, []) if one["yref"] == "paper"]


def bars(spec: dict[str, Any]) -> list[tuple[float, float]]:
    """Where the cells of each shown bar end and where it begins, in pixels from above."""
    layout, found = spec["layout"], []
    for trace in spec["data"]:
        if trace["type"] == "heatmap" and trace["showscale"]:
            axis = layout[f"yaxis{trace.get('yaxis', 'y')[1:]}"]
            ends = axis["domain"][0], trace["colorbar"]["y"]
            found.append(tuple((1 - end) * layout["height"] for end in ends))
    return found


def test_a_bar_with_named_ends_takes_the_place_of_digits_that_make_way() -> None:
    figure = heatmap(PATTERN, WORDS, title="", theme=LIGHT, allowed=ALLOWED, size=PAGE)
    assert "texttemplate" in figure.to_dict()["data"][0], "on the page there are digits"
    spec = in_column(figure)
    (trace,) = spec["data"]
    assert "texttemplate" not in trace
    assert list(trace["colorbar"]["ticktext"]) == ["0", "1"]
    ((cells, bar),) = bars(spec)
    legend = max(tops(spec, "annotations"))
    assert cells < bar < bar + BAR_LINE - 1 < legend < spec["layout"]["height"] - 10


def test_signs_of_masked_scores_stay_and_a_bar_is_shown_too() -> None:
    numbers = np.where(ALLOWED, -3.25, -np.inf).astype(np.float32)
    figure = alone(real_numbers(numbers, WORDS, None, None, LIGHT), "", LIGHT, None, PAGE)
    (trace,) = in_column(figure)["data"]
    assert {MARKUP.sub("", said) for row in trace["text"] for said in row} == {"", "−∞"}
    assert trace["showscale"]


def test_rows_of_matrices_have_a_bar_each_and_what_is_below_comes_after_it() -> None:
    one, two = (Panel(title, PATTERN, "weights") for title in ("one", "two"))
    panels = [one, Panel("mask", ALLOWED, "mask"), two]
    spec = in_column(stages(panels, WORDS, theme=LIGHT, size=PAGE))
    first, last = bars(spec)
    assert [trace["showscale"] for trace in spec["data"]] == [True, False, True], "a mask is no measure"
    upper = spec["layout"]["yaxis2"]["domain"][1]
    assert first[0] < first[1] < first[1] + BAR_LINE < (1 - upper) * spec["layout"]["height"]
    assert last[0] < last[1] < spec["layout"]["height"] - BAR_LINE


def test_digits_that_stay_have_no_bar_and_the_figure_is_as_it_was() -> None:
    figure = heatmap(np.eye(3), WORDS[:3], title="", theme=LIGHT, size=PAGE)
    spec = in_column(figure)
    assert bars(spec) == []
    assert isinstance(figure, Figure)
    assert figure.to_dict()["layout"]["height"] == pytest.approx(spec["layout"]["height"], abs=2)
