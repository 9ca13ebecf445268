"""What a view measures on this machine: when its button is pressed, and kept for the session."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.device import choose_device, describe
from core.priority import yield_to_requests
from pages.controls.measuring import MEASURING


@dataclass(frozen=True)
class Measured:
    """What was measured, part by part, and `about` what: of something else nothing has been measured."""

    about: Any = None
    parts: tuple[Any, ...] = ()


NOTHING = Measured()
"""While nobody has asked for it."""


@dataclass(frozen=True)
class Measurement:
    """What a view measures part by part, given the scene and its choices: each with a few words on it.

    There are `n_parts`. A session keeps them under the name `key`, with what `about` says they are about.
    """

    key: str
    parts: Callable[[Any, Any], Iterable[tuple[str, Any]]]
    about: Callable[[Any, Any], Any]
    n_parts: int


def measured(what: Measurement, scene: Any, choices: Any, row: DeltaGenerator) -> Measured:
    """What the session has measured last; with a button in the row of controls that measures anew."""
    device = describe(choose_device())
    is_asked = row.button(f"Measure on {device}", key=f"measure_{what.key}", icon=":material/timer:")
    progress = st.empty()
    if not is_asked:
        kept: Measured = st.session_state.get(what.key, NOTHING)
        return kept
    parts: list[Any] = []
    with MEASURING:
        for said, part in yield_to_requests(what.parts(scene, choices)):
            parts.append(part)
            progress.progress(len(parts) / what.n_parts, said)
    progress.empty()
    found = st.session_state[what.key] = Measured(what.about(scene, choices), tuple(parts))
    return found
