"""A row of words in sight, one of them chosen; the link has its position. With back, next and play."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.controls.history import is_walking_back
from pages.controls.link import number, put
from pages.controls.parameters.declared import POSITION
from pages.controls.prose import JOINER, literal
from pages.controls.shortcuts import PLAY, STEP_BACK, STEP_ON
from pages.controls.word_menu import MENU

PERIOD = 1.2
"""Seconds for which a step stays while playing."""

SHARE = 0.8
"""A clock that comes a little early has come."""


def word_row(name: str, words: Sequence[str], *, label: str, notes: DeltaGenerator) -> int:
    """The position of the chosen word, counted from 1 in the link and from 0 in what is returned.

    All words are in sight; the first one is chosen at first.
    """
    n = len(words)
    if (st.session_state.get(name) or 1) > n:
        st.session_state[name] = n
    chosen = int(number(name, label=f"{label}{POSITION}", largest=n, notes=notes))
    row, labels = f"{name}{MENU}", _labels(words)
    # In every run, as in `word_menu`: the number in the link may have changed by itself.
    st.session_state[row] = chosen
    st.segmented_control(
        label,
        range(1, n + 1),
        format_func=lambda at: labels[at - 1],
        required=True,
        key=row,
        on_change=lambda: put(name, st.session_state[row]),
    )
    return chosen - 1


def _labels(words: Sequence[str]) -> list[str]:
    """The words, equal ones apart by signs that nobody sees: Streamlit (1.67) knows options by labels."""
    return [literal(word) + JOINER * words[:at].count(word) for at, word in enumerate(words)]


@dataclass(frozen=True)
class _Walk:
    """Through the `n` positions of the parameter `name`; `since` is where a session has what plays.

    That is the moment at which the step shown was reached, on this page: on another nothing plays.
    """

    name: str
    n: int
    since: str

    @property
    def at(self) -> int:
        """The position, counted from 1."""
        return int(st.session_state.get(self.name) or 1)

    @property
    def playing_since(self) -> float | None:
        """When the step shown was reached, or None."""
        found: float | None = st.session_state.get(self.since)
        return found

    def go(self, by: int) -> None:
        """Some positions on or back, as somebody pressed: playing is over."""
        st.session_state[self.since] = None
        put(self.name, min(max(self.at + by, 1), self.n))

    def play(self) -> None:
        """Begin to play, from the start if the end is reached; or stop."""
        st.session_state[self.since] = None if self.playing_since else monotonic()
        if self.playing_since and self.at >= self.n:
            put(self.name, 1)

    def tick(self) -> None:
        """While playing, one position on, if the step has stayed long enough: others draw this too."""
        if self.playing_since is None or monotonic() - self.playing_since < SHARE * PERIOD:
            return
        at = self.at + 1
        st.session_state[self.since] = monotonic() if at < self.n else None
        put(self.name, min(at, self.n))
        st.rerun()


def walk_buttons(name: str, n: int) -> None:
    """Back, next and play through the `n` positions of the parameter `name`."""
    walk = _Walk(name, n, since=f"{name} plays on {st.context.url}")
    if is_walking_back():
        st.session_state[walk.since] = None
    with st.container(horizontal=True, gap="xsmall", width="content", key=f"{name}_buttons"):
        add = partial(_button, name)
        add("back", "← Back", STEP_BACK, partial(walk.go, -1), off=walk.at <= 1)
        add("play", "❚❚ Pause (P)" if walk.playing_since else "▶ Play (P)", PLAY, walk.play)
        add("next", "Next →", STEP_ON, partial(walk.go, 1), off=walk.at >= n)
    st.fragment(_tick, run_every=PERIOD if walk.playing_since else None)(walk)


def _button(
    name: str, what: str, label: str, help: str, act: Callable[[], None], *, off: bool = False
) -> None:
    st.button(label, key=f"{name}_{what}", help=help, on_click=act, disabled=off)


def _tick(walk: _Walk) -> None:
    walk.tick()
