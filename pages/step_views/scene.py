"""What every part of the page is given: the sentence, the model, the head, and the walk through it."""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.stages import Change, Walk, walk
from core.programs import Subject
from pages.controls.code import subject
from pages.controls.link import place
from pages.controls.sentence import marked
from pages.controls.switches import Architecture

SHARED_WALKS = 64
"""How many walks are kept for all visitors together."""


@dataclass(frozen=True)
class Scene:
    """One sentence in one head, counted from 0."""

    words: tuple[str, ...]
    switches: Architecture
    layer: int
    head: int
    walk: Walk
    notes: DeltaGenerator
    changes: tuple[Change, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The words as a figure names them: one that the model does not know carries a mark."""
        return marked(self.words, self.walk.unknown)

    @property
    def subject(self) -> Subject:
        """What a program about the head is about."""
        return subject(self.words, self.switches, layer=self.layer, head=self.head)

    @property
    def title(self) -> str:
        """The head as people count it."""
        return f"Layer {self.layer + 1} · head {self.head + 1}"


@st.cache_resource(max_entries=SHARED_WALKS, show_spinner=False)
def walked(
    words: tuple[str, ...], switches: Architecture, layer: int, head: int, changes: tuple[Change, ...] = ()
) -> Walk:
    """The walk through a head, computed once for all visitors."""
    return walk(
        words,
        switches.config,
        source=switches.source,
        seed=switches.seed,
        layer=layer,
        head=head,
        changes=changes,
    )


def chosen_word(scene: Scene) -> int:
    """The place of the word that is looked at, the last one unless chosen."""
    chosen = place("word", "Word", len(scene.words), notes=scene.notes, unchosen="last", width=170)
    return len(scene.words) - 1 if chosen is None else chosen
