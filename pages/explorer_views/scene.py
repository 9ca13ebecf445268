"""What every view of the explorer is given: the sentence, the model's reading of it and the chosen head."""

from dataclasses import dataclass

import numpy as np
import streamlit as st
from jaxtyping import Float
from streamlit.delta_generator import DeltaGenerator

from core.analysis.reading import Reading, read
from pages.controls.sentence import marked
from pages.controls.switches import Architecture

SHARED_READINGS = 32
"""How many readings are kept for all visitors together; a large one is about 40 MB."""


@dataclass(frozen=True)
class Scene:
    """One sentence read by one model, and the head looked at (counted from 0)."""

    words: tuple[str, ...]
    switches: Architecture
    reading: Reading
    layer: int
    head: int
    notes: DeltaGenerator

    @property
    def pattern(self) -> Float[np.ndarray, "query key"]:
        """The attention weights of the chosen head."""
        return self.reading.pattern(self.layer, self.head)

    @property
    def labels(self) -> tuple[str, ...]:
        """The words as a figure names them: one that the model does not know carries a mark."""
        return marked(self.words, self.reading.unknown)

    @property
    def title(self) -> str:
        """The chosen head as people count it."""
        return f"Layer {self.layer + 1} · head {self.head + 1}"


@st.cache_resource(max_entries=SHARED_READINGS, show_spinner=False)
def reading(words: tuple[str, ...], switches: Architecture) -> Reading:
    """The reading of `words` by the model the switches describe, computed once for all visitors."""
    return read(words, switches.config, source=switches.source, seed=switches.seed, window=switches.window)
