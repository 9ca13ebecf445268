"""What one expects of a head, before its stages, its look-up and its scores are shown."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float

from pages.contract.form import numbered
from pages.contract.predict import choose, choose_largest, sketch
from pages.contract.question import Choose, Estimate, Sketch
from pages.controls.prose import Typed
from viz.text import counted
from viz.units import per_cent

EQUAL = 0.005
"""Largest difference of two numbers that are called equal: half of the last decimal that is shown."""

Weights = Float[np.ndarray, "query key"]
Words = Sequence[Typed]


def most_asking(weights: Weights) -> int:
    """The position of the word whose attention goes most to one other word."""
    others = np.where(np.eye(len(weights), dtype=bool), 0, np.nan_to_num(weights))
    return int(others.max(axis=1).argmax())


def row(
    word: int, weights: Weights, allowed: Bool[np.ndarray, "query key"], names: Words, unit: str
) -> Sketch | None:
    """The attention weights of a word."""
    seen = np.flatnonzero(allowed[word])
    if len(seen) < 2:
        return None
    shares = weights[word][seen]
    best = [names[int(at)] for at, share in zip(seen, shares, strict=True) if shares.max() - share < EQUAL]
    sees_all = bool(allowed[word].all())
    among = "" if sees_all else f"Of the {unit}s that it may attend to, "
    hidden = "" if sees_all else f": a mask hides the other {unit}s"
    why = f"{among}the key of *{best[0]}* matches the query best: {per_cent(float(shares.max()))}."
    if len(best) == len(seen):
        why = "All keys match the query equally well, so each has the same weight."
    elif len(best) > 1:
        why = f"{among}{len(best)} keys match the query best, {per_cent(float(shares.max()))} each."
    return sketch(
        f"*{names[word]}* asks, and these {unit}s answer{hidden}. Draw its attention weights.",
        [str(names[int(at)]) for at in seen],
        shares,
        because=why[0].upper() + why[1:],
    )


def scores(n: int, unit: str) -> Estimate | None:
    """How many scores a head computes before any mask; n words have none to compare where n is 1."""
    if n < 3:
        return None
    return Estimate(
        text=f"A sentence of {counted(n, unit)}: how many scores does one head compute?",
        right=n * n,
        bounds=(0, 10 * n * n),
        unit="scores",
        because=f"Every query meets every key, its own too: {n} × {n}.",
        mistaken=(
            (n, f"That would be one for each {unit}: but each asks all of them."),
            (n * (n - 1) // 2, "That counts each pair once: but i scores j, and j scores i differently."),
            (n * (n - 1), f"A {unit} also meets its own key."),
        ),
    )


def mixed() -> Choose:
    """What the weights mix."""
    return choose(
        "The weights of a word sum to 100 %. What do they mix to make its output?",
        "the values",
        {
            "the keys": "Keys are compared with the query, and with that their work is done.",
            "the embeddings": "A word passes on its value, the embedding times a matrix of its own.",
            "the scores": "The softmax has made the weights of the scores: they are not mixed themselves.",
        },
        because="The output of a word is the sum of all values, each times its weight.",
    )


def best_key(asks: int, weights: Float[np.ndarray, "key"], names: Words) -> Choose | None:
    """Which key matches the query of a word best."""
    values = {_option(names, at): float(weight) for at, weight in enumerate(weights) if weight > 0}
    return choose_largest(
        f"*{names[asks]}* asks the store. Which key has the largest weight?",
        values,
        because="Its dot product with the query is the largest, so its value gets the largest share.",
    )


def _option(names: Words, at: int) -> str:
    return f"*{Typed(numbered(names, at))}*"


def cold(n_best: int) -> Choose | None:
    """What a look-up at temperature 0 gives, where one key is the best."""
    if n_best != 1:
        return None
    return choose(
        "The temperature T falls to 0. What does the output become?",
        "the value of the best key",
        {
            "the mean of all values": "That is the other end: at T = ∞ all weights are equal.",
            "0": "The weights sum to 1 at every temperature.",
        },
        because="Scores divided by a small T lie far apart, and the softmax gives all to the largest.",
    )


def hot() -> Choose:
    """What a look-up at an infinite temperature gives."""
    return choose(
        "The temperature T grows without end. What does the output become?",
        "the mean of all values in sight",
        {
            "the value of the best key": "That is the other end: a small T gives all weight to the best key.",
            "0": "The weights sum to 1 at every temperature.",
        },
        because="Scores divided by a huge T hardly differ, and equal scores get equal weights.",
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


def symmetric() -> Choose:
    """Whether attention in one direction is attention in the other."""
    return choose(
        "Queries and keys come from two matrices. The score of i for j is 3: what is that of j for i?",
        "any number",
        {
            "3": "q of i times k of j and q of j times k of i are two dot products of four vectors.",
            "−3": "Nothing makes it the opposite: two other vectors meet.",
        },
        because="Only with one matrix for both, Q = K, do the two scores have to be equal.",
    )


def tied(largest_difference: float) -> Estimate:
    """How far scores are from being symmetric where one matrix makes queries and keys."""
    return Estimate(
        text="Queries serve as keys, K = Q. How large is the largest |s of i for j − s of j for i|?",
        right=0.0 if largest_difference < EQUAL else largest_difference,
        bounds=(0, max(10.0, 2 * largest_difference)),
        decimals=2,
        near=EQUAL,
        because="i matches j exactly as j matches i: a dot product does not ask which vector comes first.",
    )
