"""Words of a sentence in figures and notes, with a mark on those that the model does not know."""

from collections.abc import Collection, Sequence

from core.text.language import UNKNOWN
from pages.contract.prose import Typed, literal

UNKNOWN_MARK = "†"
"""Follows a word that the model does not know, in figures and sentences."""

NOT_LEARNED, NO_PIECE = "not among the words that the model has learned", "no token of the vocabulary fits"
"""Explanation of an unknown word, and of one for which a real model has no piece."""

UNKNOWN_NAMED = 12
"""Greatest number of unknown words named above the picture; in the picture all carry the mark."""

Words = tuple[Typed, ...]


def marked(words: Sequence[str], unknown: Collection[int]) -> tuple[str, ...]:
    """Return the words as a figure names them: those at the positions `unknown` carry a mark."""
    return tuple(str(word) + UNKNOWN_MARK * (at in unknown) for at, word in enumerate(words))


def unknown_named(words: Words, unknown: Sequence[int]) -> str:
    """Return a sentence on the words that the model does not know, and what it reads instead."""
    different = list(dict.fromkeys(words[at] for at in unknown))
    named = ", ".join(f"**{word}**{UNKNOWN_MARK}" for word in different[:UNKNOWN_NAMED])
    more = f" and {len(different) - UNKNOWN_NAMED} more" if len(different) > UNKNOWN_NAMED else ""
    return f":orange-badge[unknown] {named}{more}: {NOT_LEARNED}; it reads {literal(UNKNOWN)}."
