"""Attention weights for views: between the pieces that a model reads, or between words."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float

from core.measures.long_reading import LongReading
from core.measures.merging import equal_weights, merge, merge_allowed
from core.measures.reading import WholeReading
from core.sources import Pieces
from pages.contract.ask import Ask
from pages.contract.parameters import options_of
from pages.contract.prose import Typed
from pages.contract.words import Words, marked
from words import enumerated

PIECES, WORDS = options_of("tokens")
CELL = ("query", "key")

HOW_MERGED = (
    "If a word has several tokens, its row is the mean of their rows and its column is the sum of their "
    "columns, as in Clark et al. (2019)."
)
HIDDEN = "Special tokens are hidden, so rows sum to less than 1: the rest of the attention goes to them."


@dataclass(frozen=True)
class Rows:
    """Rows and columns of a matrix, groups of the model's positions; `unit` names one: word or token."""

    names: Words
    groups: tuple[tuple[int, ...], ...]
    special: frozenset[int] = frozenset()
    unknown: frozenset[int] = frozenset()
    unit: str = "word"


def ask_rows(ask: Ask, pieces: Pieces) -> Rows:
    """Return the rows that two controls ask for: pieces or words, with or without special tokens."""
    kind = ask.choice("tokens", hide_label=True, clears=CELL)
    special = not pieces.special or ask.switch("special", clears=CELL)
    rows = rows_of(pieces, kind, special=special)
    if kind == WORDS and any(len(group) > 1 for group in rows.groups):
        ask.caption(HOW_MERGED)
    if sum(map(len, rows.groups)) < len(pieces.texts):
        ask.caption(f"{HIDDEN} {_kept(pieces)}".strip())
    return rows


def rows_of(pieces: Pieces, kind: str = PIECES, *, special: bool = True) -> Rows:
    """Return the rows of pieces or words, with special tokens or without."""
    groups, names = pieces.groups, pieces.names
    if kind == PIECES:
        groups, names = tuple((at,) for at in range(len(pieces.texts))), pieces.labels
    kept = [at for at, group in enumerate(groups) if special or not pieces.special.issuperset(group)]
    shown = tuple(groups[at] for at in kept)
    return Rows(
        tuple(Typed(names[at]) for at in kept),
        shown,
        frozenset(row for row, group in enumerate(shown) if pieces.special.issuperset(group)),
        frozenset(row for row, group in enumerate(shown) if set(group) & set(pieces.unknown)),
        unit=kind.removesuffix("s"),
    )


def _kept(pieces: Pieces) -> str:
    """Return a sentence that says that the special tokens of the sentence are shown."""
    typed = list(dict.fromkeys(f"{Typed(pieces.texts[at])}" for at in sorted(pieces.typed)))
    if not typed:
        return ""
    named = enumerated(typed)
    return f"{named} {'stays' if len(typed) == 1 else 'stay'}, as part of the sentence."


@dataclass(frozen=True)
class DisplayedAttention:
    """Attention weights of a reading, merged into the rows and columns that are shown."""

    reading: WholeReading | LongReading
    rows: Rows

    @property
    def names(self) -> Words:
        """Return the names of rows and columns in a sentence."""
        return self.rows.names

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Return the names of rows and columns in a figure; unknown words carry a mark."""
        return marked(self.names, self.rows.unknown or self.reading.unknown)

    @cached_property
    def patterns(self) -> Float[np.ndarray, "layer head query key"]:
        """Return the weights of every head of every layer; a long text has an overview instead."""
        assert isinstance(self.reading, WholeReading), "those of a long text are too many to keep"
        return self.merged(self.reading.patterns())

    @property
    def unit(self) -> str:
        """Return the name of one row: word or token."""
        return self.rows.unit

    @property
    def of_shown(self) -> str:
        """Return the end of "the largest weight" in a sentence: " shown" if some positions have no row."""
        return " shown" * (sum(map(len, self.rows.groups)) < len(self.reading.words))

    def pattern(self, layer: int, head: int) -> Float[np.ndarray, "query key"]:
        """Return the weights of one head."""
        return self.merged(self.reading.pattern(layer, head))

    @cached_property
    def allowed(self) -> Bool[np.ndarray, "query key"]:
        """Return which row may attend to which column."""
        whole = self.reading.allowed()
        return whole if self._is_whole else merge_allowed(whole, self.rows.groups)

    @property
    def equal(self) -> Float[np.ndarray, "query key"]:
        """Return the weights of a head that attends equally to all positions it may attend to."""
        return equal_weights(self.reading.allowed(), self.merged_groups)

    def of_cell(self, layer: int, cell: tuple[int, int]) -> Float[np.ndarray, "head"]:
        """Return the weight of one cell in every head of a layer."""
        queries, keys = map(self.pieces, cell)
        weights = self.reading.of_layer(layer)[:, list(queries)][..., list(keys)]
        return np.asarray(weights.sum(axis=2).mean(axis=1))

    def pieces(self, at: int) -> Sequence[int]:
        """Return the positions of the model that a row or a column stands for."""
        return self.rows.groups[at]

    def merged(self, weights: Float[np.ndarray, "... piece piece"]) -> Float[np.ndarray, "... query key"]:
        """Return weights between the model's positions as weights between rows and columns."""
        return weights if self._is_whole else merge(weights, self.rows.groups)

    @property
    def merged_groups(self) -> tuple[tuple[int, ...], ...] | None:
        """Return the positions of each row; None if every position has a row."""
        return None if self._is_whole else self.rows.groups

    @cached_property
    def _is_whole(self) -> bool:
        return self.rows.groups == tuple((at,) for at in range(len(self.reading.words)))
