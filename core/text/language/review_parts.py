"""The parts of a review: clauses, opinions, negations, intensifiers and joints.

Also the combinations of these that training leaves out. Accuracy on them shows whether a model has learned
the rules or the examples.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.text.language.lexicon import WORDS
from core.text.language.reviews import ADJECTIVES, VERBS_OF_OPINION
from core.text.language.vocabulary import fold

NEGATIONS = frozenset(WORDS["not"].split())
INTENSIFIERS = frozenset(WORDS["very"].split())
BUT, ALTHOUGH, AND, COMMA, STOP = "but", "although", "and", ",", "."

OPINIONS: Mapping[str, int] = dict.fromkeys(ADJECTIVES[0] | VERBS_OF_OPINION[0], +1) | dict.fromkeys(
    ADJECTIVES[1] | VERBS_OF_OPINION[1], -1
)
"""Every word of opinion: +1 for praise, −1 for blame."""

NEVER_NEGATED = frozenset({"clever", "dull", "fresh", "burnt"})
"""Adjectives never negated in training: one of praise and one of blame, for films and for meals."""


@dataclass(frozen=True)
class Clause:
    """The words from `start` up to `end`, with the positions of opinions, negation and intensifier."""

    start: int
    end: int
    opinions: tuple[int, ...]
    negation: int | None
    intensifier: int | None


@dataclass(frozen=True)
class Parts:
    """The clauses of a review in order, and the contrast between two of them: but, although or None."""

    words: tuple[str, ...]
    clauses: tuple[Clause, ...]
    contrast: str | None

    @property
    def last(self) -> Clause:
        """The clause that decides: in every review of the language the last one."""
        return self.clauses[-1]

    @property
    def deciding(self) -> int | None:
        """The position of the deciding word, the last opinion; None in a review without opinions."""
        positions = [position for clause in self.clauses for position in clause.opinions]
        return max(positions, default=None)

    @property
    def reversing(self) -> int | None:
        """The position of the negation that reverses the deciding word; None without one."""
        return next((clause.negation for clause in reversed(self.clauses) if clause.opinions), None)


def parts_of(words: Sequence[str]) -> Parts:
    """Return the parts of a review, in small letters; other texts give parts that look like them."""
    words = tuple(map(fold, words))
    joints = [at for at, word in enumerate(words) if _joins(words, at)]
    starts = [0, *(at + 1 for at in joints)]
    ends = [*joints, len(words)]
    clauses = [_clause(words, start, end) for start, end in zip(starts, ends, strict=True) if start < end]
    joined = [words[at] for at in joints]
    contrast = ALTHOUGH if ALTHOUGH in words else BUT if BUT in joined else None
    return Parts(words, tuple(clauses), contrast)


def _joins(words: Sequence[str], at: int) -> bool:
    """Return whether the word separates two clauses, as neither the last stop nor "but also" does."""
    following = words[at + 1] if at + 1 < len(words) else ""
    if words[at] in (BUT, STOP):
        return following not in ("also", "")
    return words[at] in (AND, COMMA)


def _clause(words: Sequence[str], start: int, end: int) -> Clause:
    positions = range(start, end)
    negations = [at for at in positions if words[at] in NEGATIONS and words[at + 1 : at + 2] != ("only",)]
    intensifiers = [at for at in positions if words[at] in INTENSIFIERS]
    opinions = tuple(at for at in positions if words[at] in OPINIONS)
    return Clause(start, end, opinions, next(iter(negations), None), next(iter(intensifiers), None))


HELD_OUT: Mapping[str, Callable[[Parts], bool]] = {
    "although + negation": lambda it: it.contrast == ALTHOUGH and it.last.negation is not None,
    "but + intensifier": lambda it: it.contrast == BUT and it.last.intensifier is not None,
    "adjective never negated": lambda it: any(
        clause.negation is not None and it.words[at] in NEVER_NEGATED
        for clause in it.clauses
        for at in clause.opinions
    ),
}
"""Combinations that training leaves out, though it has each of their parts, by name."""


def held_out_kinds(words: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the combinations in a review that training leaves out."""
    parts = parts_of(words)
    return tuple(name for name, is_one in HELD_OUT.items() if parts.clauses and is_one(parts))
