"""Minimal pairs of a review: a negation, an intensifier and a contrast put in or taken out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.measures.classification.reviews import by_the_rules
from core.text.language.forms import noun_forms
from core.text.language.review_parts import ALTHOUGH, BUT, COMMA, OPINIONS, STOP, Clause, Parts, parts_of
from core.text.language.reviews import ADJECTIVES

Words = tuple[str, ...]

NEGATION, INTENSIFIER, DID = "not", "very", "did"
INTENSIFIER_OF_VERBS, NEGATION_OF_VERBS = "really", "never"

_VERBS = "like/liked enjoy/enjoyed hate/hated dislike/disliked regret/regretted"
PAST_OF: Mapping[str, str] = dict(verb.split("/") for verb in _VERBS.split())
"""Verbs of opinion in the form after "did not", and in the past."""

BASE_OF: Mapping[str, str] = {past: base for base, past in PAST_OF.items()}

MEALS = frozenset(form.text for form in noun_forms("meal"))

OPPOSITE: Mapping[tuple[bool, str], Words] = {
    (False, "positive"): ("the", "ending", "was", "boring"),
    (False, "negative"): ("the", "ending", "was", "great"),
    (True, "positive"): ("the", "dessert", "was", "stale"),
    (True, "negative"): ("the", "dessert", "was", "delicious"),
}
"""The contrast to a film or a meal that was praised or blamed before."""


@dataclass(frozen=True)
class Flip:
    """One change of a review: its description, the new words, and its label by the rules."""

    what: str
    words: Words
    label: str | None


def flips(words: Sequence[str]) -> tuple[Flip, ...]:
    """Return the review as it is, then every possible change; empty without a word of opinion."""
    parts = parts_of(words)
    if parts.deciding is None:
        return ()
    as_typed = Flip("as typed", parts.words, by_the_rules(parts))
    deciding = next(clause for clause in reversed(parts.clauses) if clause.opinions)
    changed = (change(parts, deciding) for change in CHANGES)
    made = [Flip(what, new, by_the_rules(parts_of(new))) for what, new in filter(None, changed)]
    return (as_typed, *made)


Change = Callable[[Parts, Clause], tuple[str, Words] | None]


def negation(parts: Parts, clause: Clause) -> tuple[str, Words] | None:
    """Negate the deciding clause, or remove its negation; not in "not only … but also"."""
    words, position = parts.words, clause.opinions[-1]
    if clause.negation is not None:
        return "− negation", _without_negation(words, clause.negation, position)
    if "only" in words[clause.start : clause.end]:
        return None
    if words[position] in BASE_OF:
        return "+ negation", (
            *words[:position],
            DID,
            NEGATION,
            BASE_OF[words[position]],
            *words[position + 1 :],
        )
    sign = NEGATION if _is_adjective(words[position]) else NEGATION_OF_VERBS
    start = position - 1 if clause.intensifier == position - 1 else position
    return "+ negation", (*words[:start], sign, *words[start:])


def _without_negation(words: Words, at: int, position: int) -> Words:
    if words[at - 1 : at] == (DID,):
        verb = PAST_OF.get(words[position], words[position])
        return (*words[: at - 1], *words[at + 1 : position], verb, *words[position + 1 :])
    return words[:at] + words[at + 1 :]


def intensifier(parts: Parts, clause: Clause) -> tuple[str, Words]:
    """Return the deciding word with an intensifier before it, or without its intensifier."""
    words, position = parts.words, clause.opinions[-1]
    if clause.intensifier is not None:
        at = clause.intensifier
        return "− intensifier", words[:at] + words[at + 1 :]
    sign = INTENSIFIER if _is_adjective(words[position]) else INTENSIFIER_OF_VERBS
    return "+ intensifier", (*words[:position], sign, *words[position:])


def contrast(parts: Parts, clause: Clause) -> tuple[str, Words]:
    """Remove the contrasted clause; without one, add a clause that decides."""
    words = parts.words
    if parts.contrast is not None and clause.start > 0:
        return "− contrast", words[clause.start :]
    body = words[:-1] if words[-1] == STOP else words
    said = OPPOSITE[not MEALS.isdisjoint(words[clause.start : clause.end]), str(by_the_rules(parts))]
    return "+ contrast", (*body, BUT, *said, STOP)


def turned_round(parts: Parts, clause: Clause) -> tuple[str, Words] | None:
    """Return the two clauses of a contrast in the other order: the same words, with the other deciding."""
    if parts.contrast is None or len(parts.clauses) != 2 or not all(c.opinions for c in parts.clauses):
        return None
    words, (first, second) = parts.words, parts.clauses
    end = words[second.end - 1 :] if words[second.end - 1] == STOP else ()
    one, other = words[first.start : first.end], words[second.start : second.end - len(end)]
    if parts.contrast == ALTHOUGH:
        bare = tuple(word for word in one if word != ALTHOUGH)
        return "exchanged", (ALTHOUGH, *other, COMMA, *bare, *end)
    return "exchanged", (*other, BUT, *one, *end)


CHANGES: tuple[Change, ...] = (negation, intensifier, contrast, turned_round)


def _is_adjective(word: str) -> bool:
    assert word in OPINIONS
    return word in ADJECTIVES[0] | ADJECTIVES[1]
