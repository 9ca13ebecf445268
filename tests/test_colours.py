"""The frame around the figures wears the same colours as the figures."""

import tomllib
from pathlib import Path

import pytest

from viz.theme import DARK, LIGHT, Theme

CONFIG = tomllib.loads((Path(__file__).parents[1] / ".streamlit" / "config.toml").read_text("utf-8"))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_page_around_a_figure_has_its_paper_ink_line_and_primary_colour(theme: Theme) -> None:
    page = CONFIG["theme"][theme.name]
    assert page["backgroundColor"] == theme.paper
    assert page["textColor"] == theme.ink
    assert page["borderColor"] == theme.line
    assert page["primaryColor"] == theme.primary
