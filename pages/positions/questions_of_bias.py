"""What one expects of biases, which schemes such as ALiBi add to the scores."""

from collections.abc import Sequence

from pages.contract.predict import choose, choose_largest, is_near, is_not, sketch
from pages.contract.question import Choose, Option, Sketch
from pages.positions.questions import ROUNDING
from viz.units import fraction

MIRRORED = 1e-3
"""Difference from which on a sentence and its mirror image are read as two."""


def weights_by_bias_alone(head: int, slope: float, weights: Sequence[float]) -> Sketch | None:
    """The weights that a linear bias alone gives the words before the last, the nearest last."""
    n = len(weights)
    labels = [f"{back} back" for back in range(n - 1, 0, -1)] + ["itself"]
    factor = weights[1] / weights[0]
    return sketch(
        f"All {n} words of a sentence match the last one equally well. In head {head + 1} ALiBi lowers "
        f"scores by {fraction(slope)} for each word of distance. Draw the weights of the last word.",
        labels,
        list(reversed(weights)),
        because=f"Each word back gets {factor:.3g} of the weight of the next: exp(−{fraction(slope)}).",
    )


def head_that_looks_furthest(slopes: Sequence[float]) -> Choose | None:
    """Which head attends furthest back by its bias; None of one head."""
    named = {f"head {at}: slope {fraction(slope)}": slope for at, slope in enumerate(slopes, start=1)}
    steepest = max(named, key=named.__getitem__, default="")
    return choose_largest(
        "Which head attends furthest back, if all words match equally well?",
        named,
        why_not={steepest: "The slope is what a score loses with each word: the largest looks least far."},
        smallest=True,
        apart=0.0,
        because="The smaller the slope, the less a distant word loses.",
    )


def mirror_image(mask: str, difference: float) -> Choose | None:
    """Ask whether a model with ALiBi can tell a sentence from the same words in reverse."""
    reads_as_one = is_near(difference, 0, within=ROUNDING, beyond=MIRRORED)
    told = f"The {mask} mask is another one from behind. The bias alone is the same."
    same = "Every distance is the same in reverse, and no mask tells the sides apart."
    return choose(
        f"A model with ALiBi has the {mask} mask. Can it tell a sentence from the same words in reverse?",
        Option("yes, by the mask", is_not(reads_as_one), same),
        Option("no", reads_as_one, told),
        Option("yes, by the bias", False, "The bias depends on the distance of a word, and not on its side."),
        because=same if reads_as_one else told,
    )
