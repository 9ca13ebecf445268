"""A figure that Plotly would refuse is noticed, also if a similar one was accepted."""

from typing import Any

import pytest

from tests.covering import each
from tests.opened import assert_taken_by_plotly, kind_of

FIGURE: dict[str, Any] = {
    "data": [{"type": "scatter", "x": ["a", "b"], "y": [0.5, 2], "opacity": 0.5, "marker": {"size": [3, 4]}}],
    "layout": {"width": 300, "xaxis": {"title": {"text": "words"}}},
}


def changed(**trace: Any) -> dict[str, Any]:
    return {**FIGURE, "data": [{**FIGURE["data"][0], **trace}]}


@each(
    "trace",
    [{"opacity": 1.5}, {"opacity": -0.5}, {"marker": {"size": [3, -4]}}, {"mode": "telepathy"}, {"hue": 1}],
)
def test_an_invalid_figure_is_noticed_after_a_valid_one(trace: dict[str, Any]) -> None:
    assert_taken_by_plotly(FIGURE)
    with pytest.raises(ValueError, match="Invalid"):
        assert_taken_by_plotly(changed(**trace))


def test_other_words_and_other_numbers_of_a_size_are_of_one_kind() -> None:
    assert kind_of(changed(x=["c", "d", "e"], y=[0.7, 5], opacity=0.25)) == kind_of(FIGURE)
    assert kind_of(changed(y=[0.7, 0])) != kind_of(FIGURE)
    assert kind_of(changed(mode="lines")) != kind_of(changed(mode="markers"))
