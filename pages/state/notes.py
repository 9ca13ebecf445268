"""Notes about what a link asks for in vain."""

from collections.abc import Collection
from typing import cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.contract.sheet import Link
from pages.contract.unfollowed import unfollowed, unfollowed_named, unknown_parameters
from pages.state.link import State

ICON = ":material/link_off:"
HERE = cast(DeltaGenerator, st)
"""The point where the page is being drawn: an unneeded note there takes no message to the browser."""


def note_unknown_parameters(link: Link, notes: DeltaGenerator) -> None:
    """Name the parameters of the link that no page has."""
    said = unknown_parameters(link)
    if said:
        notes.warning(said, icon=ICON)


def note_unfollowed(state: State, followed: Collection[str], notes: DeltaGenerator) -> None:
    """Name the parameters of the link that its view does not follow.

    Choices made on another page or view of the app are carried along without a note.
    """
    if state.in_vain is None:
        state.in_vain = unfollowed({name: state.chosen[name] for name in state.came}, followed)
    if said := unfollowed_named(state.in_vain):
        notes.warning(said, icon=ICON)
