"""What knocked-out heads do where no words are predicted: how far the last states of the pieces move."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.measures.heads.state_changes import StateChanges, every_head, state_changes
from core.measures.prediction import Head
from core.programs.state_changes import state_changes_program
from pages.contract.look import Look
from pages.contract.program import Program
from pages.contract.sheet import Controls, Part, Shown, Text
from pages.controls.memory import remembered
from pages.controls.prose import Typed
from pages.controls.switches import Architecture
from pages.explorer.silenced import (
    KNOCKING_OUT,
    OF_THE_INTACT_MODEL,
    SILENCED,
    knocks_out_or_puts_back,
    why_not_each_head,
    without,
)
from pages.shell.loading import loaded
from pages.shell.scene import Scene
from viz.bar_rows import bars
from viz.head_effects import STATES, effects
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
"""Greatest number of pieces that have a bar: those whose states move the most."""
MOVED = "‖Δh‖ / ‖h‖"


@dataclass(frozen=True)
class Moved:
    """The heads knocked out, what that changes, and the change without each head alone.

    `why` there is no prediction, and `why_no_bars` for each head where there are none; `changes` is None
    while no head is knocked out.
    """

    scene: Scene
    why: str
    silenced: Mapping[str, Head]
    changes: StateChanges | None
    bars: pd.DataFrame | None
    why_no_bars: str


def find_moved(scene: Scene, why: str, silenced: Mapping[str, Head]) -> Moved:
    """How far the states move without these heads, and without each alone."""
    heads = frozenset(silenced.values())
    changes = _changes(scene.words, scene.switches, heads) if silenced else None
    why_no_bars = why_not_each_head(scene)
    each = None if why_no_bars else _bars(scene.words, scene.switches)
    return Moved(scene, why, silenced, changes, each, why_no_bars)


def moved_parts(found: Moved, looks: tuple[Look, Look]) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """What the chosen heads change of each piece; and a bar for every head, with what is said of both."""
    how = found.why_no_bars or EACH_BAR
    control = Controls(SILENCED, "below each other")
    if found.changes is None:
        return (), (*_every_head(found, looks[1]), control, Text(f":small[{found.why} {INSTEAD} {how}]"))
    said = _said(found.scene, found.changes, without(found.silenced))
    more = f":small[{found.why} {how} {OF_THE_INTACT_MODEL}]"
    return (
        _of_pieces(found, found.changes, looks[0]),
        (*_every_head(found, looks[1]), control, Text(f"{said}\n\n{more}")),
    )


def moved_program(found: Moved) -> Program | None:
    """The program of the change, if any head is knocked out."""
    if found.changes is None:
        return None
    return Program(
        lambda: state_changes_program(found.scene.subject, found.silenced.values()),
        prints="‖Δh‖ / ‖h‖ and the cosine of every piece, their mean, and those of the sentence",
    )


@remembered()
def _changes(words: tuple[str, ...], switches: Architecture, silenced: frozenset[Head]) -> StateChanges:
    return state_changes(loaded(words, switches), silenced=silenced, window=switches.window)


@remembered(saying=KNOCKING_OUT)
def _bars(words: tuple[str, ...], switches: Architecture) -> pd.DataFrame:
    return every_head(loaded(words, switches), window=switches.window)


def _every_head(found: Moved, look: Look) -> tuple[Shown, ...]:
    """A bar for every head; of a long sentence there are none."""
    if found.bars is None:
        return ()
    chosen = frozenset((layer + 1, head + 1) for layer, head in found.silenced.values())
    picture = effects(found.bars, theme=look.theme, silenced=chosen, size=look.room(SIZE), effect=STATES)
    return (Shown("head_effects", picture, on_click=knocks_out_or_puts_back(found.silenced)),)


def _said(scene: Scene, changes: StateChanges, missing: str) -> str:
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


def _of_pieces(found: Moved, changes: StateChanges, look: Look) -> tuple[Part, ...]:
    """A bar for the state of every piece, in the order of the sentence; a table has them all."""
    scene, missing = found.scene, without(found.silenced)
    drawn = np.sort(np.argsort(-changes.moved, kind="stable")[:MOST_DRAWN])
    # Without its neighbours a repeated word would not say which one it is.
    names = scene.labels if len(drawn) == len(changes.moved) else unique_words(scene.labels)
    only = f" of the {MOST_DRAWN} pieces whose states move the most," * (len(drawn) < len(changes.moved))
    picture = bars(
        changes.moved[drawn][None],
        {MOVED: look.theme.attention},
        [names[at] for at in drawn],
        title=f"Change of the last states {missing}, in per cent",
        theme=look.theme,
        narrow=look.is_narrow,
        top=_top(changes.moved[drawn]),
        table=lambda: _table(scene, changes),
    )
    return Text(f"**Change of the last states**{only} {missing}, in %"), Shown("moved_states", picture)


def _top(moved: np.ndarray) -> float:
    """What the highest bar could be: where hardly anything moves, no bar is to look large."""
    return max(float(moved.max()), STATES.smallest_top)


def _table(scene: Scene, changes: StateChanges) -> pd.DataFrame:
    columns = {MOVED: changes.moved, "cosine": changes.cosines}
    return pd.DataFrame(columns, index=pd.Index(unique_words(scene.labels), name=scene.unit))
