"""What accuracies by distance say, as functions of these alone: who is better, where, by how much."""

from collections.abc import Sequence

import pandas as pd

from core.measures.distance.long_range import EVEN_WITHIN, TRANSFORMER, Standing, standings
from viz.groups import where
from viz.units import per_cent

APART = f"{100 * EVEN_WITHIN:g} points"
EVERYWHERE = "at every distance"

FEW_POINTS = 10
"""Points below which a decimal is told, so that 5.5 is seen to be more than 5."""


def at_the_longest(table: pd.DataFrame, baselines: Sequence[float]) -> str:
    """The accuracies at the longest distance, and that of the baseline."""
    words = list(dict.fromkeys(table["words"]))
    found = standings(table, baselines)
    ends = ", ".join(f"{per_cent(one.accuracies[-1])} for the {name}" for name, one in found.items())
    return f"At {words[-1]} words the accuracy is {ends}; the baseline has {per_cent(baselines[-1])}."


def comparisons(table: pd.DataFrame, baselines: Sequence[float]) -> str:
    """Each network beside the Transformer, and who only guesses."""
    words = list(dict.fromkeys(table["words"]))
    found = standings(table, baselines)
    rivals = [name for name in found if name != TRANSFORMER]
    beside = [compared(name, found[name], found[TRANSFORMER], words) for name in rivals]
    return " ".join(filter(None, [*beside, *(_guesses(name, one, words) for name, one in found.items())]))


def compared(name: str, one: Standing, transformer: Standing, words: Sequence[str]) -> str:
    """A sentence on where one network is more accurate than the Transformer, where less, and by how much."""
    if not (one.ahead or one.behind):
        return f"The accuracy of the {name} is within {APART} of the {TRANSFORMER}'s {EVERYWHERE}."
    sides = [(how, groups) for how, groups in (("more", one.ahead), ("less", one.behind)) if groups]
    thans = [f" than the {TRANSFORMER}", ""]
    parts = [
        f"{how} accurate{than} {where(groups, words, all_of_them=EVERYWHERE)}, by "
        f"{_by(groups, one, transformer, words)}"
        for (how, groups), than in zip(sides, thans, strict=False)
    ]
    is_everywhere = len(one.ahead) + len(one.behind) == len(words)
    rest = "" if is_everywhere else f"; elsewhere the two are within {APART}"
    return f"The {name} is {', and '.join(parts)}{rest}."


def _by(groups: Sequence[int], one: Standing, transformer: Standing, words: Sequence[str]) -> str:
    """The largest margin of these groups: in points, and both accuracies."""
    widest = max(groups, key=lambda group: abs(one.margins[group]))
    points = 100 * abs(one.margins[widest])
    told = f"{points:.{int(points < FEW_POINTS)}f} points"
    both = f"{per_cent(one.accuracies[widest])} against {per_cent(transformer.accuracies[widest])}"
    if len(groups) == 1:
        return f"{told}: {both}"
    return f"up to {told}: {both} at {words[widest]} words"


def _guesses(name: str, one: Standing, words: Sequence[str]) -> str:
    """A sentence on where a network is no better than the baseline, if anywhere."""
    if not one.guesses:
        return ""
    at = where(one.guesses, words, all_of_them="at any distance")
    return f"The {name} is not clearly better than the baseline {at}."
