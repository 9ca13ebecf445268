"""What is said of alignments that nobody taught, as functions of numbers alone."""

from collections.abc import Mapping, Sequence

from core.model.alignment import SCORE_FUNCTIONS
from viz.text import counted
from viz.units import per_cent

HALF = 0.5

BY_PLACE = "same relative place"
"""The baseline that is drawn beside the score functions: it reads no word."""

SCORELESS = "linear"
"""The score function whose weights are no softmax."""


def claim(shares: Mapping[str, float], *, by_place: float, at_random: float) -> str:
    """For which score functions content words align, beside two ways to align them without reading.

    `shares` are those of content words that attend most to a word which they translate.
    """
    untaught = "Training asked for the next word and never told which words belong together."
    if not shares:
        return untaught
    told = ", ".join(f"**{score}** {per_cent(share)}" for score, share in shares.items())
    aligned = [score for score, share in shares.items() if share > max(HALF, by_place, at_random)]
    return (
        f"{untaught}{_most(aligned)} Content words (nouns, names, adjectives, verbs) that attend most to a "
        f"word which they translate, of all in the test sentences: {told}. Baselines that read nothing: the "
        f"source word at the same relative place {per_cent(by_place)}, one drawn at random "
        f"{per_cent(at_random)}."
    )


def _most(scores: Sequence[str]) -> str:
    """The claim, of those score functions for which it is so."""
    if not scores:
        return ""
    named = " and ".join(filter(None, [", ".join(scores[:-1]), scores[-1]]))
    functions = "score function" if len(scores) == 1 else "score functions"
    return f" **And yet most content words align by themselves** with the {functions} {named}."


def in_this_sentence(counts: Mapping[str, int], n: int) -> str:
    """How many of `n` content words attend most to a word that they translate, by score function."""
    listed = ", ".join(f"{name} {right}" for name, right in counts.items())
    return f"In this sentence, of {counted(n, 'content word')}: {listed}." if n else ""


def unlike_others() -> str:
    """What the one without a softmax is, and how its picture differs."""
    return (
        f"*{SCORELESS.capitalize()}*: {SCORE_FUNCTIONS[SCORELESS].about.says} Its colours have a scale of "
        "their own, and the largest weight in size counts."
    )
