"""The table of score functions: formula, cost and worth of each."""

from collections.abc import Mapping

import numpy as np

from core.learning.evaluation.translation import LENGTHS
from core.measures.translation.scoring import Judged, cost
from core.model.alignment import SCORE_FUNCTIONS
from pages.contract.sheet import Fold, Part, Remark, TextTable
from pages.translation.alignment_said import BY_PLACE
from viz.units import per_cent

NOTHING = "–"
"""Stands in the table where there is nothing to count."""

HEADS = (
    *("score function", "formula", "parameters", "× for one pair", "× for this sentence", "sentences right"),
    *("at {}–{} words", "error rate, all words", "error rate, content words"),
)
N_TEXTS = 2
"""How many columns are no numbers: the first ones."""


def score_table(
    known: Mapping[str, Judged], by_place: Judged, n_targets: int, n_sources: int
) -> tuple[Part, ...]:
    """The table of the score functions that are there, and what its columns mean."""
    rows = [" | ".join(HEADS).format(*LENGTHS[-1]), _rule()]
    rows += [" | ".join(_row(score, judged, n_targets, n_sources)) for score, judged in known.items()]
    errors = (per_cent(by_place.error), per_cent(by_place.content_error))
    empty = (NOTHING,) * (len(HEADS) - len(errors) - 1)
    rows.append(" | ".join((f"*baseline: {BY_PLACE}*", *empty, *errors)))
    return (
        TextTable(
            "scores", "\n".join(f"| {row} |" for row in rows), title="Cost and worth of score functions"
        ),
        Fold("What the columns mean", (Remark(_meaning(known)),)),
    )


def _rule() -> str:
    return " | ".join(["---"] * N_TEXTS + ["--:"] * (len(HEADS) - N_TEXTS))


def _row(score: str, known: Judged, n_targets: int, n_sources: int) -> tuple[str, ...]:
    about = SCORE_FUNCTIONS[score].about
    one, whole = cost(score), cost(score, n_targets, n_sources)
    costs = (f"{n:,}" for n in (one.parameters, one.multiplications, whole.multiplications))
    shares = (known.right, known.right_longest, known.error, known.content_error)
    worth = ("not measured" if np.isnan(share) else per_cent(share) for share in shares)
    return (about.title, f"${about.formula}$", *costs, *worth)


def _meaning(known: Mapping[str, Judged]) -> str:
    places = dict.fromkeys(SCORE_FUNCTIONS[score].about.source for score in known)
    return (
        "$q$ is a state of the decoder, $h_j$ one of the encoder; a softmax over $j$ follows, but for "
        "*linear*. ×: multiplications, for one pair of states and for all pairs of this sentence, where the "
        "matrices are applied once to each state. Error rate: 1 − 2 · links found rightly / (links found + "
        "links by the rules); found is one link for each word of the translation, to the source word that it "
        f"attends to most. Formulas: {'; '.join(places)}."
    )
