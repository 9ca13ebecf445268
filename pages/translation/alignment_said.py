"""What is said of alignments that nobody taught, as functions of numbers alone."""

from collections.abc import Mapping

from core.model.alignment import SCORE_FUNCTIONS
from viz.text import counted, enumerated
from viz.units import per_cent

HALF = 0.5

BY_PLACE = "same relative place"
"""The baseline that is drawn beside the score functions: it reads no word."""

SCORELESS = "linear"
"""The score function whose weights are no softmax."""


UNTAUGHT = "training asked for the next word and never told which words belong together"


def answer(hits: Mapping[str, float], *, by_place: float, at_random: float) -> str:
    """A sentence on the score functions that align content words, beside two ways without reading.

    `hits` are the shares of content words that attend most to a word which they translate.
    """
    if not hits:
        return f"Nobody: {UNTAUGHT}."
    aligned = [score for score, share in hits.items() if share > max(HALF, by_place, at_random)]
    best = max(hits, key=lambda score: hits[score])
    if not aligned:
        return (
            f"Nobody: {UNTAUGHT}; {per_cent(hits[best])} of content words at most attend most to a word that "
            f"they translate, with {best}."
        )
    found = f"Nobody: {UNTAUGHT}, and yet most content words align by themselves with the score function"
    if len(aligned) == 1:
        return f"{found} {best}, {per_cent(hits[best])} of them."
    least = min(aligned, key=lambda score: hits[score])
    ends = (f"{per_cent(hits[score])} with {score}" for score in (least, best))
    return f"{found}s {enumerated(aligned)}: from {' to '.join(ends)}."


def shares(hits: Mapping[str, float], *, by_place: float, at_random: float) -> str:
    """How many content words align by every score function, and without reading; nothing if not measured."""
    if not hits:
        return ""
    told = ", ".join(f"**{score}** {per_cent(share)}" for score, share in hits.items())
    return (
        "Content words (nouns, names, adjectives, verbs) that attend most to a word which they translate, of "
        f"all in the test sentences: {told}. Baselines that read nothing: the source word at the same "
        f"relative place {per_cent(by_place)}, one drawn at random {per_cent(at_random)}."
    )


def in_this_sentence(counts: Mapping[str, int], n: int) -> str:
    """How many of the `n` content words of a translation attend most to a word that they translate."""
    listed = ", ".join(f"{name} {right}" for name, right in counts.items())
    return f"In this translation, of {counted(n, 'content word')}: {listed}." if n else ""


def unlike_others() -> str:
    """What the one without a softmax is, and how its picture differs."""
    return (
        f"*{SCORELESS.capitalize()}*: {SCORE_FUNCTIONS[SCORELESS].about.says} Its colours have a scale of "
        "their own, and the largest weight in size counts."
    )
