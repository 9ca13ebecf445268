"""What knocked-out heads do where no words are predicted: how far the last states of the pieces move."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.measures.heads.state_changes import StateChanges, every_head, state_changes
from core.measures.prediction import Head
from core.programs.state_changes import state_changes_program
from pages.controls.memory import remembered
from pages.controls.picture import picture, theme
from pages.controls.prose import Typed
from pages.controls.screen import room
from pages.controls.switches import Architecture
from pages.explorer.silenced import (
    KNOCKING_OUT,
    OF_THE_INTACT_MODEL,
    choose_silenced,
    knock_out_or_put_back,
    why_not_each_head,
    without,
)
from pages.shell.program import Program
from pages.shell.scene import Scene
from viz.bar_rows import bar_rows, describe_bar_rows
from viz.head_effects import STATES, describe_head_effects, head_effects
from viz.predictions import SIZE
from viz.tables import unique_words
from viz.text import counted
from viz.units import per_cent

INSTEAD = "What a head that is knocked out changes here are the last states h of the pieces."
EACH_BAR = (
    "Each bar shows how far the last states move when one head alone is knocked out: ‖Δh‖ / ‖h‖, the mean "
    "over all pieces, special tokens included. Click a bar to knock out that head."
)
MOST_DRAWN = 32
"""So many pieces have a bar: those whose states move the most."""
MOVED = "‖Δh‖ / ‖h‖"


def moved_states(scene: Scene, why: str, *, beside: DeltaGenerator | None = None) -> Program | None:
    """A bar for every head, then what those chosen change; `why` there is no prediction.

    Two parts, side by side where there is room; or the first one in `beside`. What is returned is the
    program of that change, if any head is knocked out.
    """
    with st.container(horizontal=True, key="prediction"):
        with st.container(width=SIZE):
            pieces = st.container()
        with beside or st.container(width=SIZE):
            bars = st.container()
            silenced = choose_silenced(scene)
            told = st.container()
    with bars:
        how = _every_head(scene, silenced)
    if not silenced:
        told.caption(f"{why} {INSTEAD} {how}")
        return None
    changes = _changes(scene.words, scene.switches, frozenset(silenced.values()))
    told.markdown(_found(scene, changes, without(silenced)))
    told.caption(f"{why} {how} {OF_THE_INTACT_MODEL}")
    with pieces:
        _of_pieces(scene, changes, without(silenced))
    return Program(
        lambda: state_changes_program(scene.subject, silenced.values()),
        prints="‖Δh‖ / ‖h‖ and the cosine of every piece, their mean, and those of the sentence",
    )


@remembered()
def _changes(words: tuple[str, ...], switches: Architecture, silenced: frozenset[Head]) -> StateChanges:
    return state_changes(
        words,
        switches.config,
        silenced=silenced,
        source=switches.source,
        seed=switches.seed,
        window=switches.window,
    )


@remembered(saying=KNOCKING_OUT)
def _bars(words: tuple[str, ...], switches: Architecture) -> pd.DataFrame:
    return every_head(
        words, switches.config, source=switches.source, seed=switches.seed, window=switches.window
    )


def _every_head(scene: Scene, silenced: Mapping[str, Head]) -> str:
    """A bar for every head, and what to say of them; of a long sentence why there are none."""
    if why_not := why_not_each_head(scene):
        return why_not
    table = _bars(scene.words, scene.switches)
    chosen = frozenset((layer + 1, head + 1) for layer, head in silenced.values())
    picture(
        head_effects(table, theme=theme(), silenced=chosen, size=room(SIZE), effect=STATES),
        key="head_effects",
        alt=describe_head_effects(table, STATES),
        table=lambda: table,
        on_click=knock_out_or_put_back,
    )
    return EACH_BAR


def _found(scene: Scene, changes: StateChanges, missing: str) -> str:
    """How far the states move, and the vector of the sentence."""
    most = int(changes.moved.argmax())
    return (
        f"{missing.capitalize()} the last states move by **{per_cent(changes.mean)}** of their length, the "
        f"mean over {counted(len(changes.moved), scene.unit)}; that of **{_called(scene, most)}** moves the "
        f"most, by {per_cent(changes.moved[most])} (cosine {changes.cosines[most]:.3f}). The vector of the "
        f"sentence, the mean of all states, moves by **{per_cent(changes.sentence_moved)}** "
        f"(cosine {changes.sentence_cosine:.3f})."
    )


def _called(scene: Scene, at: int) -> Typed:
    """A piece as a sentence names it: one that is there several times with its position."""
    return Typed(unique_words(scene.names)[at])


def _of_pieces(scene: Scene, changes: StateChanges, missing: str) -> None:
    """A bar for the state of every piece, in the order of the sentence; a table has them all."""
    drawn = np.sort(np.argsort(-changes.moved, kind="stable")[:MOST_DRAWN])
    # Without its neighbours a repeated word would not say which one it is.
    names = scene.labels if len(drawn) == len(changes.moved) else unique_words(scene.labels)
    moved, labels = changes.moved[drawn], [names[at] for at in drawn]
    only = f" of the {MOST_DRAWN} pieces whose states move the most," * (len(drawn) < len(changes.moved))
    st.markdown(f"**Change of the last states**{only} {missing}, in %")
    picture(
        bar_rows(moved[None], {MOVED: theme().attention}, labels, top=_top(moved), theme=theme()),
        key="moved_states",
        alt=describe_bar_rows(moved[None], [MOVED], labels, what=f"Change of the last states {missing}"),
        table=lambda: _table(scene, changes),
    )


def _top(moved: np.ndarray) -> float:
    """What the highest bar could be: where hardly anything moves, no bar is to look large."""
    return max(float(moved.max()), STATES.smallest_top)


def _table(scene: Scene, changes: StateChanges) -> pd.DataFrame:
    columns = {MOVED: changes.moved, "cosine": changes.cosines}
    return pd.DataFrame(columns, index=pd.Index(unique_words(scene.labels), name=scene.unit))
