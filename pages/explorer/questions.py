"""What one expects of attention weights, before the views of the explorer show them."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, isfinite, log

from pages.contract.predict import choose, choose_largest, sketch
from pages.contract.question import Choose, Estimate, Sketch
from pages.controls.prose import Typed
from viz.text import counted
from viz.units import magnitude, per_cent, two_decimals

MOST_DRAWN = 10
"""Keys whose weights are drawn one by one: of more it is asked which gets most."""

WHOLE = 1e-3
"""By how much weights may miss a sum of 1: those of a row whose special tokens are hidden sum to less."""

LARGE = 0.5
"""A weight from which on one may take its word for important."""

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


def weights_of(row: Row) -> Sketch | Choose | None:
    """The weights of a row, to be drawn; of a long row, or one that is not whole, the largest of them."""
    if not row.keys:
        return None
    best, weight = row.best
    gets = f"*{best}* gets {per_cent(weight)}."
    drawn = None
    if abs(sum(row.weights) - 1) < WHOLE and len(row.keys) <= MOST_DRAWN:
        equal = f"Equal weights would be {per_cent(1 / len(row.keys))} each."
        what = (
            f"By {row.place}, the state of *{row.word}* comes from these {row.unit}s. Draw the shares."
            if row.comes_from
            else f"In {row.place}, *{row.word}* attends to these {row.unit}s. Draw its attention weights."
        )
        drawn = sketch(what, [str(key) for key in row.keys], row.weights, because=f"{gets} {equal}")
    return drawn or _largest_weight(row, gets)


def _largest_weight(row: Row, gets: str) -> Choose | None:
    """The key that gets most, and why it need not be the query itself."""
    what = (
        f"By {row.place}, from which {row.unit} comes most of the state of *{row.word}*?"
        if row.comes_from
        else f"In {row.place}, which {row.unit} does *{row.word}* attend to most?"
    )
    values = {f"*{key}*": weight for key, weight in zip(row.keys, row.weights, strict=True)}
    own = f"A {row.unit} has a query and a key of its own: its score with itself need not be the largest."
    why_not = {f"*{row.word}*": own} if row.best[0] != row.word and not row.comes_from else {}
    return choose_largest(what, values, because=gets, why_not=why_not)


def lines_of(row: Row, share: float, n_lines: int) -> Estimate | None:
    """The number of lines that hold a share of a row; None where the row has no choice."""
    n = len(row.keys)
    if n < 2 or row.comes_from:
        return None
    evenly = (n, "Attention is rarely spread evenly: a few large weights hold most of it.")
    return Estimate(
        text=(
            f"*{row.word}* may attend to {counted(n, row.unit)}. Lines go to as few of them as hold "
            f"{per_cent(share)} of its attention in {row.place}. How many lines?"
        ),
        right=n_lines,
        bounds=(1, n),
        unit="lines" if n_lines > 1 else "line",
        mistaken=(evenly,) if n_lines < n else (),
        because=f"The thickest goes to *{row.best[0]}*, {per_cent(row.best[1])}.",
    )


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
        mistaken=(of_scores,) if quotient > 1 and abs(quotient - ratio) > near else (),
        because=f"exp({above} {'−' if lower >= 0 else '+'} {below}) = {magnitude(ratio)}.",
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
        mistaken=((0, "exp(0) = 1 for each of them, and the softmax divides by the sum. Only −∞ gives 0."),),
        because=f"Equal scores, of any size, share the attention equally: 1/{n}.",
    )


def head_that_matters(
    changes: Mapping[str, float], what: str, said: str, shown: str = "", weight: float = 0.0
) -> Choose | None:
    """The head without which most changes; `said` is the unit of `changes`.

    The head `shown` need not matter because its largest weight is large.
    """
    if not changes:
        return None
    why_not = {}
    if weight >= LARGE and changes.get(shown, 0.0) < max(changes.values()):
        why_not[shown] = (
            f"One of its weights is {per_cent(weight)}, but a large weight need not change the prediction."
        )
    return choose_largest(
        f"Each head is knocked out alone. Without which one does {what} change most?",
        changes,
        because=f"Without it the change is {magnitude(max(changes.values()))}{said}.",
        why_not=why_not,
    )


def does_a_large_weight_matter(row: Row, changes: Mapping[str, float]) -> Choose | None:
    """Whether a large weight makes its word important; `changes` says what heads do that are knocked out."""
    if len(row.keys) < 2 or row.comes_from or sorted(row.weights)[-2] > CLEAR * row.best[1]:
        return None
    most = max(changes, key=changes.__getitem__, default="")
    here = ""
    if row.place in changes and most != row.place:
        here = f" Knocking out {most} changes more here than knocking out {row.place}."
    return choose(
        f"In {row.place}, *{row.word}* attends most to *{row.best[0]}*. Does this mean that *{row.best[0]}* "
        "matters for what the model computes in the end?",
        "not by itself",
        {
            "yes": (
                "A weight says how much of a value is read. The value may be small, and later layers may not "
                "use it."
            ),
            "yes, if the weight is above 50 %": (
                "However large a weight is, it says what is read, and not what that does."
            ),
        },
        because=f"Only a change tells: hide the word, or knock out the head.{here}",
    )
