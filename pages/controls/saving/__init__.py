"""Saving what is seen: a button beside every picture, and the panel that it opens, which asks for files."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from pages.controls.scripts import FILES, LINK_HERE
from viz.theme import THEMES

HERE = Path(__file__).parent
OF_THEIR_OWN = ("strip", "lines", "reshape")
"""Keys of what can be saved and does not stand in a container of its own, as figures of Plotly's do."""

NOT_SAVED = ("entries", "concepts", "treated", "slips", "documents", "real_models", "my_lecture")
"""Keys of what is no picture of a model: tables of sentences and links, and one's own lecture."""

WITHOUT_NUMBERS = ("scores", "heads_table", "largest_changes", "similarities", "counts")
"""Keys of what has no row of numbers below it, where its button stands: frame.css leaves room for it."""

LABELS = {"light": "Light", "dark": "Dark", "grey": "Grey, for printing"}
"""What the themes are called, where they are there."""


def offer_saving(presets: Sequence[tuple[str, str]]) -> None:
    """Put a button beside every picture; its panel offers these shapes, by their names and labels."""
    _saving()(key="saving", data=_data(presets), height=0)


def _data(presets: Sequence[tuple[str, str]]) -> dict[str, Any]:
    return {
        "ownKeys": OF_THEIR_OWN,
        "notSaved": NOT_SAVED,
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
