"""Buttons of a form: those that change the link, do something, hand out a file, or load a model."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal

import streamlit as st

from core.sources import UnavailableError
from core.sources.pretrained import cached_model, title_of
from pages.contract.items import Action, Button, Download
from pages.contract.prose import literal
from pages.state.link import change_link

Kind = Literal["primary", "secondary", "tertiary"]

LARGE = "The model needs a large share of this server's free memory, so it is loaded only on request."


def load_button(name: str) -> None:
    """Draw the button that loads the large model of this name."""
    st.caption(LARGE)
    st.button("Load it", icon=":material/memory:", key="load_large", on_click=_load, args=(name,))


def _load(name: str) -> None:
    with (
        st.spinner(f"Loading {literal(title_of(name))}"),
        suppress(UnavailableError),
    ):  # the page says so
        cached_model(name, asked=True)


def button(item: Button) -> None:
    """Draw a button that changes the link."""
    kind: Kind = "tertiary" if item.tertiary else "secondary"
    _draw(item, lambda: change_link(item.changes), kind)


def action_button(action: Action) -> None:
    """Draw a button for an action that changes nothing in the link."""
    _draw(action, action.act, "primary" if action.is_primary else "secondary")


def _draw(item: Button | Action, act: Callable[[], None], kind: Kind) -> None:
    look: dict[str, Any] = {"icon": item.icon, "disabled": item.is_off, "help": item.help}
    st.button(item.label, key=item.key, on_click=act, type=kind, **look)


def download_button(file: Download) -> None:
    """Draw a button that hands out a file."""
    st.download_button(
        file.label,
        file.contents,
        file_name=file.file_name,
        mime="application/octet-stream",
        on_click="ignore",
        icon=":material/download:",
        help=file.help,
    )
