"""Sentences on what accuracies of classifiers are measured on, and what a right answer there proves."""

from collections.abc import Mapping

import pandas as pd

from core.learning.evaluation.classification import AMONG, QUESTIONS, SEEN
from core.learning.tasks.classification import AROUND
from core.measures.classification.baselines import LAST_OPINION
from core.measures.classification.forgetting import PLACES, REVIEWS
from core.measures.classification.verdicts import Share
from core.text.language.review_parts import NEVER_NEGATED
from viz.units import per_cent

Shares = Mapping[str, Share]
"""A share of the test reviews of every kind."""


def what_is_asked(near: Shares) -> str:
    """What the dots are, how the reviews stand, and how near they come to those of training."""
    return (
        f"Each dot: {QUESTIONS} distinct test reviews, the line one standard error to either side. The "
        f"reviews stand alone, as typed here, or *among* {AROUND} sentences without an opinion, as in "
        f"training. Training has none of them; {_near(near)}."
    )


def _near(near: Shares) -> str:
    """How many reviews of each kind have a neighbour in training; those among sentences are the same ones."""
    counts = {kind: round(share.value * QUESTIONS) for kind, share in near.items() if kind != AMONG}
    some = [f"of *{kind}* {n}" for kind, n in counts.items() if n]
    none = [f"*{kind}*" for kind, n in counts.items() if not n]
    told = [f"{' and '.join(some)} differ from one of its reviews in one word"] if some else []
    return ", ".join([*told, *([f"of {' and '.join(none)} none does"] if none else [])])


def what_is_held_out() -> str:
    """A sentence on the combinations that training does not have."""
    adjectives = ", ".join(f"*{word}*" for word in sorted(NEVER_NEGATED))
    return (
        "Held out: training has negation, intensifiers and contrasts, but never these together: *although* "
        "with a negation in the last clause, *but* with an intensifier after it, and no negation of the "
        f"adjectives {adjectives}."
    )


def what_it_proves(accuracies: pd.DataFrame, without_reading: Shares) -> str:
    """What reading one word gets on every kind, where that is as much as can be had, and the hardest kind.

    `accuracies` has the columns model, kind and share, of the classifiers and of `LAST_OPINION`.
    """
    is_baseline = accuracies["model"] == LAST_OPINION
    one_word = accuracies[is_baseline].set_index("kind")["share"].drop(AMONG)
    told = ", ".join(f"{per_cent(share)} on *{kind}*" for kind, share in one_word.items())
    ends = [per_cent(of(one.value for one in without_reading.values())) for of in (min, max)]
    held_out = accuracies[~is_baseline & ~accuracies["kind"].isin((SEEN, AMONG))]
    worst = held_out.loc[held_out["share"].idxmin()]
    return (
        f"*{LAST_OPINION.capitalize()}* is a baseline that reads this one word and nothing else: it gets "
        f"{told}.{_no_proof(one_word)} The majority-class baseline gets {' to '.join(dict.fromkeys(ends))}. "
        f"Lowest on what was held out: {worst['model']} on *{worst['kind']}*, {per_cent(worst['share'])}."
    )


def _no_proof(one_word: pd.Series) -> str:
    """The kinds held out on which one word is enough."""
    enough = [f"*{kind}*" for kind, share in one_word.items() if share == 1 and kind != SEEN]
    if not enough:
        return ""
    return (
        f" On {' and '.join(enough)} that one word is enough, so a right answer there proves no composition."
    )


def learned(right: float, by_one_word: float) -> str:
    """What a classifier has learned, beside the baseline that reads one word."""
    return (
        "Trained on reviews in a small artificial English, each with one label. Of unseen reviews of the "
        f"kinds it was trained on it gets {per_cent(right)} right; reading nothing but the last opinion gets "
        f"{per_cent(by_one_word)}."
    )


def how_far(n_steps: int, baseline: float) -> str:
    """What the points of *forgetting* are measured on, and what they do not say."""
    return (
        f"{REVIEWS} distinct test reviews of kinds that training has, the same at every point, among the "
        f"same {AROUND} sentences without an opinion: only how many of these follow the review changes, from "
        f"{PLACES[0]} to {PLACES[-1]}. In training the review stands equally often at every place. Lines: "
        "one standard error. The majority-class baseline always gives the label that more of these reviews "
        f"have: it gets {per_cent(baseline)}. What is measured is what these models have learned in the same "
        f"{n_steps:,} training steps, not what such a network can learn in more."
    )
