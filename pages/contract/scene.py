"""Arguments of every view: the sentence, a model's reading of it, the chosen head."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from core.measures.heads.sinks import largest_shares
from core.measures.long_reading import LongReading, Overview, read_text
from core.measures.prediction import Head
from core.measures.reading import WholeReading
from core.programs import Subject
from core.sources import Pieces
from pages.contract.attention import DisplayedAttention, Rows
from pages.contract.caching import cached_for_all
from pages.contract.loading import loaded
from pages.contract.prose import Typed
from pages.contract.question_builders import unique_labels
from pages.contract.switches import Architecture
from pages.contract.words import Words, marked


@dataclass(frozen=True)
class Scene:
    """One sentence, one architecture, and the layer and head shown, counted from 0.

    `other` is the sentence in a second box; `text` and `other_text` are the texts typed into the two. For a
    real model the words are `pieces` of its vocabulary, and `rows` says which of them are shown, and how.
    `usual_real` is the first real model that could read them. The weights `may_be_random` where random ones
    are offered. The heads in `silenced` give nothing when the sentence is read.
    """

    words: Words
    switches: Architecture
    layer: int
    head: int
    other: Words = ()
    pieces: Pieces | None = None
    text: str = ""
    other_text: str = ""
    rows: Rows | None = None
    usual_real: str = ""
    may_be_random: bool = False
    silenced: frozenset[Head] = frozenset()

    @property
    def plain(self) -> tuple[str, ...]:
        """Return the words as plain strings, for tables, programs and models."""
        return tuple(map(str, self.words))

    @property
    def names(self) -> Words:
        """Return the words as menus and sentences name them: pieces as a reader understands them."""
        return self.words if self.pieces is None else tuple(map(Typed, self.pieces.labels))

    @cached_property
    def unique_names(self) -> Words:
        """Return the names, equal ones with their positions, as sentences about one of them need it."""
        return unique_labels(self.names)

    @property
    def unit(self) -> str:
        """Return the name of one of the `words`: word or token."""
        return "word" if self.pieces is None else "token"

    @property
    def last(self) -> int:
        """Return the position of the last word, without special tokens."""
        special = self.pieces.special if self.pieces is not None else frozenset()
        return max((at for at in range(len(self.words)) if at not in special), default=len(self.words) - 1)

    @cached_property  # asked for several times a run, and a key of the arguments is slow to make
    def reading(self) -> WholeReading | LongReading:
        """Return the model's reading of the sentence. Raises UnavailableError if the model is not there."""
        return reading(self.words, self.switches, self.silenced)

    @cached_property
    def attention(self) -> DisplayedAttention:
        """Return the attention weights as shown: between words if pieces are merged into words."""
        every_position = tuple((at,) for at in range(len(self.words)))
        return DisplayedAttention(self.reading, self.rows or Rows(self.words, every_position))

    @property
    def overview(self) -> Overview | None:
        """Return all heads of a text that is too long to keep their weights, as shown; else None."""
        if not isinstance(self.reading, LongReading):
            return None
        groups = self.attention.merged_groups
        return overview(self.words, self.switches, groups, self.left_aside, self.silenced)

    @property
    def left_aside(self) -> frozenset[int]:
        """Return the rows that serve many heads of a real model as attention sinks.

        These are its special tokens. A decoder without any has its sink on the first row.
        """
        if self.pieces is None or self.pieces.special or self.switches.config.looks_ahead:
            return self.attention.rows.special
        return frozenset({0})

    @property
    def largest_shares(self) -> Float[np.ndarray, "layer head"]:
        """Return each head's mean over the rows of their largest weight, without the rows `left_aside`."""
        seen = self.overview
        return largest_shares(self.attention.patterns, self.left_aside) if seen is None else seen.shares

    @property
    def equal_share(self) -> float:
        """Return the value of `largest_shares` for a head with equal weights on all it may attend to."""
        return float(largest_shares(self.attention.equal, self.left_aside))

    @property
    def layers(self) -> Float[np.ndarray, "layer head query key"]:
        """Return the weights up to the chosen layer; for a long text, their mean over heads."""
        n, reading = self.layer + 1, self.reading
        return reading.means(n) if isinstance(reading, LongReading) else reading.patterns()[:n]

    @property
    def pattern(self) -> Float[np.ndarray, "query key"]:
        """Return the attention weights of the chosen head."""
        return self.reading.pattern(self.layer, self.head)

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the words as a figure names them: unknown words carry a mark."""
        return self.marked(self.reading.unknown)

    def marked(self, unknown: Sequence[int]) -> tuple[str, ...]:
        """Return the words as a figure names them, those at the positions `unknown` with a mark."""
        return marked(self.words if self.pieces is None else self.pieces.labels, unknown)

    @property
    def title(self) -> str:
        """Return the chosen head as people count it."""
        return f"Layer {self.layer + 1} · head {self.head + 1}"

    @property
    def place(self) -> str:
        """Return the chosen head within a sentence or a title."""
        return f"layer {self.layer + 1}, head {self.head + 1}"

    @property
    def layer_place(self) -> str:
        """Return the chosen layer within a sentence."""
        return f"layer {self.layer + 1}"

    @property
    def subject(self) -> Subject:
        """Return the subject of a program."""
        return subject(self.words, self.switches, layer=self.layer, head=self.head)


def reading(
    words: tuple[str, ...], switches: Architecture, silenced: frozenset[Head] = frozenset()
) -> WholeReading | LongReading:
    """Return the reading of `words` by a model without some heads, computed once for all visitors."""
    return _reading(words, switches, silenced)


@cached_for_all()
def _reading(
    words: tuple[str, ...], switches: Architecture, silenced: frozenset[Head]
) -> WholeReading | LongReading:
    # Load the model anew when a result is computed again: a reading that held it would keep an evicted model
    # in memory.
    return read_text(
        loaded(words, switches),
        window=switches.window,
        again=lambda: loaded(words, switches).model,
        silenced=silenced,
    )


@cached_for_all()
def overview(
    words: tuple[str, ...],
    switches: Architecture,
    groups: tuple[tuple[int, ...], ...] | None,
    aside: frozenset[int],
    silenced: frozenset[Head],
) -> Overview:
    """Return all heads of a long text, between words whose pieces are `groups`, or else between pieces.

    The rows `aside` do not count in shares.
    """
    read = reading(words, switches, silenced)
    assert isinstance(read, LongReading), "only a long text has too many weights to keep"
    return read.overview(groups, aside)


def subject(words: tuple[str, ...], switches: Architecture, *, layer: int = 0, head: int = 0) -> Subject:
    """Return the subject of a program about this sentence and model; layer and head count from 0."""
    return Subject(
        words=tuple(map(str, words)),
        config=switches.config,
        source=switches.source,
        seed=switches.seed,
        window=switches.window,
        layer=layer,
        head=head,
    )
