"""What one expects of attention weights, before the views of the explorer show them."""

from dataclasses import dataclass
from math import exp, isfinite, log

from pages.contract.predict import choose, mistakes
from pages.contract.question import Choose, Estimate, Option
from pages.controls.prose import Typed
from viz.text import counted
from viz.units import two_decimals

CLEAR = 0.95
"""Share of the largest weight that no other one of the row reaches, where one is called the largest."""

TENTHS = 10
"""Per cent below which a weight is given with one decimal."""

LEAST_RATIO, MOST_RATIO = 1.5, 1000
"""Ratios of two weights that can be guessed, and that are worth it."""


@dataclass(frozen=True)
class Row:
    """A query at a `place`, such as `layer 1, head 3`, the keys that it may attend to, and their weights.

    `own` is the name of the query among the keys. `comes_from` where the weights are those of a rollout.
    """

    place: str
    word: Typed
    keys: tuple[Typed, ...]
    weights: tuple[float, ...]
    unit: str = "word"
    comes_from: bool = False

    @property
    def best(self) -> tuple[Typed, float]:
        """The key with the largest weight, and this weight."""
        at = max(range(len(self.keys)), key=self.weights.__getitem__)
        return self.keys[at], self.weights[at]


def ratio_of_weights(row: Row, scores: tuple[float, ...]) -> Estimate | None:
    """What the two largest scores of a row make of its two largest weights; None where they are too near."""
    allowed = sorted(filter(isfinite, scores), reverse=True)[:2]
    if len(allowed) < 2:
        return None
    higher, lower = (round(score, 2) for score in allowed)
    if not log(LEAST_RATIO) < higher - lower < log(MOST_RATIO):
        return None
    ratio = exp(higher - lower)
    near, quotient = ratio / 4, higher / lower if lower > 0 else 0.0
    of_scores = (
        quotient,
        "The softmax takes exp of each score: a difference of scores becomes a ratio of weights.",
    )
    above, below = two_decimals(higher), two_decimals(abs(lower))
    return Estimate(
        text=(
            f"The two largest scores of *{row.word}* in {row.place} are {above} and {two_decimals(lower)}. "
            "How many times as large as the second weight is the first?"
        ),
        right=ratio,
        bounds=(1, MOST_RATIO),
        unit="times",
        decimals=1,
        near=near,
        mistaken=mistakes(ratio, of_scores, near=near) if quotient > 1 else (),
        because=f"It is exp({above} {'−' if lower >= 0 else '+'} {below}): a difference becomes a ratio.",
    )


def equal_scores(row: Row) -> Estimate | None:
    """What the softmax makes of equal scores, which some take for nothing."""
    n = len(row.keys)
    if n < 2:
        return None
    equal = 100 / n
    return Estimate(
        text=(
            f"*{row.word}* may attend to {counted(n, row.unit)}. Suppose that all its scores were 0. How "
            "large would each weight be?"
        ),
        right=equal,
        bounds=(0, 100),
        unit="%",
        decimals=int(equal < TENTHS),
        near=equal / 5,
        mistaken=((0, "exp(0) = 1 for each of them, and the softmax divides by the sum."),),
        because=f"Equal scores, of any size, share the attention equally: 1/{n}.",
    )


def does_a_large_weight_matter(row: Row) -> Choose | None:
    """Ask if a large weight makes its word important; None without one weight that is clearly the largest."""
    if len(row.keys) < 2 or row.comes_from or sorted(row.weights)[-2] > CLEAR * row.best[1]:
        return None
    return choose(
        f"In {row.place}, *{row.word}* attends most to *{row.best[0]}*. Does this mean that *{row.best[0]}* "
        "matters for what the model computes in the end?",
        Option("not by itself", True),
        Option(
            "yes",
            False,
            "A weight says how much of a value is read. The value may be small, and later layers may not "
            "use it.",
        ),
        Option(
            "yes, if the weight is above 50 %",
            False,
            "However large a weight is, it says what is read, and not what that does.",
        ),
        because="Only a change tells: hide the word, or knock out the head.",
    )
