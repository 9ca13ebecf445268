"""Bars of several measures of the same words, each row in its own scale, up for more and down for less."""

import numpy as np
import pytest

from viz.spreads import word_bars
from viz.theme import DARK, GREY, LIGHT, Theme

WORDS = ["the", "film", "was", "not", "the", "<i>"]
ROWS = {
    "ablation": np.array([0.5, -2.0, 0.0, 1.0, 0.25, -0.125]),
    "attention": np.array([0.1, 0.2, 0.3, 0.2, 0.1, 0.1]),
}


@pytest.mark.parametrize("theme", [LIGHT, DARK, GREY])
def test_every_bar_is_as_long_as_its_number_and_coloured_by_its_sign(theme: Theme) -> None:
    figure = word_bars(ROWS, WORDS, title="p", theme=theme).figure()
    down, up = theme.signs
    for values, bars in zip(ROWS.values(), figure.data, strict=True):
        np.testing.assert_allclose(bars.y, values)
        assert set(bars.base) == {0}
        assert list(bars.marker.color) == [down if value < 0 else up for value in values]
        assert "&lt;i&gt;" in bars.hovertext[-1]


def test_a_measure_without_any_bar_has_a_tick_at_zero_only_and_says_so() -> None:
    rows = {"ablation": np.zeros(6), "attention": ROWS["attention"]}
    picture = word_bars(rows, WORDS, title="Contributions", theme=LIGHT)
    axis = picture.figure().layout.yaxis
    assert axis.ticktext == ("0",)
    assert axis.range[0] < 0 < axis.range[1]
    assert picture.alt().startswith(
        "Contributions. Furthest from 0 by ablation: no word; by attention: was 0.3"
    )
