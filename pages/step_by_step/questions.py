"""What one expects of a head, before its stages, its look-up and its scores are shown."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from pages.contract.ask import numbered
from pages.contract.predict import choose, choose_largest, mistakes
from pages.contract.question import Choose, Estimate, Option
from pages.controls.prose import Typed
from viz.text import counted

EQUAL = 0.005
"""Largest difference of two numbers that are called equal: half of the last decimal that is shown."""

Weights = Float[np.ndarray, "query key"]
Words = Sequence[Typed]


def scores(n: int, unit: str) -> Estimate | None:
    """Ask how many scores a head computes before any mask; n words have none to compare if n is 1."""
    if n < 3:
        return None
    return Estimate(
        text=f"A sentence of {counted(n, unit)}: how many scores does one head compute, before any mask?",
        right=n * n,
        bounds=(0, 10 * n * n),
        unit="scores",
        because=f"Every query meets every key, its own too: {n} × {n}. A mask then hides some of them.",
        mistaken=mistakes(
            n * n,
            (n, f"That would be one for each {unit}: but each asks all of them."),
            (n * (n - 1) // 2, "That counts each pair once: but i scores j, and j scores i differently."),
            (n * (n - 1), f"A {unit} also meets its own key."),
        ),
    )


def mixed() -> Choose | None:
    """Ask what the weights mix."""
    return choose(
        "The weights of a word sum to 100 %. What do they mix to make its output?",
        Option("the values", True),
        Option("the keys", False, "Keys are compared with the query, and with that their work is done."),
        Option("the embeddings", False, "A word passes on its value, made by a matrix of its own."),
        Option("the scores", False, "The softmax has made the weights of the scores: they are not mixed."),
        because="The output of a word is the sum of all values, each times its weight.",
    )


def _option(names: Words, at: int) -> str:
    return f"*{Typed(numbered(names, at))}*"


def cold(n_best: int, n_seen: int) -> Choose | None:
    """Ask what a look-up at temperature 0 gives; None unless one key of several is the best."""
    if n_best != 1 or n_seen == 1:
        return None
    return choose(
        "The temperature T falls to 0. What does the output become?",
        Option("the value of the best key", True),
        Option("the mean of all values", False, "That is the other end: at T = ∞ all weights are equal."),
        Option("0", False, "The weights sum to 1 at every temperature."),
        because="Scores divided by a small T lie far apart, and the softmax gives all to the largest.",
    )


def itself(pattern: Weights, names: Words) -> Choose | None:
    """To which word a word attends most where it is its own query, key and value; the first without a tie."""
    for at in range(len(names)):
        values = {_option(names, key): float(one) for key, one in enumerate(pattern[at])}
        asked = choose_largest(
            f"No matrices: each word is its own query, key and value. Where does *{names[at]}* attend most?",
            values,
            because="The weights are the softmax of the dot products of the word vectors themselves.",
        )
        if asked is not None:
            return asked
    return None


def symmetric() -> Choose | None:
    """Ask whether attention in one direction is attention in the other."""
    return choose(
        "Queries and keys come from two matrices. The score of i for j is 3: what is that of j for i?",
        Option("any number", True),
        Option("3", False, "Four vectors meet in two dot products: q of i · k of j, and q of j · k of i."),
        Option("−3", False, "Nothing makes it the opposite: two other vectors meet."),
        because="In one score i asks with its query, in the other j does, and the two matrices differ.",
    )


def tied(largest_difference: float) -> Estimate | None:
    """Ask how symmetric scores are if one matrix makes queries and keys; None if they are not."""
    if not largest_difference < EQUAL:
        return None
    return Estimate(
        text="Queries serve as keys, K = Q. How large is the largest |s of i for j − s of j for i|?",
        right=0.0,
        bounds=(0, 10),
        decimals=2,
        near=EQUAL,
        because="i matches j exactly as j matches i: a dot product does not ask which vector comes first.",
    )
