"""The review as the page reads it, and its label by the rules of the language."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from core.measures.classification.reviews import by_the_rules, is_made_by_grammar, training_had
from core.text.language import encode
from core.text.language.review_parts import Parts, held_out_kinds, parts_of
from pages.contract.prose import Typed, literal
from pages.contract.question_builders import unique_labels
from pages.contract.words import Words, marked

BUT = "the acting was good but the story was boring ."
DIFFERS = "although the film was good , the ending was not dull ."
"""A review on which the classifiers disagree: three of the seven say praise."""

EXAMPLES = (
    BUT,
    "although the soup was not bland , the cakes were burnt .",
    "the film was never dull .",
    "i did not regret the dinner .",
    "the movie was not only funny but also clever .",
    "the dinner was great . the chef ate the cakes . the dogs run on the square .",
)

OF_REVIEW: dict[str, Any] = {"sentence": BUT, "examples": EXAMPLES}
"""The review in the box at first, and those one click away from it."""

BLAME, PRAISE = "blame", "praise"

LABELS = {"positive": PRAISE, "negative": BLAME}
"""Names of the labels on the page."""

MOST_QUOTED = 160
"""Characters of a review that a question quotes."""

UNSEEN = " (training had no such review)"
"""Follows the name of a text on which a wrong verdict is no surprise."""


@dataclass(frozen=True)
class Review:
    """A typed review, taken apart by the rules of the language."""

    words: Words

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """Return the words as plain strings."""
        return tuple(map(str, self.words))

    @cached_property
    def parts(self) -> Parts:
        """Return the clauses of the review, and the word that decides."""
        return parts_of(self.plain)

    @cached_property
    def unknown(self) -> tuple[int, ...]:
        """Return the positions of words that no classifier knows."""
        return tuple(encode(self.plain).unknown)

    @cached_property
    def names(self) -> tuple[Typed, ...]:
        """Return the words as sentences name them: equal ones carry their position."""
        return unique_labels(self.words)

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the words as figures name them: unknown ones carry a mark."""
        return marked(self.words, self.unknown)

    @property
    def label(self) -> str | None:
        """Return the label by the rules: positive, negative, or None without a word of opinion."""
        return by_the_rules(self.parts)

    def by_rules(self) -> str:
        """Return the label by the rules, and which word decides."""
        if self.label is None or self.parts.deciding is None:
            return "There is no word of opinion in this text, so the rules of the language give it no label."
        words, reversing = self.parts.words, self.parts.reversing
        by = "" if reversing is None else f", reversed by *{literal(words[reversing])}*"
        return (
            f"By the rules it is **{LABELS[self.label]}**{unseen(self.plain)}: the last opinion, "
            f"*{literal(words[self.parts.deciding])}*{by}, decides.{self._why_unseen()}"
        )

    def _why_unseen(self) -> str:
        """Return which held-out kind the review has, or that the grammar does not make it."""
        if not is_made_by_grammar(self.plain):
            return " The grammar that made the reviews of training does not make this text."
        kinds = held_out_kinds(self.plain)
        return f" Held out of training: *{', '.join(kinds)}*." if kinds else ""


def quoted(words: Sequence[str]) -> str:
    """Return a review as a question quotes it."""
    return f"*“{Typed(' '.join(words)):{MOST_QUOTED}}”*"


def unseen(words: tuple[str, ...]) -> str:
    """Return the mark of a text of a kind that training did not have; nothing for other texts."""
    return "" if training_had(words) else UNSEEN
