"""A row of words in sight, one of them chosen; the link has its position. With back, next and play."""

from collections.abc import Sequence
from functools import partial
from time import monotonic

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.controls.link import number, put
from pages.controls.prose import JOINER, literal
from pages.controls.word_menu import MENU

PERIOD = 1.2
"""Seconds for which a step stays while playing."""

SHARE = 0.8
"""A clock that comes a little early has come."""


def word_row(name: str, label: str, words: Sequence[str], *, notes: DeltaGenerator) -> int:
    """The position of the chosen word, counted from 1 in the link and from 0 in what is returned.

    All words are in sight; the first one is chosen at first.
    """
    n = len(words)
    if (st.session_state.get(name) or 1) > n:
        st.session_state[name] = n
    chosen = number(name, f"{label}, position", n, 1, smallest=1, notes=notes)
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


def walk_buttons(name: str, n: int) -> None:
    """Back, next and play through the `n` positions of the parameter `name`."""
    at, playing = st.session_state.get(name) or 1, f"{name}_playing"
    with st.container(horizontal=True, gap="xsmall", width="content", key=f"{name}_buttons"):
        go = partial(_go, name, n)
        st.button("◀ Back", key=f"{name}_back", shortcut="B", on_click=go, args=(-1,), disabled=at <= 1)
        st.button("Next ▶", key=f"{name}_next", shortcut="N", on_click=go, args=(1,), disabled=at >= n)
        said = "❚❚ Pause" if st.session_state.get(playing) else "▶ Play"
        st.button(said, key=f"{name}_play", shortcut="P", on_click=_play, args=(name, n))
    st.fragment(_tick, run_every=PERIOD if st.session_state.get(playing) else None)(name, n)


def _go(name: str, n: int, by: int) -> None:
    """One position on or back, as somebody pressed: playing is over."""
    st.session_state[f"{name}_playing"] = None
    put(name, min(max((st.session_state.get(name) or 1) + by, 1), n))


def _play(name: str, n: int) -> None:
    """Begin to play, from the start if the end is reached; or stop."""
    playing = f"{name}_playing"
    st.session_state[playing] = None if st.session_state.get(playing) else monotonic()
    if st.session_state[playing] and (st.session_state.get(name) or 1) >= n:
        put(name, 1)


def _tick(name: str, n: int) -> None:
    """While playing, one position on, where the last step has stayed long enough: others draw this too."""
    since = st.session_state.get(f"{name}_playing")
    if since is None or monotonic() - since < SHARE * PERIOD:
        return
    at = (st.session_state.get(name) or 1) + 1
    st.session_state[f"{name}_playing"] = monotonic() if at < n else None
    put(name, min(at, n))
    st.rerun()
