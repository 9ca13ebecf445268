"""What one expects of scores and of what divides them, before the views of scaling show it."""

from collections.abc import Mapping

from core.measures.scaling import WITHIN_ROWS
from pages.contract.predict import arrange, choose, choose_largest, mistakes
from pages.contract.question import Arrange, Choose, Estimate, Option


def spread_of_dot_products(d: int, spread: float) -> Estimate:
    """The standard deviation of dot products of random vectors, which is √d, and `spread` of those drawn."""
    right = d**0.5
    near = 0.15 * right
    variance = f"Their *variance* is near {d}: the variances of {d} products add. The deviation is its root."
    one = f"One product has 1; a dot product adds up {d} of them."
    return Estimate(
        text=(
            f"Two vectors have {d} numbers each, random with mean 0 and standard deviation 1. What is the "
            "standard deviation of their dot product?"
        ),
        right=right,
        bounds=(0, 2 * d),
        decimals=2,
        near=near,
        mistaken=mistakes(right, (float(d), variance), (1.0, one), near=near),
        because=(
            f"Each of the {d} products has the variance 1, and variances add: it is √{d}. The dot products "
            f"drawn here have {spread:.2f}."
        ),
    )


def why_divide(d: int, plain: float, divided: float) -> Choose | None:
    """Ask why scores are divided by √d."""
    return choose(
        "Why does attention divide its scores by √d?",
        Option("to keep their standard deviation the same at every d", True),
        Option(
            "so that the weights of a row sum to 1", False, "The softmax sees to that, whatever the scores."
        ),
        Option(
            "so that long sentences do not get larger scores",
            False,
            "d counts the dimensions of queries and keys, and not words.",
        ),
        Option(
            "so that every score lies between 0 and 1",
            False,
            "Scores stay negative or positive; the softmax makes numbers between 0 and 1 of them.",
        ),
        because=(
            f"At d = {d} it is {plain:.2f} before and {divided:.2f} after. Large scores would leave nearly "
            "all weight to one key."
        ),
    )


def equal_scores(n_keys: int) -> Estimate:
    """What softmax makes of equal scores, which many take for 0."""
    share = 100 / n_keys
    return Estimate(
        text=f"All {n_keys} scores of a row are 0. What weight does the softmax give to each key?",
        right=share,
        bounds=(0, 100),
        unit="%",
        decimals=2,
        near=share / 5,
        mistaken=(
            (0, "exp(0) = 1: equal scores get equal weights, which sum to 100 %."),
            (100, "The weights of a row sum to 100 %, so not every key can have it."),
        ),
        because=f"100 % / {n_keys}, whatever the score is that they share.",
    )


def larger_gradient(d: int, plain: float, divided: float) -> Choose | None:
    """Ask if the division makes the gradient of the softmax larger at this d."""
    return choose_largest(
        f"At d = {d}, with which scores is the gradient of the softmax larger?",
        {"q·k": plain, "q·k / √d": divided},
        why_not={"q·k": "A gradient through the softmax is small if one key has nearly all the weight."},
        because=f"Its norm is {plain:.3f} with q·k and {divided:.3f} with q·k / √d.",
    )


def root_of_a_head(n_heads: int, d_model: int) -> Choose | None:
    """Ask by which root the scores of one of several heads are divided; None of one head."""
    width = d_model // n_heads
    if n_heads == 1:
        return None

    def option(n: int, why_not: str = "") -> Option:
        return Option(f"√{n} = {n**0.5:.2f}", n == width, why_not)

    return choose(
        f"Vectors have {d_model} dimensions and {n_heads} heads share them. By what does each head divide?",
        option(width),
        option(d_model, f"A dot product of one head adds up {width} products, and not {d_model}."),
        option(n_heads, "Heads are not added up; dimensions are."),
        because=f"A head has d/k = {d_model} / {n_heads} = {width} dimensions.",
    )


def spreads_in_order(spreads: Mapping[str, float]) -> Arrange | None:
    """The divisions by the spread that they leave, the largest first."""
    ranked = sorted(spreads, key=lambda name: -spreads[name])
    told = ", ".join(f"{spreads[name]:.2f} ({name})" for name in ranked)
    return arrange(
        f"Put these scores in the order of their {WITHIN_ROWS}, the largest first.",
        spreads,
        because=f"{told}.",
    )
