"""What a session has measured, and the table of one text: operations counted, and seconds if any."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.measures.distance.long_range import N_LAYERS
from core.measures.distance.timing import WARM_UPS, Timing
from core.measures.generation.costs import USES, Use, serial_operations
from core.measures.generation.timing import text_times, word_times
from core.measures.generation.writing import WRITERS, Continued
from core.priority import patiently
from pages.controls.measuring import MEASURING
from pages.generation.texts import Texts
from viz.text import counted
from viz.units import quantity, seconds

OF_WORDS, OF_TEXT = "word_times", "text_times"
"""Where a session keeps what was measured, and of what."""

OF_WHAT = "Operations and time of training are those of one pass over the text and one back."

Key = tuple[Any, ...]


def measure(found: Texts, text: Continued) -> None:
    """Measure this text, and words one by one after texts of every length; the session keeps it."""
    with MEASURING, st.spinner("Measuring …"):
        measured = patiently(text_times(text.words, text.n_given, found.config))
        of_text = {(use, timing.network): timing for use, timing in measured}
        of_words = list(patiently(word_times(found.config)))
    st.session_state[OF_TEXT] = (_key(found, text), of_text)
    st.session_state[OF_WORDS] = (found.config, of_words)


def measured_words(found: Texts) -> Sequence[Timing]:
    """What was measured of words after texts of every length; nothing where it was with other switches."""
    config, times = st.session_state.get(OF_WORDS, (None, ()))
    return times if config == found.config else ()


def _of_text(found: Texts, text: Continued) -> Mapping[tuple[Use, str], Timing]:
    """What was measured of this text; nothing where another one was."""
    key, times = st.session_state.get(OF_TEXT, (None, {}))
    return times if key == _key(found, text) else {}


def _key(found: Texts, text: Continued) -> Key:
    return found.config, text.words, text.n_given


def this_text(found: Texts, text: Continued) -> str:
    """This text: operations counted, and seconds where they have been measured."""
    times = _of_text(found, text)
    heads = ["Model", *(f"{use}: {what}" for use in USES for what in ("serial operations", "time"))]
    lines = ["| " + " | ".join(heads) + " |", "|:--" * len(heads) + "|"]
    for writer in WRITERS:
        cells = [writer]
        for use in USES:
            n = serial_operations(writer, use, len(text.words), n_given=text.n_given, n_layers=N_LAYERS)
            cells += [quantity(n), _said(times.get((use, writer)))]
        lines.append("| " + " | ".join(cells) + " |")
    given = f"{counted(text.n_given, 'word')} given and {len(text.written)} written"
    measured = (
        "Measured here: medians and, in brackets, the middle half of the runs, after "
        f"{WARM_UPS} warm-up runs."
        if times
        else "The button measures the times on this machine."
    )
    return (
        f"**This text**, by the {found.writer}: {given}.\n\n" + "\n".join(lines) + f"\n\n{OF_WHAT} {measured}"
    )


def _said(timing: Timing | None) -> str:
    if timing is None:
        return "–"
    return f"{seconds(timing.seconds)} ({seconds(timing.low)} to {seconds(timing.high)})"
