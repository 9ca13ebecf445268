"""Colours, digits and inks say the same thing about a number."""

import numpy as np
import plotly.colors
import pytest

from tests.covering import each
from viz.parts.scale import Scale, channels_of, luminance, mask_scale, signed_scale, weight_scale
from viz.theme import GREY, LIGHT, THEMES, Theme

IN_ALL = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
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


def test_a_zero_that_is_no_paper_is_printed_as_any_other_number() -> None:
    inks = signed_scale(np.array([1.0]), GREY).inks(np.array([0.0, 0.001]), GREY)
    assert list(inks) == ["#000000", "#000000"]


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


def test_whole_limits_are_printed_without_decimals() -> None:
    assert weight_scale(LIGHT).ends == ("0", "1")
    assert signed_scale(np.array([6.0]), LIGHT).ends == ("−6", "6")


def test_a_difference_prints_both_signs_and_none_before_a_zero() -> None:
    scale = signed_scale(np.array([0.5]), LIGHT, signed=True)
    assert [scale.digits(value) for value in (0.25, -0.25, 0.004, -0.004)] == [
        "+0.25",
        "−0.25",
        "0.00",
        "0.00",
    ]


def test_a_scale_of_nothing_but_zeros_still_has_limits() -> None:
    scale = signed_scale(np.zeros(3), LIGHT)
    assert (scale.low, scale.high) == (-1, 1)


def test_a_zero_is_named_between_two_signs_where_it_has_room() -> None:
    signed = signed_scale(np.array([6.0]), LIGHT)
    assert signed.named(10) == {-6: "−6", 0: "0", 6: "6"}
    assert signed.named(3) == {-6: "−6", 6: "6"}
    assert weight_scale(LIGHT).named(10) == {0: "0", 1: "1"}
