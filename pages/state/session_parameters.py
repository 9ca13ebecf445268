"""Values of controls from the state of a session, and notes on impossible ones."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.browser.owner import own_source, why_no_own_model
from pages.contract.link_parameters import LinkParameters, Refusal
from pages.contract.parameter import Parameter, in_link
from pages.contract.prose import literal
from pages.contract.switches import OWN
from pages.state.link import current_state, drawing

MODEL = "model"
"""Name of the subject of the switches: the real model they are set for."""

HERE = cast(DeltaGenerator, st)
"""The point where the page is being drawn: an unneeded note there sends no message to the browser."""


def warn(notes: DeltaGenerator, *sentences: str) -> None:
    """Add each sentence to the notes unless it is empty."""
    for said in filter(None, sentences):
        notes.warning(said, icon=":material/link_off:")


class SessionParameters(LinkParameters):
    """Values of the session for the part of its page that is being drawn; refusals are among `notes`."""

    def __init__(self, notes: DeltaGenerator) -> None:
        self._state, self._notes = current_state(), notes
        super().__init__(self._state.chosen)

    def value(self, asked: Parameter) -> Any:
        name, found = asked.name, super().value(asked)
        if asked.kind == "spelt":
            self._show(name, needed=name in self.kept)
            return found
        if asked.default is not None:
            self._state.usual[name] = in_link(asked.default)
        self._show(name, needed=found != asked.default)
        return found

    def refuse(self, asked: Parameter, refusal: Refusal) -> Any:
        """Note why a value of the link is impossible.

        A choice made elsewhere is only set aside, until it is possible again or something else is chosen.
        """
        if asked.name not in self._state.came:
            return asked.nearest(self.link[asked.name])
        self._state.refuse(asked.name, refusal)
        return asked.default

    def accept(self, name: str, kept: Sequence[str], refused: Sequence[Refusal]) -> None:
        """Keep the possible values, and give the reasons of refusals until something else is chosen."""
        if refused:
            self._state.refuse(name, *refused)
        if kept:
            self._state.chosen[name] = list(kept)
        self._show(name, needed=bool(kept))

    def assume(self, name: str, value: str) -> None:
        """Set a parameter on arrival at the page, unless the visitor has chosen it."""
        if self._state.is_arriving:
            super().assume(name, value)

    def own_model(self) -> str | None:
        """Return the source of the visitor's model; a note says why there is none if the link asks for it."""
        found = own_source()
        if found is None and self.spelling(MODEL) == OWN:
            self._state.refuse(MODEL, Refusal(why_no_own_model()))
        return found

    def reset_if_changed(self, what: str, subject: object, names: Iterable[str]) -> None:
        state = self._state
        if state.subjects.get(what, subject) != subject:
            for name in set(names) - state.changed:
                state.chosen.pop(name, None)
        state.subjects[what] = subject

    def loading(self, title: str) -> AbstractContextManager[None]:
        return st.spinner(f"Loading {literal(title)}")

    def _show(self, name: str, *, needed: bool) -> None:
        drawing().follow(name, needed=needed)
        warn(self._notes, *map(str, self._state.refused.get(name, ())))
