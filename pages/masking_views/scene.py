"""What every view of masking is given: the sentence, the mask, and the reading of it under that mask."""

from dataclasses import dataclass

import numpy as np
import streamlit as st
from jaxtyping import Bool
from streamlit.delta_generator import DeltaGenerator

from core.analysis.masking.painting import PaintedMask, read_painted
from core.analysis.reading import OneHead, Reading
from core.programs import Subject
from pages.controls.code import subject
from pages.controls.sentence import marked
from pages.controls.switches import Architecture


@dataclass(frozen=True)
class Scene:
    """One sentence read by one model under a mask, and the head looked at (counted from 0).

    `row` is the line of controls above the picture.
    """

    words: tuple[str, ...]
    switches: Architecture
    mask: PaintedMask
    reading: Reading
    layer: int
    head: int
    notes: DeltaGenerator
    row: DeltaGenerator

    @classmethod
    def read(
        cls,
        words: tuple[str, ...],
        switches: Architecture,
        mask: PaintedMask | None,
        layer: int,
        head: int,
        notes: DeltaGenerator,
        row: DeltaGenerator,
    ) -> "Scene":
        """The scene of this sentence; without a mask it is the causal one."""
        mask = mask or PaintedMask()
        return cls(words, switches, mask, _reading(words, switches, mask), layer, head, notes, row)

    @property
    def labels(self) -> tuple[str, ...]:
        """The words as a figure names them: one that the model does not know carries a mark."""
        return marked(self.words, self.reading.unknown)

    @property
    def title(self) -> str:
        """The chosen head as people count it."""
        return f"Layer {self.layer + 1} · head {self.head + 1}"

    @property
    def stages(self) -> OneHead:
        """The chosen head from scores to weights."""
        return self.reading.head(self.layer, self.head)

    @property
    def allowed(self) -> Bool[np.ndarray, "query key"]:
        """Which query may look at which key."""
        return self.reading.allowed()

    @property
    def flipped(self) -> list[tuple[int, int]]:
        """The cells flipped by hand, as (query, key)."""
        return self.mask.within(len(self.words))

    @property
    def subject(self) -> Subject:
        """What a program about this is about."""
        return subject(self.words, self.switches, layer=self.layer, head=self.head)


@st.cache_resource(max_entries=64, show_spinner=False)
def _reading(words: tuple[str, ...], switches: Architecture, mask: PaintedMask) -> Reading:
    return read_painted(words, switches.config, mask, source=switches.source, seed=switches.seed)
