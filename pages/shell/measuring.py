"""What a view measures on this machine: when its button is pressed, and kept until something else is."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import Lock
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.device import choose_device, describe
from core.priority import yield_to_requests
from core.store import STORE

MEASURING = Lock()
"""Two measurements at once would slow each other down, and everybody who only looks at other pages too."""

BUSY = "Another visitor measures or trains here at the moment: press the button again in a minute."


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

    There are `n_parts`. A session keeps them under the name `key`, with what `about` says they are about; one
    that `is_shared`, since it comes to the same for everybody, is kept for all visitors. The button says
    its `label`, by default that it measures on this device.
    """

    key: str
    parts: Callable[[Any, Any], Iterable[tuple[str, Any]]]
    about: Callable[[Any, Any], Any]
    n_parts: int
    label: str = ""
    icon: str = ":material/timer:"
    is_shared: bool = False

    def shared(self, scene: Any, choices: Any) -> Measured:
        """What is kept for all visitors of this scene and these choices, or NOTHING."""
        return self.shared_of(self.about(scene, choices))

    def shared_of(self, about: Any) -> Measured:
        """Return what is kept for all visitors about this, or NOTHING."""
        return STORE.get((Measurement, self.key, about)) or NOTHING


def measured_now(what: Measurement, scene: Any, choices: Any) -> Measured:
    """All parts measured here and now, for who has no page with a button on it; nothing of it is kept."""
    parts = tuple(part for _, part in what.parts(scene, choices))
    return Measured(what.about(scene, choices), parts)


def measured(what: Measurement, scene: Any, choices: Any, row: DeltaGenerator) -> Measured:
    """What has been measured last; with a button in the row of controls that measures anew."""
    about = what.about(scene, choices)
    label = what.label or f"Measure on {describe(choose_device())}"
    is_asked = row.button(label, key=f"measure_{what.key}", icon=what.icon)
    progress = st.empty()
    kept = _kept(what, about)
    if not is_asked or (what.is_shared and kept is not NOTHING):
        return kept
    if not MEASURING.acquire(blocking=False):
        progress.info(BUSY)
        return kept
    try:
        parts: list[Any] = []
        for said, part in yield_to_requests(what.parts(scene, choices)):
            parts.append(part)
            progress.progress(len(parts) / what.n_parts, said)
    finally:
        MEASURING.release()
    progress.empty()
    return _keep(what, Measured(about, tuple(parts)))


def _kept(what: Measurement, about: Any) -> Measured:
    if what.is_shared:
        return what.shared_of(about)
    kept: Measured = st.session_state.get(what.key, NOTHING)
    return kept


def _keep(what: Measurement, found: Measured) -> Measured:
    if not what.is_shared:
        st.session_state[what.key] = found
        return found
    STORE.put((Measurement, what.key, found.about), found)
    return found
