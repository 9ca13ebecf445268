"""The answers of a session: what its state says of every control that the page asks for."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.browser.owner import own_source, why_no_own_model
from pages.contract.answers import Answers, Refusal, refusal
from pages.contract.control import Control, in_link
from pages.contract.prose import literal
from pages.contract.switches import OWN
from pages.state.link import drawing, here
from pages.state.notes import ICON

MODEL = "model"
"""The subject of the switches: which real model they are set for."""


class PageAnswers(Answers):
    """The answers of the session to the part of its page that is being drawn; refusals are among `notes`."""

    def __init__(self, notes: DeltaGenerator) -> None:
        self._state, self._notes = here(), notes
        super().__init__(self._state.chosen)

    def value(self, asked: Control) -> Any:
        """Return the value that the control is about to show.

        What was chosen elsewhere and is impossible here is set aside, until it is possible again or something
        else is chosen.
        """
        state, name = self._state, asked.name
        self.followed.add(name)
        spelling = state.chosen.get(name, [])
        if spelling and not asked.accepts(spelling):
            if name in state.came:
                state.refuse(name, refusal(asked, spelling))
                spelling = []
            else:
                spelling = asked.possible_of(spelling)
        found = asked.read(spelling) if spelling else asked.default
        is_usual = asked.kind != "spelt" and found == asked.default
        if asked.kind != "spelt" and asked.default is not None:
            state.usual[name] = in_link(asked.default)
        self._show(name, needed=bool(spelling) and not is_usual)
        return found

    def accept(self, name: str, kept: Sequence[str], refused: Sequence[Refusal]) -> None:
        """Keep what is possible, and say why until something else is chosen."""
        if refused:
            self._state.refuse(name, *refused)
        if kept:
            self._state.chosen[name] = list(kept)
        self._show(name, needed=bool(kept))

    def assume(self, name: str, value: str) -> None:
        """Set a parameter on arrival at the page, if nobody has chosen it."""
        if self._state.is_arriving:
            super().assume(name, value)

    def own_model(self) -> str | None:
        """Return the source of the visitor's model; where the link asks for one in vain a note says why."""
        found = own_source()
        if found is None and self.spelling(MODEL) == OWN:
            self._state.refuse(MODEL, Refusal(why_no_own_model()))
        return found

    def belong_to(self, model: str | None, controls: Mapping[str, Any]) -> None:
        """Bring the controls back to their defaults when another real model is chosen, or it is left."""
        for name in controls:
            self._forget_if_other(name, MODEL, model)
        self._state.subjects[MODEL] = model

    def is_about(self, name: str, subject: object) -> None:
        """Forget a parameter whose subject has changed."""
        self._forget_if_other(name, name, subject)
        self._state.subjects[name] = subject

    def loading(self, title: str) -> AbstractContextManager[None]:
        """Say that a model is being loaded."""
        return st.spinner(f"Loading {literal(title)}")

    def _forget_if_other(self, name: str, what: str, subject: object) -> None:
        state = self._state
        if state.subjects.get(what, subject) != subject and name not in state.changed:
            state.chosen.pop(name, None)

    def _show(self, name: str, *, needed: bool) -> None:
        drawing().follow(name, needed=needed)
        for one in self._state.refused.get(name, ()):
            self._notes.warning(str(one), icon=ICON)
