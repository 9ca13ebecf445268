"""Saving pictures: a button beside every picture opens a panel that offers files."""

from collections.abc import Sequence
from pathlib import Path

from pages.browser.component import component
from pages.browser.scripts import FILES, LINK_HERE
from viz.theme import THEMES

HERE = Path(__file__).parent
SCRIPTS = (LINK_HERE, FILES, *(HERE / name for name in ("places.js", "options.js", "panel.js", "panel.css")))

DRAWN = "drawn"
"""End of the key of a container around a picture that our script draws."""

BARE = "bare"
"""Mark in the key of a picture's container: no row of numbers below it has room for its button."""

UNSAVED = "unsaved"
"""Mark in the key of a container whose content is not saved."""

LABELS = {"light": "Light", "dark": "Dark", "grey": "Grey, for printing"}


def offer_saving(presets: Sequence[tuple[str, str, bool]]) -> None:
    """Put a button beside every picture; its panel offers shapes: name, label, whether it is a slide."""
    themes = [[name, LABELS.get(name, name)] for name in (theme.name for theme in THEMES.values())]
    component("saving", *SCRIPTS)(key="saving", data={"presets": presets, "themes": themes}, height=0)
