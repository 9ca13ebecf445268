"""Saving pictures: a button beside every picture opens a panel that offers files."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from pages.browser.scripts import FILES, LINK_HERE
from viz.theme import THEMES

HERE = Path(__file__).parent
DRAWN = "drawn"
"""End of the key of a container around a picture that our script draws."""

BARE = "bare"
"""Mark in the key of a picture's container: no row of numbers below it has room for its button."""

UNSAVED = "unsaved"
"""Mark in the key of a container whose content is not saved."""

LABELS = {"light": "Light", "dark": "Dark", "grey": "Grey, for printing"}
"""Labels of the themes that files can have."""


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
    """Return the component, made when it is first shown because it needs all pages."""
    scripts = (LINK_HERE, FILES, *(HERE / f"{name}.js" for name in ("places", "options", "panel")))
    return st.components.v2.component(
        "saving",
        css=(HERE / "panel.css").read_text("utf-8"),
        js="\n".join(path.read_text("utf-8") for path in scripts),
    )
