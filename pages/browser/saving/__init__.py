"""Saving what is seen: a button beside every picture, and the panel that it opens, which asks for files."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from pages.browser.scripts import FILES, LINK_HERE
from viz.theme import THEMES

HERE = Path(__file__).parent
DRAWN = "drawn"
"""The end of the key of a container around a picture that a script of ours draws."""

BARE = "bare"
"""A mark in the key of a picture's container: no row of numbers below it has room for its button."""

UNSAVED = "unsaved"
"""A mark in the key of a container whose content is not saved."""

LABELS = {"light": "Light", "dark": "Dark", "grey": "Grey, for printing"}
"""What the themes are called, where they are there."""


def offer_saving(presets: Sequence[tuple[str, str, bool]]) -> None:
    """Put a button beside every picture; its panel offers shapes: name, label, whether it is a slide."""
    _saving()(key="saving", data=_data(presets), height=0)


def _data(presets: Sequence[tuple[str, str, bool]]) -> dict[str, Any]:
    return {
        "presets": presets,
        "themes": [[theme.name, LABELS.get(theme.name, theme.name)] for theme in THEMES.values()],
    }


@cache
def _saving() -> Any:
    """The component: made when it is first shown, like everything that asks for all of the pages."""
    scripts = (LINK_HERE, FILES, *(HERE / f"{name}.js" for name in ("places", "options", "panel")))
    return st.components.v2.component(
        "saving",
        css=(HERE / "panel.css").read_text("utf-8"),
        js="\n".join(path.read_text("utf-8") for path in scripts),
    )
