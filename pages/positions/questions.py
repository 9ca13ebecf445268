"""What one expects of position schemes, before the views of positions show them."""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Bool

from core.model.positions import INJECTION_POINTS, InjectionPoint
from pages.contract.predict import choose, choose_largest, is_near, is_not
from pages.contract.question import Choose, Option, Sketch
from pages.controls.prose import Typed
from viz.text import counted
from viz.units import per_cent, two_decimals

SAME = 1e-4
"""Difference up to which two scores are one, in the precision of the models."""

ROUNDING = 1e-6
"""Difference up to which a sentence and its mirror image are read as one, or two dot products are one."""

SHOWN = 0.01
"""Difference of two scores from which on they are shown as two."""

ASKED_APART = 3
"""Words between the two positions of the question for a dot product."""

EXAMPLES: Mapping[InjectionPoint, str] = {
    "embed": "learned and sinusoidal vectors are added to word vectors",
    "rotate": "rotary positions rotate queries and keys",
    "bias": "ALiBi and T5 add a number to each score",
}
"""Schemes by where they enter."""

Points = Mapping[str, InjectionPoint | None]


def scheme_that_rotates(points: Points) -> Choose | None:
    """Ask which scheme changes queries and keys, among one for each other place; None unless one does."""
    others: dict[InjectionPoint, str] = {}
    for name, point in points.items():
        if point is not None and point != "rotate":
            others.setdefault(point, name)
    rotating = [name for name, point in points.items() if point == "rotate"]
    asked = [*rotating, *others.values()]
    said = {name: f"*{name}* changes the {INJECTION_POINTS[point]}." for point, name in others.items()}
    return choose(
        "Which position scheme changes the queries and keys?",
        *(Option(name, points[name] == "rotate", said.get(name, "")) for name in asked),
        because="It rotates pairs of dimensions of each query and key by angles that grow with the position.",
    )


def order_without_positions(
    mask: str, n_layers: int, allowed: Bool[np.ndarray, "query key"]
) -> Choose | None:
    """Ask whether a model without positions can tell the order by its mask.

    It cannot if all words may attend to the same words. It can if no two words may and there is a second
    layer; else it can in part, and nothing is asked.
    """
    n_different = len(np.unique(allowed, axis=0))
    tells = {1: False, len(allowed): n_layers > 1 or None}.get(n_different) if len(allowed) > 1 else None
    bag = f"The {mask} mask hides nothing here: each word attends to the same bag of words."
    alone = "It has no positions. But which words a word may attend to depends on where it stands."
    told = f"Under the {mask} mask no two words may attend to the same words, and this tells the order."
    return choose(
        f"A model without positions has the {mask} mask. Can it tell in which order its words stand?",
        Option("yes, by its mask", tells, bag),
        Option("no", is_not(tells), alone),
        Option(
            "yes, by its word vectors",
            False,
            "A word has one vector wherever it stands: a position has to be added.",
        ),
        because=told if tells else bag,
    )


def vector_beyond_training(reach: int, turned: Sequence[float]) -> Choose | None:
    """Ask for a row of a learned table that training has not reached; None if it has reached all.

    `turned` is by how many degrees training has turned each row.
    """
    n_rows = len(turned)
    if reach >= n_rows:
        return None
    at = (reach + n_rows + 1) // 2
    return choose(
        f"A learned table has a vector for each of {n_rows} positions. In training the first {reach} of them "
        f"got a gradient. What is the vector of position {at}?",
        Option("random: training has not turned it", is_near(turned[at - 1], 0, within=1, beyond=10)),
        Option(
            "a continuation of the vectors before it",
            False,
            "A learned table has no rule: each vector changes by its own gradient alone.",
        ),
        Option("all zeros", False, "It began as random numbers, and no gradient has changed its direction."),
        because=f"Training has turned it by {turned[at - 1]:.2f}°: no gradient has reached position {at}.",
    )


def vector_after_the_table(n_rows: int) -> Choose | None:
    """Ask what a position beyond the last row of a learned table gets."""
    return choose(
        f"A learned table has {n_rows} vectors. What does the word at position {n_rows + 10} get?",
        Option("no vector: the model cannot read it", True),
        Option(
            "the last vector",
            False,
            "Then two positions would be one. A table has one vector for each position.",
        ),
        Option(
            "position 10's vector again",
            False,
            "Nothing in a table repeats: it is looked up, and not computed.",
        ),
        because="A formula, as of sinusoidal positions, gives every position a vector; a table has no more.",
    )


