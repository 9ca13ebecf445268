"""Colours, digits and inks say the same thing about a number."""

import numpy as np
import plotly.colors

from tests.covering import each
from viz.layout.scale import Scale, channels_of, luminance, mask_scale, signed_scale, weight_scale
from viz.theme import LIGHT, THEMES, Theme

IN_ALL = each("theme", THEMES.values())
EVERYWHERE = np.linspace(-1, 1, 401)


def contrast(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    darker, lighter = np.sort([luminance(one), luminance(other)], axis=0)
    return (lighter + 0.05) / (darker + 0.05)


def all_scales(theme: Theme) -> list[Scale]:
    return [weight_scale(theme), signed_scale(np.array([1.0]), theme), mask_scale(theme)]


@IN_ALL
def test_colours_are_those_that_plotly_paints(theme: Theme) -> None:
    scale = signed_scale(EVERYWHERE, theme)
    painted = plotly.colors.sample_colorscale(list(map(list, scale.colours)), list((EVERYWHERE + 1) / 2))
    channels = np.array([plotly.colors.unlabel_rgb(colour) for colour in painted])
    np.testing.assert_allclose(scale.rgb(EVERYWHERE), channels / 255, atol=0.005)


@IN_ALL
def test_every_digit_can_be_read_on_every_colour(theme: Theme) -> None:
    for scale in all_scales(theme):
        inks = np.array([channels_of(ink) for ink in scale.inks(EVERYWHERE, theme)])
        assert contrast(scale.rgb(EVERYWHERE), inks).min() >= 4.5


@IN_ALL
def test_a_zero_is_printed_lightly_and_no_other_weight_is(theme: Theme) -> None:
    inks = weight_scale(theme).inks(np.array([0, 0.004, 0.006, 1]), theme)
    assert list(inks == theme.muted) == [True, True, False, False]


def test_luminance_runs_from_black_to_white_with_grey_where_the_standard_has_it() -> None:
    greys = np.array([[0.0] * 3, [1.0] * 3, [0.5] * 3])
    np.testing.assert_allclose(luminance(greys), [0, 1, 0.2140], atol=1e-4)


@each(
    ("largest", "printed"),
    [(0.9, "0.90"), (0.37, "0.37"), (3.24, "3.2"), (12.3, "12.3"), (0.0021, "0.0021"), (2e-7, "2.0e−07")],
)
def test_a_limit_is_printed_with_as_many_decimals_as_it_needs(largest: float, printed: str) -> None:
    scale = signed_scale(np.array([largest]), LIGHT)
    assert scale.ends == (f"−{printed}", printed)


def test_a_difference_prints_both_signs_and_none_before_a_zero() -> None:
    scale = signed_scale(np.array([0.5]), LIGHT, signed=True)
    assert [scale.digits(value) for value in (0.25, -0.25, 0.004, -0.004)] == [
        "+0.25",
        "−0.25",
        "0.00",
        "0.00",
    ]


@each(
    ("largest", "value", "written"),
    [
        (0.78, -0.491, "−.49"),
        (0.78, 0.5, "+.50"),
        (0.78, 0.0, ".00"),
        (0.05, 0.012, "+.012"),
        (1, 0.5, "+0.5"),
    ],
)
def test_a_zero_before_the_point_is_left_out_below_1_alone(
    largest: float, value: float, written: str
) -> None:
    scale = signed_scale(np.array([largest]), LIGHT, signed=True)
    assert scale.digits_without_zero(value) == written
    assert weight_scale(LIGHT).digits_without_zero(0.25) == "0.25"
