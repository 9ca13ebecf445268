"""Sentences on three measures of what a word contributes: what they are, and how far they agree."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from core.learning.tasks.sentences import WORD_DROPOUT
from core.measures.classification.contributions import ROUNDING, Contributions, kendall
from core.text.language import UNKNOWN
from pages.controls.prose import literal
from viz.units import per_cent

ABLATION, GRADIENT, ATTENTION = "ablation", "gradient × input", "attention weight"

Rows = Mapping[str, np.ndarray]
"""A number for each word, of every measure by its name."""


def why_none(*, are_unknown: bool) -> str:
    """Why all the contributions by a measure are 0."""
    if are_unknown:
        return f"the model reads each one as {literal(UNKNOWN)}, so that replacing it changes nothing"
    return f"all contributions are less than {ROUNDING:.5f}, which is rounding"


def agreement(rows: Rows) -> str:
    """Kendall's τ between every two measures, of how much a word counts, whatever its sign."""
    if len(next(iter(rows.values()))) == 1:
        return "One word has no order, so there is no rank agreement."
    taus = {
        (one, other): kendall(np.abs(rows[one]), np.abs(rows[other])) for one, other in combinations(rows, 2)
    }
    listed = "; ".join(
        f"{one} and {other} **{_two_digits(tau)}**" for (one, other), tau in taus.items() if not np.isnan(tau)
    )
    order = "of the sizes, 1 is the same order of words, 0 no relation"
    found = f"Rank agreement (Kendall's τ-b {order}): {listed}." if listed else ""
    level = [name for name, values in rows.items() if _is_level(values)]
    none = f"By {' and '.join(level)} all words are level: there is no order to compare." if level else ""
    return " ".join(filter(None, (found, none)))


def caution(rows: Rows) -> str:
    """What the measures that are drawn must not be taken for."""
    if ATTENTION not in rows:
        return (
            "The two measures ask different questions: what replacing a word changes, and how steep the "
            "log-odds are along its vector."
        )
    return (
        "Attention is not explanation: a weight says what is read, not what it does to the verdict "
        "(Jain and Wallace 2019; Wiegreffe and Pinter 2019 on when it may serve as one)."
    )


def how(found: Contributions) -> str:
    """What each measure is."""
    attention = (
        " *Attention weight*: what the word gets, averaged over all heads and all queries of the one layer; "
        f"weights have no sign.{small_ratio(found)}"
        if found.attention is not None
        else " This network has no attention, so there are two measures."
    )
    unknown, one_in = literal(UNKNOWN), round(1 / WORD_DROPOUT)
    return (
        "Ablation and gradient × input are of the log-odds of praise: up is for praise, down for blame, each "
        "row in its own scale. *Ablation*: by how much the log-odds fall when the word is replaced by "
        f"{unknown}, which training has shown in place of one word in {one_in}; a word that is not known is "
        f"read as {unknown} already and contributes 0. *Gradient × input*: the "
        "slope of the log-odds along the word's vector, which is all there is to say of a linear model."
        + attention
    )


def small_ratio(found: Contributions) -> str:
    """The largest gradient × input by the largest ablation, if it is small."""
    slope, fall = (float(np.abs(values).max()) for values in (found.gradient, found.ablation))
    if not 0 < 2 * slope < fall:
        return ""
    return f" Here the largest gradient × input is {per_cent(slope / fall)} of the largest ablation."


def _is_level(values: np.ndarray) -> bool:
    """Whether a measure puts no word before another: then it agrees with no order whatever."""
    return bool(np.isnan(kendall(np.abs(values), np.arange(len(values)))))


def _two_digits(tau: float) -> str:
    return f"{tau:.2f}".replace("-", "−")
