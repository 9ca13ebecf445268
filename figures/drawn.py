"""Drawings of our own as exhibits: the script that a page runs, its style and its data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pages.contract.sheet import Drawing
from viz.theme import FONT, Theme


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """A drawing: the text of a module, its style, and its data with the alternative text.

    `table` and `title` are as those of a picture.
    """

    script: str
    style: str
    data: Mapping[str, Any]
    table: Callable[[], pd.DataFrame] | None
    title: str

    @property
    def alt(self) -> str:
        """The alternative text."""
        return str(self.data["alt"])


def drawn(part: Drawing, theme: Theme, table: Callable[[], pd.DataFrame] | None) -> Drawn:
    """Return a drawing of a sheet in the colours of a theme."""
    script = "\n".join(path.read_text("utf-8") for path in (*part.on, part.script))
    style = f"{_variables(theme)}{part.script.with_suffix('.css').read_text('utf-8')}"
    return Drawn(script=script, style=style, data=part.data, table=table, title=part.title)


def _variables(theme: Theme) -> str:
    """Return the CSS variables with which a page tells its components its look."""
    said = {
        "font": FONT,
        "text-color": theme.ink,
        "background-color": theme.paper,
        "secondary-background-color": theme.line,
        "border-color": theme.line,
        "primary-color": theme.primary,
    }
    return f":host {{ {' '.join(f'--st-{name}: {value};' for name, value in said.items())} }}\n"
