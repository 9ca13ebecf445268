"""What one expects of logits and of their softmax, before the view of probabilities shows them."""

from math import exp, log

from pages.contract.predict import choose, mistakes
from pages.contract.question import Choose, Estimate, Option
from viz.units import two_decimals

LEAST_RATIO, MOST_RATIO = 1.5, 1000
"""Ratios of two probabilities that can be guessed, and that are worth it."""


def ratio_of_probabilities(first: float, second: float) -> Estimate | None:
    """What the softmax makes of two logits; None where the probabilities are too near, or too far apart."""
    higher, lower = round(first, 2), round(second, 2)
    if not log(LEAST_RATIO) < higher - lower < log(MOST_RATIO):
        return None
    ratio = exp(higher - lower)
    near = ratio / 4
    known = []
    if lower > 0 and higher / lower > 1:
        known.append((higher / lower, "The softmax takes exp of each logit: a difference becomes a ratio."))
    if higher - lower > 1:
        known.append((higher - lower, "That is the difference of the logits: the ratio is exp of it."))
    return Estimate(
        text=(
            f"The two largest logits are {two_decimals(higher)} and {two_decimals(lower)}. How many times as "
            "likely as the second word is the first?"
        ),
        right=ratio,
        bounds=(1, MOST_RATIO),
        unit="times",
        decimals=1,
        near=near,
        mistaken=mistakes(ratio, *known, near=near),
        because=f"It is exp({two_decimals(higher - lower)}): the softmax makes ratios of differences.",
    )


def same_added_to_all() -> Choose | None:
    """Ask what adding the same to all logits does to the probabilities."""
    return choose(
        "Suppose that 1 were added to every logit. What happens to the probabilities?",
        Option("nothing", True),
        Option("all of them grow", False, "They sum to 1 before and after, so they cannot all grow."),
        Option(
            "the largest grows, the others shrink",
            False,
            "Every exp(logit) becomes e times as large, and so does their sum: each share is the same.",
        ),
        because="Only differences of logits count: the same factor stands above and below the fraction.",
    )
