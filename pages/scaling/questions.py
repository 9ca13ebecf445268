"""What one expects of scores and of what divides them, before the views of scaling show it."""

from collections.abc import Mapping, Sequence
from math import log2

from core.measures.scaling import WITHIN_ROWS
from pages.contract.predict import APART, arrange, choose, choose_largest, mistakes, sketch
from pages.contract.question import Arrange, Choose, Estimate, Sketch
from pages.controls.prose import Typed
from viz.units import per_cent

NEAR = 7
"""Per cent by which a weight may be missed."""


def spread_of_dot_products(d: int, spread: float) -> Estimate:
    """The standard deviation of dot products of random vectors, which is √d, and `spread` of those drawn."""
    right = d**0.5
    near = 0.15 * right
    mistaken = {
        float(
            d
        ): f"Their *variance* is near {d}: the variances of {d} products add. The deviation is its root.",
        1.0: f"One product has 1; a dot product adds up {d} of them.",
    }
    return Estimate(
        text=(
            f"Two vectors have {d} numbers each, random with mean 0 and standard deviation 1. What is the "
            "standard deviation of their dot product?"
        ),
        right=right,
        bounds=(0, 2 * d),
        decimals=2,
        near=near,
        mistaken=mistakes(right, mistaken, near),
        because=(
            f"Each of the {d} products has the variance 1, and variances add: √{d} = {right:.2f}. The dot "
            f"products drawn here have {spread:.2f}."
        ),
    )


def why_divide(d: int, plain: float, divided: float) -> Choose:
    """Why scores are divided by √d."""
    return choose(
        "Why does attention divide its scores by √d?",
        "to keep their standard deviation the same at every d",
        {
            "so that the weights of a row sum to 1": "The softmax sees to that, whatever the scores are.",
            "so that long sentences do not get larger scores": (
                "d counts the dimensions of queries and keys, and not words."
            ),
            "so that every score lies between 0 and 1": (
                "Scores stay negative or positive; the softmax makes numbers between 0 and 1 of them."
            ),
        },
        because=(
            f"At d = {d} it is {plain:.2f} before and {divided:.2f} after. Large scores would leave nearly "
            "all weight to one key."
        ),
    )


def largest_when_divided(word: Typed, d: int, plain: float, divided: float) -> Estimate | None:
    """What the division leaves of the largest weight; None where it hardly changes."""
    shares = [100 * plain, 100 * divided]
    if abs(shares[0] - shares[1]) <= NEAR:
        return None
    root = d**0.5
    of_weights = shares[0] / root
    weights_divided = (
        of_weights,
        f"Scores are divided, and not weights: divided by {root:.2f}, these would no longer sum to 100 %.",
    )
    return Estimate(
        text=(
            f"With random vectors of {d} dimensions the largest attention weight of *{word}* is "
            f"{per_cent(plain)}. What is it when all scores are divided by √{d}?"
        ),
        right=shares[1],
        bounds=(0, 100),
        unit="%",
        near=NEAR,
        mistaken=(weights_divided,) if abs(of_weights - shares[1]) > NEAR else (),
        because=f"It is {per_cent(divided)}: the same scores, {root:.2f} times closer together.",
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
    """Whether the division makes the gradient of the softmax larger at this d."""
    more = "A gradient through the softmax is small where one key has nearly all the weight."
    return choose_largest(
        f"At d = {d}, with which scores is the gradient of the softmax larger?",
        {"q·k": plain, "q·k / √d": divided},
        why_not={"q·k": more} if divided > plain else {},
        because=f"Its norm is {plain:.3f} with q·k and {divided:.3f} with q·k / √d.",
    )


def entropy_without_division(d: int, entropy: float, n_keys: int) -> Choose | None:
    """How many keys still count without the division: one, some or all; None between two of these."""
    keys = 2**entropy
    answers = {"about one": 1.0, "about half of them": n_keys / 2, f"nearly all {n_keys}": float(n_keys)}
    off = {name: abs(log2(keys / value)) for name, value in answers.items()}
    near, second = sorted(off.values())[:2]
    if second - near < 10 * APART:
        return None
    right = min(off, key=off.__getitem__)
    return choose(
        f"At d = {d}, among how many of {n_keys} keys does a query share its weight without the division?",
        right,
        {name: "" for name in answers if name != right},
        because=f"The entropy of the weights is {entropy:.2f} of {log2(n_keys):.0f} bits.",
    )


def root_of_a_head(n_heads: int, d_model: int) -> Choose | None:
    """By which root the scores of one of several heads are divided; None of one head, where all are one."""
    width = d_model // n_heads
    if n_heads in (1, width):
        return None
    right = f"√{width} = {width**0.5:.2f}"
    return choose(
        f"Vectors have {d_model} dimensions and {n_heads} heads share them. By what does each head divide?",
        right,
        {
            f"√{d_model} = {d_model**0.5:.2f}": (
                f"A dot product of one head adds up {width} products, and not {d_model}."
            ),
            f"√{n_heads} = {n_heads**0.5:.2f}": "Heads are not added up; dimensions are.",
        },
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


def row_of_a_head(
    word: Typed, where: str, labels: Sequence[Typed], weights: Sequence[float]
) -> Sketch | None:
    """The weights of a word with the division that its head needs."""
    largest = max(zip(weights, labels, strict=True), default=(0.0, ""))
    return sketch(
        f"Draw the attention weights of *{word}* in {where}, with scores divided by √(d/k).",
        [str(label) for label in labels],
        weights,
        because=f"*{largest[1]}* gets {per_cent(largest[0])}.",
    )
