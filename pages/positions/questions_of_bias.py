"""What one expects of biases, which schemes such as ALiBi add to the scores."""

from collections.abc import Sequence

from pages.contract.predict import choose_largest, sketch
from pages.contract.question import Choose, Sketch
from viz.units import fraction


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
