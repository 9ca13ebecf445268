"""A picture: a figure, the same for who cannot see it, and the numbers it was drawn from."""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go


@dataclass(frozen=True)
class Picture:
    """One function makes all three from the numbers found, so that they cannot differ.

    `alt` is the alternative text. `table` makes the table, which few readers open; None where the numbers are
    those of another picture.
    """

    figure: go.Figure
    alt: str
    table: Callable[[], pd.DataFrame] | None = None
