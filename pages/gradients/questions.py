"""What one expects of gradients on their way back, before these views measure them."""

from collections.abc import Mapping
from math import isfinite, log10

from core.measures.gradients.reach import Exponential
from pages.contract.predict import arrange, choose, mistakes
from pages.contract.question import Arrange, Choose, Estimate, Option
from pages.gradients.back import Verdict
from viz.units import magnitude

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
        because=f"By at most {told}, for a step of length 1.",
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
    shrinks = (
        "A largest singular value above 1 only allows an explosion: what one factor stretches most, the "
        "next turns elsewhere."
        if largest > 1
        else "The product cannot exceed that of the largest singular values."
    )
    return choose(
        f"On its way back a gradient is multiplied by {n_factors} factors. The largest singular value of "
        f"each is {largest:.2f}, in the geometric mean. What becomes of the gradient?",
        Option(
            "one that vanishes",
            verdict == "vanishes",
            "Factors that stretch some directions enough make up for those that shrink.",
        ),
        Option("one that explodes", verdict == "explodes", shrinks),
        Option(
            "one that keeps its size",
            False,
            "A factor only a little off 1 leaves very little or very much in the end.",
        ),
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
            right, (100 * GATE, f"It is multiplied by {GATE} at every word, not once."), near=NEAR
        ),
        because=f"Each word multiplies the cell by {GATE}.",
    )


def what_clipping_changes() -> Choose | None:
    """Ask what clipping does to a gradient."""
    return choose(
        "Clipping multiplies a gradient that is too long by one factor. What does that change?",
        Option("its length alone", True),
        Option("its direction alone", False, "One factor for all weights leaves the direction as it is."),
        Option(
            "its length, and words long ago count more",
            False,
            "One factor multiplies the parts of all words: their shares stay as they are.",
        ),
        Option("nothing", False, "The step gets shorter: that is what it is for."),
        because="A gradient that vanishes on its way back does not come back by it.",
    )
