"""What one expects of gradients on their way back, before these views measure them."""

from collections.abc import Mapping
from math import isfinite, log, log10

from core.measures.gradients.reach import Exponential
from pages.contract.predict import arrange, choose, mistakes
from pages.contract.question import Arrange, Choose, Estimate
from pages.gradients.back import STEADY, Verdict
from viz.text import counted
from viz.units import magnitude, per_cent

NEAR = 7
"""Points by which an expected share may miss."""

KEPT = 10.0
"""A norm that begins at 1 and ends within this factor of it may be said to keep its size."""

GATE = 0.9
"""The forget gate of the question, open at every word."""


def furthest_reach(norms: Mapping[str, float], furthest: int) -> Arrange | None:
    """The networks by how far a word long ago still moves the last state.

    None where two are of about one order of magnitude, or where nothing is left in one.
    """
    if not all(norm > 0 and isfinite(norm) for norm in norms.values()):
        return None
    told = ", ".join(f"{magnitude(norm)} in {name}" for name, norm in norms.items())
    return arrange(
        f"The vector of the word {furthest} back is changed a little. In which network does the last state "
        "change most? Begin with that one.",
        {name: log10(norm) for name, norm in norms.items()},
        because=(
            f"{told}. A recurrent network multiplies a factor for every word on the way; attention reaches "
            "each word in one step."
        ),
    )


def half_lost(network: str, fit: Exponential) -> Estimate | None:
    """The words after which half of a gradient is lost, by an exponential that fits; None unless it falls."""
    if not 0 < fit.factor < 1 - STEADY:
        return None
    words = log(0.5) / log(fit.factor)
    return Estimate(
        text=(
            "A gradient goes back through a text, word by word. After how many words is half of it lost in "
            f"{network}?"
        ),
        right=words,
        bounds=(0, 1000),
        unit="words",
        decimals=1,
        near=max(0.5, words / 4),
        because=(
            f"In the exponential that fits best (R² {fit.r_squared:.2f}) every further word multiplies it by "
            f"{fit.factor:.2f}."
        ),
    )


def what_becomes(
    verdict: Verdict, ends: float, fit: Exponential, largest: float, n_factors: int
) -> Choose | None:
    """What becomes of a product of so many factors that `fit` describes and that ends at the norm `ends`.

    None if the end is within a factor of `KEPT` of the beginning, which is 1. `largest` is the most by which
    each factor could multiply the norm.
    """
    if not (isfinite(ends) and isfinite(largest)) or n_factors < 2 or 1 / KEPT < ends < KEPT:
        return None
    answers = {"vanishes": "one that vanishes", "explodes": "one that explodes"}
    right, keeps = answers[verdict], "one that keeps its size"
    why_not = {
        answers["vanishes"]: "Factors that stretch some directions enough make up for those that shrink.",
        answers["explodes"]: (
            "A largest singular value above 1 only allows an explosion: what one factor stretches most, the "
            "next turns elsewhere."
            if largest > 1
            else "The product cannot exceed that of the largest singular values."
        ),
        keeps: "A factor only a little off 1 leaves very little or very much in the end.",
    }
    return choose(
        f"On its way back a gradient is multiplied by {n_factors} factors. The largest singular value of "
        f"each is {largest:.2f}, in the geometric mean. What becomes of the gradient?",
        right,
        {answer: why for answer, why in why_not.items() if answer != right},
        because=(
            f"Every further factor multiplies its norm by {fit.factor:.3f}, and in the end it is "
            f"{magnitude(ends)}."
        ),
    )


def gates_in_a_row(n: int) -> Estimate | None:
    """What an open gate leaves of a cell over several words; None over less than two."""
    if n < 2:
        return None
    right = 100 * GATE**n
    return Estimate(
        text=(f"Suppose a forget gate is {GATE} at every word. How much of a cell is left after {n} words?"),
        right=right,
        bounds=(0, 100),
        unit="%",
        near=NEAR,
        mistaken=mistakes(
            right,
            {100 * GATE: f"It is multiplied by {GATE} at every word, not once."},
            near=NEAR,
        ),
        because=f"{GATE} multiplied by itself, {n} times in all, is {per_cent(GATE**n)}.",
    )


def best_unit(n: int, best: float, mean: float) -> Estimate | None:
    """What the best unit keeps of its cell, beside the mean; None where a mean is all that there is."""
    if n < 1 or not (isfinite(best) and isfinite(mean)) or best > 1:
        return None
    return Estimate(
        text=(
            f"Over {counted(n, 'word')} the forget gates leave {per_cent(mean)} of the cell in the mean over "
            "units. How much do they leave in the best unit?"
        ),
        right=100 * best,
        bounds=(0, 100),
        unit="%",
        near=NEAR,
        mistaken=mistakes(
            100 * best,
            {100 * mean: "Units differ: some keep what they hold for long, others forget at once."},
            near=NEAR,
        ),
        because="Each unit has a gate of its own, so that some can keep what others forget.",
    )


def what_clipping_changes() -> Choose:
    """What clipping does to a gradient."""
    return choose(
        "Clipping multiplies a gradient that is too long by one factor. What does that change?",
        "its length alone",
        {
            "its direction alone": "One factor for all weights leaves the direction as it is.",
            "its length, and words long ago count more": (
                "One factor multiplies the parts of all words: their shares stay as they are."
            ),
            "nothing": "The step gets shorter: that is what it is for.",
        },
        because="A gradient that vanishes on its way back does not come back by it.",
    )


def share_after_clipping(far: int, share: float, factor: float) -> Estimate | None:
    """The share of words far back after clipping; None where nothing was clipped, or there is no share."""
    if not (isfinite(share) and 0 < factor < 1):
        return None
    right = 100 * share
    return Estimate(
        text=(
            f"Words more than {far} back make {per_cent(share)} of the first gradient. Clipping multiplies "
            f"it by {magnitude(factor)}. What share do they make then?"
        ),
        right=right,
        bounds=(0, 100),
        unit="%",
        near=NEAR,
        mistaken=mistakes(
            right, {right * factor: "The whole is multiplied by the same factor as each part."}, near=NEAR
        ),
        because="One factor multiplies the parts of all words: the direction stays.",
    )
