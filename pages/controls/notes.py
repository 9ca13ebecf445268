"""Notes about what a link asks for in vain: each stays until the visitor changes the control it is about."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.contract.unfollowed import unfollowed, unfollowed_named, unknown_parameters

ICON = ":material/link_off:"
HERE = cast(DeltaGenerator, st)
"""The point where the page is being drawn: an unneeded note there takes no message to the browser."""

KEPT, CAME_WITH = "complaints", "came with"


@dataclass
class Complaint:
    """What is said about one parameter on one page, while its control has the value it had then."""

    page: str
    value: Any
    texts: list[str] = field(default_factory=list)


def complain(name: str, text: str, value: Any, notes: DeltaGenerator) -> None:
    """Say `text` about the parameter `name`, which has been given `value` instead of what was asked for.

    The page may run again at once, for the width of the window say, when the link no longer asks for it: so
    the note is kept.
    """
    kept = _kept().get(name)
    if kept is None or not _stands(kept, value):
        kept = _kept()[name] = Complaint(_here(), value)
    if text not in kept.texts:
        kept.texts.append(text)
    notes.warning(text, icon=ICON)


def repeat(name: str, value: Any, notes: DeltaGenerator) -> None:
    """Say again what still stands about `name`, whose control has this value now."""
    kept = _kept().get(name)
    if kept is None:
        return
    if not _stands(kept, value):
        del _kept()[name]
        return
    for text in kept.texts:
        notes.warning(text, icon=ICON)


def forget() -> None:
    """Take back every note: the visitor has come to another link."""
    st.session_state.pop(KEPT, None)


def note_unknown_parameters(notes: DeltaGenerator) -> None:
    """Name the parameters of the link that no page has."""
    said = unknown_parameters(st.query_params)
    if said:
        notes.warning(said, icon=ICON)


def note_unfollowed(followed: Collection[str], view: str, notes: DeltaGenerator) -> None:
    """Name the parameters of the link that a visitor came with and that its view does not follow.

    Choices made on another page or view of the app are carried along without a note.
    """
    here, link = (_here(), view), {name: st.query_params.get_all(name) for name in st.query_params}
    came_to, in_vain = st.session_state.setdefault(CAME_WITH, (here, unfollowed(link, followed)))
    if came_to == here and (
        said := unfollowed_named({name: in_vain[name] for name in in_vain if name in link})
    ):
        notes.warning(said, icon=ICON)


def _stands(kept: Complaint, value: Any) -> bool:
    return (kept.page, kept.value) == (_here(), value)


def _here() -> str:
    return str(st.context.url)


def _kept() -> dict[str, Complaint]:
    kept: dict[str, Complaint] = st.session_state.setdefault(KEPT, {})
    return kept
