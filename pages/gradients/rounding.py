"""What is said of a product of Jacobians whose size rounding errors decide: no more than holds for all."""

from collections.abc import Sequence

from core.measures.gradients.jacobians import Product
from core.measures.gradients.reach import exponential
from pages.gradients.back import verdict

ROUNDED = "rounded"
"""The curve of the same product with weights changed by a rounding error."""


ANSWER = (
    "Rounding errors decide these numbers: with every weight changed by 1 part in 2⁵² at most, as rounding "
    f"does, the product becomes the curve *{ROUNDED}*."
)


def told(found: Product, otherwise: Product) -> str:
    """That the numbers are of this machine, and what two products that rounding alone tells apart share."""
    both = (found, otherwise)
    return (
        "Where gradients explode so do rounding errors, and "
        f"{len(found.largest)} words at this scale are too many for double precision: another machine draws "
        f"another curve. What both have in common: {_verdicts(both)}the largest singular value of a factor "
        "is "
        f"{_about([one.worst for one in both])} and the mean one {_about([one.average for one in both])}. "
        "Numbers that hold need fewer words or a smaller scale."
    )


def _verdicts(both: Sequence[Product]) -> str:
    """What becomes of both norms, and their factors; not said unless an exponential fits both alike."""
    found = {verdict(one.norms) for one in both}
    if len(found) > 1 or None in found:
        return ""
    factors = [exponential(one.norms).factor for one in both]
    return f"the gradient {found.pop()}, every further word multiplies the norm by {_about(factors)}, "


def _about(values: list[float]) -> str:
    """A number to the digits in which both agree, or both of them."""
    low, high = (f"{value:.1f}" for value in (min(values), max(values)))
    return f"about {low}" if low == high else f"{low} to {high}"
