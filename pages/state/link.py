"""The link as the state of a session: read from the address, changed by acts, and written back."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.contract.link_parameters import Refusal
from pages.contract.parameter import Parameter, in_link
from pages.contract.parameters import declared, in_words
from pages.contract.real import REAL
from pages.contract.sheet import Changes, LinkValues
from pages.contract.unused_parameters import unfollowed

PAGE = "page"

PARTS = (PAGE, "view", "live")
"""Parts of a page that rerun alone, each inside the one before it."""

ABOVE = ("text", "other", "view")
"""Parameters that the page shows above its switches; the view below them reruns without these."""

REPLACES = "~"
"""Parameter of an address that is no act of the visitor: the browser replaces its history entry."""

KEY = "state"


@dataclass
class State:
    """All choices of a visitor, as links spell them, and which of them the address has.

    A choice stays while the visitor goes from page to page and from view to view. The address has
    only choices that the view follows and that are not at their defaults.

    `came` are the parameters that the link of this view brought and nobody has changed since: if one is
    impossible a note says so. `without_effect` are the parameters that the view does not follow, None until
    the view has been drawn. `changed` are those that an act has changed and no part of the page has asked
    for yet. `left` is the page shown before, or this page with another view, and its link. `shown` has,
    for each part of the page, the parameters that it followed when last drawn, and whether the address needs
    each. `usual` has the default of each control that was drawn.
    """

    page: str | None = None
    chosen: dict[str, list[str]] = field(default_factory=dict)
    came: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    refused: dict[str, tuple[Refusal, ...]] = field(default_factory=dict)
    without_effect: dict[str, Sequence[str]] | None = None
    shown: dict[str, dict[str, bool]] = field(default_factory=dict)
    usual: dict[str, list[str]] = field(default_factory=dict)
    subjects: dict[str, object] = field(default_factory=dict)
    left: tuple[str, dict[str, list[str]]] | None = None
    n_visits: int = 0
    is_arriving: bool = True

    def open(self, page: str, link: LinkValues) -> None:
        """Take the state of a link, and nothing else."""
        self._leave()
        self.chosen.clear()
        self.subjects.clear()
        self._arrive(page, link)

    def move(self, page: str, link: LinkValues) -> None:
        """Go to another page of the menu, and take along the choices that do not depend on the view."""
        self._leave()
        for name in list(self.chosen):
            one = declared(name)
            if one is None or one.kind == "spelt":
                del self.chosen[name]
        self._arrive(page, link)

    def _leave(self) -> None:
        if self.page is not None:
            self.left = (self.page, self.link)

    def _arrive(self, page: str, link: LinkValues) -> None:
        self.page, self.without_effect, self.is_arriving = page, None, True
        self.n_visits += 1
        self.shown.clear()
        self.usual.clear()
        self.refused.clear()
        self.changed.clear()
        self.chosen |= {name: in_words(name, list(values)) for name, values in link.items()}
        self.came = set(link)

    def change(self, changes: Changes) -> None:
        """Give parameters other values; None brings one back to its default."""
        if "view" in changes:
            self._leave()
        for name, value in changes.items():
            self.came.discard(name)
            self.refused.pop(name, None)
            self.changed.add(name)
            if value in (None, ()):
                self.chosen.pop(name, None)
            else:
                self.chosen[name] = in_link(value)
        if "view" in changes:
            self.came.clear()
            self.without_effect = {}

    def refuse(self, name: str, *refused: Refusal) -> None:
        """Forget impossible choices of a parameter, and give the reasons until it is changed."""
        self.refused[name] = refused
        self.chosen.pop(name, None)
        self.came.discard(name)

    def unfollowed(self, followed: Collection[str]) -> dict[str, Sequence[str]]:
        """Return the parameters of the link that its view does not follow.

        Choices made on another page or view of the app are carried along: they are not in its link.
        """
        if self.without_effect is None:
            self.without_effect = unfollowed({name: self.chosen[name] for name in self.came}, followed)
        return self.without_effect

    @property
    def link(self) -> dict[str, list[str]]:
        """Return the parameters of the address.

        A click that sets a parameter to its default adds nothing, so it makes no entry in the browser's
        history.
        """
        shown = {name: needed for part in self.shown.values() for name, needed in part.items()}
        usual = {name: values for name, values in self.usual.items() if name in shown}
        shown |= {name: self.chosen.get(name) != usual.get(name) for name in self.changed}
        return {
            name: values
            for name, values in self.chosen.items()
            if shown.get(name, name in self.came or declared(name) is None)
        }

    @property
    def above(self) -> tuple[Any, ...]:
        """Return the choices that the page shows above its switches."""
        return (*map(self.chosen.get, ABOVE), self.chosen.get("model") == [REAL])


@dataclass
class Drawing:
    """The parts of a page that a run draws, and for each parameter `asked` whether the address needs it."""

    part: str = ""
    asked: dict[str, dict[str, bool]] = field(default_factory=dict)

    def follow(self, name: str, *, needed: bool) -> None:
        """Note that the innermost part follows a parameter."""
        self.asked[self.part][name] = needed


_drawing: ContextVar[Drawing | None] = ContextVar("drawing", default=None)
"""Drawing of this thread.

