"""The themes say the same with other colours, all can be read, and one of them has no hue."""

from dataclasses import fields

from tests.covering import each
from viz.theme import DARK, GREY, LIGHT, THEMES, Theme

IN_ALL = each("theme", THEMES.values())
BOTH = each("theme", [LIGHT, DARK])


def brightness(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it, written out for a single colour."""
    total = 0.0
    for at, share in ((1, 0.2126), (3, 0.7152), (5, 0.0722)):
        channel = int(colour[at : at + 2], 16) / 255
        total += share * (channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4)
    return total


def contrast(one: str, other: str) -> float:
    dark, light = sorted((brightness(one), brightness(other)))
    return (light + 0.05) / (dark + 0.05)


@IN_ALL
def test_no_weight_has_the_colour_of_the_paper(theme: Theme) -> None:
    assert theme.sequential[0] == (0.0, theme.paper)


@BOTH
def test_zero_has_the_colour_of_the_paper(theme: Theme) -> None:
    assert dict(theme.diverging)[0.5] == theme.paper


@IN_ALL
def test_more_weight_is_always_further_from_the_paper(theme: Theme) -> None:
    distance = [contrast(colour, theme.paper) for _, colour in theme.sequential]
    assert distance == sorted(distance)


def test_the_themes_differ_in_every_role() -> None:
    same = [role.name for role in fields(Theme) if getattr(LIGHT, role.name) == getattr(DARK, role.name)]
    assert same == []
    assert THEMES == {"light": LIGHT, "dark": DARK, "grey": GREY}


def test_grey_has_no_hue() -> None:
    maps = (GREY.sequential, GREY.diverging)
    colours = [value for value in vars(GREY).values() if str(value).startswith("#")]
    colours += [colour for one in maps for _, colour in one]
    assert len(colours) == 19
    assert [colour for colour in colours if colour[1:3] != colour[3:5] or colour[3:5] != colour[5:]] == []
    assert [theme.has_hues for theme in THEMES.values()] == [True, True, False]


def test_in_grey_zero_is_paper_and_both_ends_are_as_dark() -> None:
    shades = [brightness(colour) for _, colour in GREY.diverging]
    assert shades == shades[::-1]
    assert shades[2] == brightness(GREY.paper)
    assert shades[:3] == sorted(set(shades))


@IN_ALL
def test_bars_of_both_signs_are_seen_on_paper(theme: Theme) -> None:
    assert len(set(theme.signs)) == 2
    assert min(contrast(colour, theme.paper) for colour in theme.signs) >= 3


@BOTH
def test_bars_of_both_signs_have_the_ends_of_the_diverging_map(theme: Theme) -> None:
    assert theme.signs == (theme.diverging[0][1], theme.diverging[-1][1])
