"""A table in sight."""

from typing import Any

import streamlit as st

from pages.contract.sheet import Column, Listed
from pages.controls.screen import look


def listed(part: Listed) -> None:
    """Show a table of a sheet."""
    columns = {name: _configured(column) for name, column in part.columns.items()}
    st.dataframe(part.table, key=part.key, hide_index=True, width=part.width, column_config=columns)


def _configured(column: Column) -> Any:
    named: dict[str, Any] = {"label": column.title or None, "width": column.width}
    if column.is_bar:
        named |= {"min_value": 0, "max_value": 1, "color": look().theme.attention}
        return st.column_config.ProgressColumn(format=column.format, **named)
    if column.format is None:
        return st.column_config.Column(**named)
    return st.column_config.NumberColumn(format=column.format, **named)
