"""What a visitor has chosen of each control, known before it is drawn; and what binds it to the link."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitAPIException

from pages.contract.answers import Answers, Refusal, refusal
from pages.contract.control import Control, control, in_link, spelt
from pages.contract.parameters.declared import COMPUTED
from pages.contract.prose import literal
from pages.controls.arrival import arrive, forget, has_arrived, put, put_spelt, set_aside
from pages.controls.history import is_walking_back
from pages.controls.notes import complain, repeat
from pages.controls.own import own_source

Binding = Literal["query-params"] | None

UNBOUND = "unbound"
"""The key under which a session remembers that this run has found something impossible in the link."""


SET_FOR = "switches are set for"
"""The key under which a session keeps the real model that the switches show, if any."""


@dataclass
class PageAnswers(Answers):
    """The answers of the session or, before it has one, of the link; complaints go to `notes`."""

    notes: DeltaGenerator
    bindings: dict[str, Binding] = field(default_factory=dict)

    def value(self, asked: Control) -> Any:
        """The value that the control is about to show."""
        self.followed.add(asked.name)
        if asked.kind == "spelt":
            return self._spelt(asked)
        if asked.clamps and (st.session_state.get(asked.name) or 1) > _largest(asked):
            st.session_state[asked.name] = _largest(asked)
        if asked.kind == "text":
            arrive(asked.name, asked.default)
            self.bindings[asked.name] = "query-params"
        else:
            self.bindings[asked.name] = bind(asked, self.notes)
        if asked.name in st.session_state and not is_walking_back():
            return st.session_state[asked.name]
        spelling = st.query_params.get_all(asked.name)
        return asked.read(spelling) if spelling and asked.accepts(spelling) else asked.default

    def spelling(self, name: str) -> str | None:
        """What the session says of a parameter or, before it has it, the link."""
        value = st.session_state.get(name, st.query_params.get(name))
        return None if value is None else spelt(value)

    def spellings(self, name: str) -> list[str]:
        """What the link says."""
        self.followed.add(name)
        return st.query_params.get_all(name)

    def accept(self, name: str, kept: Sequence[str], refused: Sequence[Refusal]) -> None:
        """Have the link forget what is refused, and say why until something else is chosen."""
        if len(kept) < len(self.spellings(name)):
            put_spelt(name, kept)
        for one in refused:
            complain(name, str(one), tuple(kept), self.notes)
        if not refused:
            repeat(name, tuple(kept), self.notes)

    def keeps(self, name: str, value: str) -> bool:
        """Whether this is chosen, or was on another page and has been set aside."""
        return self.spelling(name) == value or set_aside(name) == value

    def assume(self, name: str, value: str, *, instead_of: str) -> None:
        """Set a default on arrival, where neither the link nor the visitor has said anything else."""
        untouched = st.session_state.get(name, instead_of) == instead_of
        if has_arrived(name) and untouched and name not in st.query_params:
            put(name, value)

    def own_model(self) -> str | None:
        """The visitor's model; where the link asks for one in vain a note says why."""
        return own_source(self.notes)

    def belong_to(self, model: str | None, controls: Mapping[str, Any]) -> None:
        """Set the switches to what a real model has, where one is chosen or left."""
        if st.session_state.get(SET_FOR, model) != model:
            for name, default in controls.items():
                st.session_state[name] = default
        st.session_state[SET_FOR] = model

    def is_about(self, name: str, subject: object) -> None:
        """Forget a parameter whose subject has changed; Back and undo bring it back with its subject."""
        kept = f"{name} is about"
        if st.session_state.get(kept, subject) != subject and not is_walking_back():
            forget(name)
        st.session_state[kept] = subject

    def loading(self, title: str) -> AbstractContextManager[None]:
        """Say that a model is being loaded."""
        return st.spinner(f"Loading {literal(title)}")

    def _spelt(self, asked: Control) -> Any:
        """What the link says; where it says something impossible a note says so, and the link forgets it."""
        raw = [",".join(st.query_params.get_all(asked.name))]
        if raw == [""] or asked.accepts(raw):
            repeat(asked.name, raw[0], self.notes)
            return asked.read(raw) if raw != [""] else asked.default
        del st.query_params[asked.name]
        complain(asked.name, str(refusal(asked, raw)), "", self.notes)
        return asked.default


def bind(asked: Control, notes: DeltaGenerator) -> Binding:
    """What binds a control to the link: nothing in the run that finds something impossible there.

    Streamlit would make something of it: 1 of 1.5, the first of two, nothing at all of nothing. A note is
    about what somebody has written into the link, not about what the visitor has chosen on another page.
    """
    name = asked.name
    arrive(name, asked.default, fits=asked.fits)
    raw = st.query_params.get_all(name)
    if not raw or asked.accepts(raw):
        repeat(name, st.session_state.get(name, asked.default), notes)
        return "query-params"
    if raw != in_link(set_aside(name)):
        complain(name, str(refusal(asked, raw)), asked.default, notes)
    try:
        del st.query_params[name]
    except StreamlitAPIException:  # bound since an earlier run: another control took the value away
        return "query-params"
    st.session_state[UNBOUND] = True
    return None


def bind_switch(name: str, notes: DeltaGenerator, *, default: Any = COMPUTED) -> Binding:
    """What binds something that is on or off, or open or shut, to the link."""
    return bind(control(name, "switch", default=default), notes)


def bind_all() -> None:
    """Run the app again where a control is not bound yet: its next change would be missing in the link."""
    if st.session_state.pop(UNBOUND, False):
        st.rerun()


def only(name: str, value: str, *, notes: DeltaGenerator) -> str:
    """A parameter without a control: this page has nothing else to choose."""
    asked = st.query_params.get_all(name)
    if asked and asked != [value]:
        there_is = Control(name, "one of", options=(value,), default=value)
        complain(name, str(refusal(there_is, asked)), value, notes)
        del st.query_params[name]
    else:
        repeat(name, value, notes)
    return value


def _largest(asked: Control) -> int:
    assert asked.bounds is not None, "every number is declared with its bounds"
    return asked.bounds[1]
