"""A picture: a figure, its title, the same for who cannot see it, and the numbers it was drawn from."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pandas as pd
import plotly.graph_objects as go


@dataclass(frozen=True)
class Picture:
    """One function makes all of it from the numbers found, so that no part can differ from another.

    `alt` is the alternative text. `table` makes the table, which few readers open; None where the numbers are
    those of another picture. `data` makes the numbers that are drawn, one by one, for a file; None where the
    table has them already. `nothing` says why not a single number is drawn yet, and is empty where some are.
    `title` is what the picture is called away from its page, on a slide: a noun
    phrase in plain characters, typed words as they are, so whoever draws it escapes it. On one sheet no two
    pictures have the same.
    """

    figure: go.Figure
    alt: str
    table: Callable[[], pd.DataFrame] | None = None
    data: Callable[[], pd.DataFrame] | None = None
    nothing: str = field(default="", kw_only=True)
    title: str = field(kw_only=True)
