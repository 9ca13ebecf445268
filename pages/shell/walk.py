"""Back, next and play through the words of a sentence, or the steps of a text."""

from dataclasses import dataclass
from functools import partial
from time import monotonic

import streamlit as st

from pages.browser.keys import PLAY, STEP_BACK, STEP_ON
from pages.state.link import change_link, change_now, current_state

PERIOD = 1.2
"""Seconds that a step stays while playing."""

SHARE = 0.8
"""Share of the period after which a tick counts, because a clock may be a little early."""


@dataclass(frozen=True)
class _Walk:
    """A walk through the `n` positions of the parameter `name`; `since` is its session key.

    The key stores the time at which the step shown was reached, and belongs to this visit of the page:
    nothing plays on other pages.
    """

    name: str
    n: int
    since: str

    @property
    def at(self) -> int:
        """Return the position, counted from 1."""
        return int(st.session_state.get(self.name) or 1)

    @property
    def playing_since(self) -> float | None:
        """Return when the step shown was reached; None if nothing plays."""
        found: float | None = st.session_state.get(self.since)
        return found

    def go(self, by: int) -> None:
        """Move some positions on or back after a click, and stop playing."""
        st.session_state[self.since] = None
        change_link({self.name: min(max(self.at + by, 1), self.n)})

    def play(self) -> None:
        """Start to play, from the first position if the last is reached; or stop."""
        st.session_state[self.since] = None if self.playing_since else monotonic()
        if self.playing_since and self.at >= self.n:
            change_link({self.name: None})

    def tick(self) -> None:
        """While playing, move one position on if the step has stayed long enough: other parts tick too."""
        if self.playing_since is None or monotonic() - self.playing_since < SHARE * PERIOD:
            return
        at = self.at + 1
        st.session_state[self.since] = monotonic() if at < self.n else None
        change_now({self.name: min(at, self.n)})


def walk_buttons(name: str, n: int) -> None:
    """Draw back, next and play for the `n` positions of the parameter `name`."""
    walk = _Walk(name, n, since=f"{name} plays on visit {current_state().n_visits}")
    with st.container(horizontal=True, gap="xsmall", width="content", key=f"{name}_buttons"):
        play = "❚❚ Pause (P)" if walk.playing_since else "▶ Play (P)"
        for what, label, help, act, is_off in (
            ("back", "← Back", STEP_BACK, partial(walk.go, -1), walk.at <= 1),
            ("play", play, PLAY, walk.play, False),
            ("next", "Next →", STEP_ON, partial(walk.go, 1), walk.at >= n),
        ):
            st.button(label, key=f"{name}_{what}", help=help, on_click=act, disabled=is_off)
    st.fragment(_tick, run_every=PERIOD if walk.playing_since else None)(walk)


def _tick(walk: _Walk) -> None:
    walk.tick()
