"""A picture of curves: drawn, told and listed from one table."""

from collections.abc import Callable
from typing import Any

import pandas as pd

from pages.controls.picture import picture, theme
from viz.curves import Say, curves, describe_curves
from viz.units import quantity


def chart(
    table: pd.DataFrame,
    *,
    key: str,
    what: str,
    x: str,
    y: str,
    by: str,
    say: Say = quantity,
    alt: str | None = None,
    behind: Callable[[], pd.DataFrame] | None = None,
    **look: Any,
) -> None:
    """Show the curves of `table` as the picture `key`; `look` is what else `viz.curves.curves` takes.

    The alternative text says where the curves of `what` end, unless `alt` is given. The table behind the
    picture has a row for each place on the axis and a column for each curve, unless `behind` makes another.
    """
    axes: dict[str, Any] = {"x": x, "y": y, "by": by, "say": say}
    picture(
        curves(table, **axes, theme=theme(), **look),
        key=key,
        alt=alt or describe_curves(table, **axes, what=what),
        table=behind or (lambda: _side_by_side(table, x, y, by)),
    )


def _side_by_side(table: pd.DataFrame, x: str, y: str, by: str) -> pd.DataFrame:
    names = list(dict.fromkeys(table[by]))
    return table.pivot(index=x, columns=by, values=y)[names]
