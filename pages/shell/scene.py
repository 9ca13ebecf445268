"""What every view is given: the sentence, a model's reading of it, the chosen head, places to put things."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float
from streamlit.delta_generator import DeltaGenerator

from core.analysis.reading import Reading, read
from core.learning.weights import SOURCES, Pieces
from core.programs import Subject
from pages.controls.known_words import propose
from pages.controls.memory import remembered
from pages.controls.sentence import Words, mark_unknown, mark_unknown_pieces, marked
from pages.controls.switches import Architecture
from pages.shell.attention import Attention, Rows, every_position

SHARED_READINGS = 32
"""How many readings are kept for all visitors together; a large one is about 40 MB."""


@dataclass(frozen=True)
class Scene:
    """One sentence, one architecture, and the layer and head looked at, counted from 0.

    `notes` is for sentences about the link and the input, `row` the line of controls above the picture,
    `unknown` the place for words that the model does not know. `other` is the sentence in a second box.
    For a real model the words are `pieces` of its vocabulary, and `rows` says which of them are shown, and
    how; `may_be_real` where the weights could be those of such a model.
    """

    words: Words
    switches: Architecture
    layer: int
    head: int
    notes: DeltaGenerator
    row: DeltaGenerator
    unknown: DeltaGenerator
    other: Words = ()
    pieces: Pieces | None = None
    rows: Rows | None = None
    may_be_real: bool = False

    @property
    def plain(self) -> tuple[str, ...]:
        """The words as mere characters, for tables, programs and models."""
        return tuple(map(str, self.words))

    @property
    def last(self) -> int:
        """The position of the last word, special tokens left aside."""
        special = self.pieces.special if self.pieces is not None else frozenset()
        return max((at for at in range(len(self.words)) if at not in special), default=len(self.words) - 1)

    @cached_property  # asked several times a run, and a key of the arguments is slow to make
    def reading(self) -> Reading:
        """The reading of the sentence by the model. Raises UnavailableError where there is no such model."""
        return reading(self.words, self.switches)

    @cached_property
    def attention(self) -> Attention:
        """The attention weights as they are shown: between words where pieces are merged into words."""
        return Attention(self.reading, self.rows or every_position(self.words))

    @property
    def pattern(self) -> Float[np.ndarray, "query key"]:
        """The attention weights of the chosen head."""
        return self.reading.pattern(self.layer, self.head)

    @property
    def labels(self) -> tuple[str, ...]:
        """The words as a figure names them: one that the model does not know carries a mark."""
        return self.marked(self.reading.unknown)

    def marked(self, unknown: Sequence[int]) -> tuple[str, ...]:
        """The words as a figure names them, those at the places `unknown` with a mark."""
        return marked(self.words if self.pieces is None else self.pieces.labels, unknown)

    @property
    def title(self) -> str:
        """The chosen head as people count it."""
        return f"Layer {self.layer + 1} · head {self.head + 1}"

    @property
    def subject(self) -> Subject:
        """What a program about this is about."""
        return subject(self.words, self.switches, layer=self.layer, head=self.head)

    def name_unknown(self, places: Sequence[int]) -> None:
        """Name the words at these places as unknown to the model, above the picture."""
        with self.unknown:
            if self.pieces is not None:
                mark_unknown_pieces(self.pieces)
                return
            mark_unknown(self.words, places)
            if places and self.switches.source in SOURCES:
                propose(self.words, places, real=self.may_be_real)


@remembered(SHARED_READINGS)
def reading(words: tuple[str, ...], switches: Architecture) -> Reading:
    """The reading of `words` by the model the switches describe, computed once for all visitors."""
    return read(words, switches.config, source=switches.source, seed=switches.seed, window=switches.window)


def subject(words: tuple[str, ...], switches: Architecture, *, layer: int = 0, head: int = 0) -> Subject:
    """What a program about this sentence and this model is about; layer and head count from 0."""
    return Subject(
        words=tuple(map(str, words)),
        config=switches.config,
        source=switches.source,
        seed=switches.seed,
        window=switches.window,
        layer=layer,
        head=head,
    )
