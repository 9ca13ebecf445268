"""A table in sight whose rows may be selected."""

from functools import partial
from typing import Any

import streamlit as st

from pages.contract.sheet import Column, Listed
from pages.controls.page_rerun import change, change_now, link
from pages.controls.screen import look


def listed(part: Listed) -> None:
    """Show a table of a sheet; a row that is selected changes the link."""
    columns = {name: _configured(column) for name, column in part.columns.items()}
    written: dict[str, Any] = {"hide_index": True, "width": part.width, "column_config": columns}
    if part.on_select is not None:
        written |= {"on_select": partial(change, _select, part), "selection_mode": "single-row"}
    st.dataframe(part.table, key=part.key, **written)


def _select(part: Listed) -> None:
    assert part.on_select is not None, "only such a table is listened to"
    for row in st.session_state[part.key].selection.rows:
        change_now(part.on_select(row, link()))


def _configured(column: Column) -> Any:
    named: dict[str, Any] = {"label": column.title or None, "width": column.width, "help": column.help}
    if column.is_bar:
        named |= {"min_value": 0, "max_value": 1, "color": look().theme.attention}
        return st.column_config.ProgressColumn(format=column.format, **named)
    if column.format is None:
        return st.column_config.Column(pinned=column.is_pinned, **named)
    return st.column_config.NumberColumn(format=column.format, pinned=column.is_pinned, **named)
