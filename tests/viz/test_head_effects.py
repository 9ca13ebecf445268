"""A small bar for every head: as high as its effect, named by layer and head, and clicked for both."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from tests.covering import each
from viz.head_effects import effects, head_effects
from viz.theme import LIGHT, THEMES, Theme


def table_of(n_layers: int = 2, n_heads: int = 3, *, scale: float = 1.0) -> pd.DataFrame:
    heads = [(layer + 1, head + 1) for layer in range(n_layers) for head in range(n_heads)]
    values = scale * np.linspace(0.1, 0.7, len(heads))
    return pd.DataFrame(heads, columns=["layer", "head"]).assign(divergence=values)


def test_every_head_has_a_bar_as_high_as_its_effect_named_by_layer_and_head() -> None:
    table = table_of()
    figure = head_effects(table, theme=LIGHT)
    bars, targets = figure.data
    assert_allclose(bars.y, table["divergence"])
    assert list(bars.text) == [f"{value:.2f}" for value in table["divergence"]]
    assert list(figure.layout.xaxis.ticktext) == ["1.1", "1.2", "1.3", "2.1", "2.2", "2.3"]
    assert_allclose(figure.layout.xaxis.tickvals, bars.x)
    assert bars.x[3] - bars.x[2] > bars.x[2] - bars.x[1], "layers stand apart"
    assert [tuple(head) for head in targets.customdata] == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]
    assert_allclose(targets.x, bars.x)
    assert figure.layout.yaxis.range[1] > bars.y.max()
    assert "layer 2, head 1: 0.460 nats" in targets.hovertext[3]


@each(
    ("values", "written"),
    [
        ([0.7, 0.052, 0.004, 0], ["0.70", "0.05", "<0.01", "0.00"]),
        ([0.0041, 0.0013, 0.00004, 0], ["0.0041", "0.0013", "<0.0001", "0.0000"]),
        ([0.0003, 0.00001, 0, 0], ["0.0003", "<0.0001", "0.0000", "0.0000"]),
        ([0, 0, 0, 0], ["0.00"] * 4),
    ],
)
def test_bars_of_small_effects_have_the_digits_that_tell_them_apart(
    values: list[float], written: list[str]
) -> None:
    table = table_of(2, 2).assign(divergence=values)
    figure = head_effects(table, theme=LIGHT)
    assert list(figure.data[0].text) == written
    if values[1] == 0.0013:
        assert "layer 1, head 2: 0.0013 nats" in figure.data[1].hovertext[1]
        assert "layer 2, head 1: 4·10⁻⁵ nats" in figure.data[1].hovertext[2]
        assert (
            "layer 1, head 1: 0.0041; layer 1, head 2: 0.0013; layer 2, head 1: 4·10⁻⁵"
            in effects(table, theme=LIGHT).alt()
        )


@pytest.mark.parametrize("theme", THEMES.values())
def test_heads_that_are_knocked_out_are_hatched_and_named_in_the_colour_of_a_choice(theme: Theme) -> None:
    figure = head_effects(table_of(), theme=theme, silenced={(1, 3), (2, 1)})
    look = figure.data[0].marker
    assert list(look.pattern.shape) == ["", "", "/", "/", "", ""]
    assert list(look.color) == [theme.attention] * 2 + [theme.selection] * 2 + [theme.attention] * 2
    assert [theme.selection in name for name in figure.layout.xaxis.ticktext] == [
        False, False, True, True, False, False
    ]  # fmt: skip
