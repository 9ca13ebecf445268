"""Draws the items of a form: controls, buttons, links and small lines."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from typing import Any, Literal

import streamlit as st

from core.sources import UnavailableError
from core.sources.pretrained import cached_model, title_of
from pages.contract.items import (
    Action,
    Button,
    Control,
    ControlNote,
    Download,
    Hub,
    InlineLabel,
    Item,
    LoadButton,
    PageLink,
    Pick,
    StepButtons,
)
from pages.contract.prose import literal
from pages.shell.hub import draw_hub
from pages.shell.navigation import navigation_page
from pages.shell.text_links import linked, stop_here
from pages.shell.walk import walk_buttons
from pages.state.link import change_link
from pages.state.widgets import draw_control

Kind = Literal["primary", "secondary", "tertiary"]

LARGE = "The model needs a large share of this server's free memory, so it is loaded only on request."

BAR = 760
"""Pixels of a slider with labels at both ends."""


def draw_items(items: Sequence[Item]) -> None:
    """Draw some of the controls that were asked for."""
    for together in lines(items):
        line: dict[str, Any] = {"horizontal": True, "vertical_alignment": "center", "width": "content"}
        with st.container(**line) if len(together) > 1 else nullcontext():
            for item in together:
                _draw(item)


def lines(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Yield the items one by one, but a choice together with the names before it, on one line."""
    names: list[Item] = []
    for item in items:
        if isinstance(item, InlineLabel):
            names.append(item)
            continue
        if isinstance(item, Control) and item.widget == "choice":
            yield [*names, item]
        else:  # a slider takes the room of its line
            yield from ([one] for one in [*names, item])
        names = []
    yield from ([name] for name in names)


def _draw(item: Item) -> None:
    match item:
        case ControlNote(markdown):
            st.caption(linked(markdown))
        case InlineLabel(markdown):
            st.markdown(linked(markdown), width="content")
        case Button():
            _button(item, lambda: change_link(item.changes), "tertiary" if item.tertiary else "secondary")
        case StepButtons(name, n):
            walk_buttons(name, n)
        case LoadButton(name):
            st.caption(LARGE)
            st.button("Load it", icon=":material/memory:", key="load_large", on_click=_load, args=(name,))
        case Hub():
            draw_hub()
        case Action():
            _button(item, item.act, "primary" if item.is_primary else "secondary")
        case PageLink(label, entry, parameters):
            query = {**parameters, **stop_here()}
            st.page_link(navigation_page(entry), label=label, icon=item.icon, query_params=query)
        case Download():
            st.download_button(
                item.label,
                item.contents,
                file_name=item.file_name,
                mime="application/octet-stream",
                on_click="ignore",
                icon=":material/download:",
                help=item.help,
            )
        case Pick():
            _pick(item)
        case Control(ends=(before, after)):
            with st.container(horizontal=True, vertical_alignment="center", width=BAR, key="one_line"):
                st.markdown(linked(before), width="content")
                with st.container():
                    draw_control(item)
                st.markdown(linked(after), width="content")
        case Control():
            draw_control(item)


def _pick(item: Pick) -> None:
    def act() -> None:
        picked = st.session_state.get(item.key)
        if picked is not None:
            st.session_state[item.key] = None
            change_link(lambda link: item.on_pick(picked, link))

    st.selectbox(
        item.label,
        item.options,
        index=None,
        placeholder=item.placeholder,
        key=item.key,
        label_visibility="collapsed",
        on_change=act,
    )


def _load(name: str) -> None:
    with st.spinner(f"Loading {literal(title_of(name))}"), suppress(UnavailableError):  # the page says so
        cached_model(name, asked=True)


def _button(item: Button | Action, act: Callable[[], None], kind: Kind) -> None:
    look: dict[str, Any] = {"icon": item.icon, "disabled": item.is_off, "help": item.help}
    st.button(item.label, key=item.key, on_click=act, type=kind, **look)