def same_dot_product(products: Sequence[float]) -> Choose | None:
    """Ask which two positions have the dot product of two others; None unless distance alone decides it."""

    def option(first: int, second: int, why_not: str = "") -> Option:
        product, asked = products[second - first], products[ASKED_APART]
        is_same = is_near(product, asked, within=ROUNDING, beyond=SHOWN)
        return Option(f"positions {first} and {second}", is_same, why_not)

    return choose(
        f"Which two sinusoidal vectors have the same dot product as those of positions 1 and "
        f"{1 + ASKED_APART}?",
        option(9, 12),
        option(2, 8, "Twice the positions are twice the distance."),
        option(1, 5, "A position in common does not count: the distance is 4 in place of 3."),
        because=f"It is {two_decimals(products[ASKED_APART])} if two positions are {ASKED_APART} apart.",
    )


def products_by_distance(products: Sequence[float], largest: float) -> Sketch | None:
    """Ask for the dot product at growing distances; None if one is negative, which no bar can be."""
    apart = [at for at in (0, 1, 2, 4, 8, 15) if at < len(products)]
    if min(products[at] for at in apart) < 0:
        return None
    return Sketch(
        text=(
            f"The dot product of a position's vector with itself is {largest:.0f}. Draw it for two positions "
            f"that are {', '.join(map(str, apart))} words apart."
        ),
        labels=tuple(map(str, apart)),
        right=tuple(float(products[at]) for at in apart),
        shares=False,
        largest=largest,
        because=f"1 word apart it is {two_decimals(products[1])}, {apart[-1]} words apart "
        f"{two_decimals(products[apart[-1]])}: each pair of dimensions turns at a speed of its own.",
    )


def score_after_shift(
    words: tuple[Typed, Typed], positions: tuple[int, int], moved: int, by: float
) -> Choose | None:
    """Ask what becomes of a score if both words are shifted; None if it does not stay, or they are one."""
    stays = is_near(by, 0, within=SAME, beyond=SHOWN)
    if not stays or positions[0] == positions[1]:
        return None
    query, key = (at + 1 + moved for at in positions)
    return choose(
        f"Under *rotary*, *{words[0]}* asks from position {positions[0] + 1} and *{words[1]}* is at "
        f"{positions[1] + 1}. Both move by {counted(moved, 'position')}, to {query} and {key}. What is "
        "their score then?",
        Option("the same", stays),
        Option("smaller", not stays, "A score falls or rises with the *distance*, and that is the same."),
        Option("larger", not stays, "Both arrows rotate further, but by the same angle."),
        because="Both rotate by the same angle, so the angle between them stays.",
    )


def where_it_enters(title: str, point: InjectionPoint) -> Choose | None:
    """Ask what a scheme changes."""
    return choose(
        f"What does a model with {title} change by the position of a word?",
        *(
            Option(f"the {what}", other == point, f"That is what other schemes do: {EXAMPLES[other]}.")
            for other, what in INJECTION_POINTS.items()
        ),
        because=f"It enters at the {INJECTION_POINTS[point]}, and changes nothing else.",
    )


def grows_most(changes: Mapping[str, tuple[float, float]]) -> Choose | None:
    """Ask under which scheme the loss grows most beyond the length of training."""
    told = ", ".join(f"{first:.2f} → {last:.2f} with *{name}*" for name, (first, last) in changes.items())
    return choose_largest(
        "These models read sentences longer than any in training. Under which scheme does the loss grow "
        "most?",
        {name: last - first for name, (first, last) in changes.items()},
        because=f"Nats per word: {told}.",
    )


def agrees_furthest(accuracies: Mapping[str, float], furthest: int, n_questions: int) -> Choose | None:
    """Ask under which scheme a verb agrees least often with a distant subject; None if that may be luck."""
    told = ", ".join(f"{per_cent(share)} with *{name}*" for name, share in accuracies.items())
    return choose_largest(
        f"{furthest} words from its subject, under which scheme is a verb right least often?",
        accuracies,
        smallest=True,
        because=f"Of {counted(n_questions, 'question')}: {told}.",
        of_questions=n_questions,
    )