A session may have two at a time: Streamlit starts the run of an act before the interrupted run has stopped
(runner.fastReruns).
"""


def drawing() -> Drawing:
    """Return the drawing of this run."""
    if (one := _drawing.get()) is None:
        _drawing.set(one := Drawing())
    return one


def current_state() -> State:
    """Return the state of the session."""
    state: State = st.session_state.setdefault(KEY, State())
    return state


def is_history_navigation() -> bool:
    """Return whether Back, Forward or undo led here."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def follow_link(page: str) -> None:
    """Take the link of the address, at the beginning of a run, if the visitor has come by a link."""
    state, said = current_state(), _in_address()
    if state.page is None or is_history_navigation():
        state.open(page, said)
    elif page != state.page:
        state.move(page, said)


@contextmanager
def visitor_action() -> Iterator[State]:
    """Change the state for an act of the visitor, which makes one entry in the browser's history.

    Belongs at the end of a callback. If the page shows a change above its switches, the whole page reruns.
    """
    state = current_state()
    link, above = state.link, state.above
    yield state
    if state.link != link:
        _write(state.link)
    if state.above != above:
        st.rerun(PAGE)


def change_link(changes: Changes | Callable[[LinkValues], Changes]) -> None:
    """Change the link for a button or a gesture; belongs at the end of a callback."""
    with visitor_action() as state:
        state.change(changes(state.link) if callable(changes) else changes)


def choose(asked: Parameter, clears: Sequence[str] = ()) -> None:
    """Take the value that a control shows, and reset the parameters that it `clears`."""
    value = st.session_state[asked.name]
    change_link({asked.name: None if value == asked.default else value, **dict.fromkeys(clears)})


def change_now(changes: Changes) -> None:
    """Change the link while the page is being drawn, without an act of the visitor, and rerun."""
    current_state().change(changes)
    correct_address()
    st.rerun()


def show_value(
    asked: Parameter, value: Any, draw: Callable[[dict[str, Any]], Any], *, is_typed: bool
) -> None:
    """Have a control show a value: `draw` draws it with the given value, or lets it keep its own.

    The value is sent in every run: a browser that has skipped a run would report the control as empty at the
    next act. A text control keeps what has been typed since: the value sent to it counts only if the
    browser has not drawn it yet.

    When a process is killed, the browser goes on in a new session and sends what its controls show. If that
    differs from the address, an act was lost, and the new session takes it up.
    """
    state = current_state()
    if state.n_visits == 1 and state.is_arriving:
        found = draw({"value": value})
        if found != value:
            state.change({asked.name: None if found == asked.default else found})
            _write(state.link)
            st.rerun()
        return
    if not is_typed or state.is_arriving or st.session_state.get(asked.name) != value:
        st.session_state[asked.name] = value
        draw({})
    else:
        draw({"value": value})


@contextmanager
def part_of_page(part: str) -> Iterator[Callable[[], None]]:
    """Draw a part of the page; when the outermost part ends, the address gets what the page follows.

    The part calls the yielded function once it has asked for everything; until then the address keeps what
    the part followed the last time.
    """
    state, run, inside = current_state(), drawing(), PARTS[PARTS.index(part) :]
    outer, run.part = run.part, part
    for one in inside:
        run.asked.pop(one, None)
    asked: dict[str, bool] = {}
    run.asked[part] = asked
    ended: list[bool] = []
    try:
        yield lambda: ended.append(True)
    finally:
        run.part = outer
    state.shown[part] = asked if ended else state.shown.get(part, {}) | asked
    for one in inside:
        if one not in run.asked:
            state.shown.pop(one, None)
    if not outer:
        state.changed.clear()
        state.is_arriving = False
        correct_address()


def correct_address() -> None:
    """Set the address to the link of the page, without an act of the visitor."""
    state = current_state()
    link = state.link
    if link != _in_address():
        _write(link | {REPLACES: [state.page or ""]})


def _in_address() -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in st.query_params if name != REPLACES}


def _write(link: LinkValues) -> None:
    st.query_params.from_dict(dict(link))
