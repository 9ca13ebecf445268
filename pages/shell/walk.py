"""Back, next and play: through the words of a sentence, or the steps of a text."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import monotonic

import streamlit as st

from pages.browser.keys import PLAY, STEP_BACK, STEP_ON
from pages.state.link import change_link, change_now, here

PERIOD = 1.2
"""Seconds for which a step stays while playing."""

SHARE = 0.8
"""A clock that comes a little early has come."""


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
        change_link({self.name: min(max(self.at + by, 1), self.n)})

    def play(self) -> None:
        """Begin to play, from the start if the end is reached; or stop."""
        st.session_state[self.since] = None if self.playing_since else monotonic()
        if self.playing_since and self.at >= self.n:
            change_link({self.name: None})

    def tick(self) -> None:
        """While playing, one position on, if the step has stayed long enough: others draw this too."""
        if self.playing_since is None or monotonic() - self.playing_since < SHARE * PERIOD:
            return
        at = self.at + 1
        st.session_state[self.since] = monotonic() if at < self.n else None
        change_now({self.name: min(at, self.n)})


def walk_buttons(name: str, n: int) -> None:
    """Back, next and play through the `n` positions of the parameter `name`."""
    walk = _Walk(name, n, since=f"{name} plays on visit {here().n_visits}")
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
