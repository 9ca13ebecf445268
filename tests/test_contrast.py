"""Text is readable on its background: a contrast of at least 4.5 : 1 in every theme (WCAG 2.2, 1.4.3)."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.covering import each
from viz.theme import DARK, LIGHT, THEMES, Theme

ROOT = Path(__file__).parents[1]
LEAST = 4.5
ROLES = ("ink", "muted", "primary", "query", "key", "value", "output")
"""Colours of text."""


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour such as `#0B5FA5`, as WCAG defines it."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return how many times lighter one of two colours is, between 1 and 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_the_contrast_agrees_with_the_standard() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.005)  # the lightest grey that passes
    assert contrast("#777777", "#FFFFFF") < LEAST


@each("theme", THEMES.values())
@each("role", ROLES)
def test_text_in_the_colour_of_a_role_can_be_read_on_the_paper(role: str, theme: Theme) -> None:
    assert contrast(getattr(theme, role), theme.paper) >= LEAST


@each("theme", [LIGHT, DARK])
@each("role", ["ink", "muted", "primary"])
def test_text_can_be_read_in_the_sidebar(role: str, theme: Theme) -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]

    assert contrast(getattr(theme, role), config[theme.name]["sidebar"]["backgroundColor"]) >= LEAST


@each("theme", THEMES.values())
def test_the_label_of_a_button_can_be_read(theme: Theme) -> None:
    assert contrast(theme.paper, theme.primary) >= LEAST


def test_the_frame_writes_in_the_colours_of_the_themes() -> None:
    written = re.findall(
        r" color: light-dark\((#\w{6}), (#\w{6})\)", (ROOT / "pages" / "frame.css").read_text("utf-8")
    )

    assert set(written) == {
        (getattr(LIGHT, role), getattr(DARK, role)) for role in ("ink", "muted", "primary", "paper")
    }


@each("theme", [LIGHT, DARK])
def test_the_page_around_a_figure_has_its_paper_ink_line_and_primary_colour(theme: Theme) -> None:
    page = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"][theme.name]
    assert page["backgroundColor"] == theme.paper
    assert page["textColor"] == theme.ink
    assert page["borderColor"] == theme.line
    assert page["primaryColor"] == theme.primary
