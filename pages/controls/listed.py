"""A table in sight."""

from typing import Any

import pandas as pd
import streamlit as st

from pages.contract.sheet import Column, Table
from pages.controls.picture import has_no_names
from pages.controls.screen import look


def draw_in_sight(part: Table, table: pd.DataFrame) -> None:
    """Draw a table of a sheet, its columns as it says."""
    columns = {name: _configured(column) for name, column in part.columns.items()}
    st.dataframe(
        table, key=part.key, hide_index=has_no_names(table.index), width=part.width, column_config=columns
    )


def _configured(column: Column) -> Any:
    named: dict[str, Any] = {"label": column.title or None, "width": column.width}
    if column.is_bar:
        named |= {"min_value": 0, "max_value": 1, "color": look().theme.attention}
        return st.column_config.ProgressColumn(format=column.format, **named)
    if column.format is None:
        return st.column_config.Column(**named)
    return st.column_config.NumberColumn(format=column.format, **named)
