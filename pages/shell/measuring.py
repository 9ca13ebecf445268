"""The button that measures something on this machine; the result is kept until something else is measured."""

from threading import Lock
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.device import choose_device, describe
from core.priority import yield_to_requests
from pages.contract.measurement import NOTHING, Measurement, MeasurementResult

MEASURING = Lock()
"""Lock around measurements: two at once would slow each other down, and all other visitors too."""

BUSY = "Another visitor is measuring or training here. Press the button again in a minute."


def measurement_with_button(what: Measurement, row: DeltaGenerator) -> MeasurementResult:
    """Return the last measurement; a button in the row of controls measures anew."""
    label = what.label or f"Measure on {describe(choose_device())}"
    is_asked = row.button(label, key=f"measure_{what.key}", icon=what.icon)
    progress = st.empty()
    kept: MeasurementResult = what.shared() if what.is_shared else st.session_state.get(what.key, NOTHING)
    if not is_asked or (what.is_shared and kept is not NOTHING):
        return kept
    if not MEASURING.acquire(blocking=False):
        progress.info(BUSY)
        return kept
    try:
        parts: list[Any] = []
        for said, part in yield_to_requests(what.parts()):
            parts.append(part)
            progress.progress(len(parts) / what.n_parts, said)
    finally:
        MEASURING.release()
    progress.empty()
    found = MeasurementResult(what.about, tuple(parts))
    if what.is_shared:
        what.share(found)
    else:
        st.session_state[what.key] = found
    return found
