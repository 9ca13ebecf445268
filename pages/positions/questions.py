"""What one expects of position schemes, before the views of positions show them."""

from collections.abc import Mapping, Sequence

from core.model.positions import INJECTION_POINTS, InjectionPoint
from pages.contract.predict import choose, choose_largest, sketch
from pages.contract.question import Choose, Sketch
from pages.controls.prose import Typed
from viz.text import counted
from viz.units import per_cent, two_decimals

SAME = 1e-4
"""Difference up to which two scores are one, in the precision of the models."""

ROUNDING = 1e-6
"""Difference up to which a sentence and its mirror image are read as one, or two dot products are one."""

EXAMPLES: Mapping[InjectionPoint, str] = {
    "embed": "learned and sinusoidal vectors are added to word vectors",
    "rotate": "rotary positions rotate queries and keys",
    "bias": "ALiBi and T5 add a number to each score",
}
"""Schemes by where they enter."""

Points = Mapping[str, InjectionPoint | None]


def scheme_that_rotates(points: Points) -> Choose | None:
    """Which scheme changes queries and keys; None unless it is one of several."""
    right = [name for name, point in points.items() if point == "rotate"]
    others: dict[InjectionPoint, str] = {}
    for name, point in points.items():
        if point is not None and point != "rotate":
            others.setdefault(point, name)
    if len(right) != 1 or not others:
        return None
    wrong = {name: f"*{name}* changes the {INJECTION_POINTS[point]}." for point, name in others.items()}
    return choose(
        "Which position scheme changes the queries and keys?",
        right[0],
        wrong,
        because=f"*{right[0]}* rotates pairs of dimensions of each query and key, by an angle that grows "
        "with the position.",
    )


def order_without_positions(n: int, mask: str, n_layers: int, *, hides: bool) -> Choose | None:
    """Whether a model without positions can tell the order, which `hides` says its mask reveals.

    None where it is revealed in part: one layer tells the words before a word, and not their order.
    """
    if n < 2 or (hides and n_layers == 1):
        return None
    by_mask, no = "yes, by its mask", "no"
    by_words = {
        "yes, by its word vectors": "A word has one vector wherever it stands: a position has to be added."
    }
    text = f"A model without positions has the {mask} mask. Can it tell in which order its words stand?"
    bag = f"The {mask} mask hides nothing here: each word attends to the same bag of words."
    told = f"The {mask} mask lets some words attend to more words than others, and so tells the order."
    if hides:
        alone = "It has no positions. But which words a word may attend to depends on where it stands."
        return choose(text, by_mask, {no: alone, **by_words}, because=told)
    return choose(text, no, {by_mask: bag, **by_words}, because=bag)


def row_under_scheme(
    word: Typed, scheme: str, where: str, labels: Sequence[Typed], weights: Sequence[float]
) -> Sketch | None:
    """The weights of a word under one scheme."""
    largest = max(zip(weights, labels, strict=True), default=(0.0, ""))
    return sketch(
        f"Draw the attention weights of *{word}* under *{scheme}*, {where}.",
        [str(label) for label in labels],
        weights,
        because=f"*{largest[1]}* gets {per_cent(largest[0])}.",
    )


def vector_beyond_training(reach: int, n_rows: int) -> Choose | None:
    """What a row of a learned table is that training has not reached; None where there is none."""
    if reach >= n_rows:
        return None
    at = (reach + n_rows + 1) // 2
    return choose(
        f"A learned table has a vector for each of {n_rows} positions. Training sentences ask for the first "
        f"{reach} of them. What is the vector of position {at}?",
        "random, as before training",
        {
            "a continuation of the vectors before it": (
                "A learned table has no rule: each vector changes by its own gradient alone."
            ),
            "all zeros": "It began as random numbers, and no gradient has turned it.",
        },
        because=f"No training sentence has a gradient for position {at}.",
    )


def vector_after_the_table(n_rows: int) -> Choose:
    """What a position beyond the last row of a learned table gets."""
    return choose(
        f"A learned table has {n_rows} vectors. What does the word at position {n_rows + 10} get?",
        "no vector: the model cannot read it",
        {
            "the last vector": "Then two positions would be one. A table has one vector for each position.",
            "position 10's vector again": "Nothing in a table repeats: it is looked up, and not computed.",
        },
        because="A formula, as of sinusoidal positions, gives every position a vector; a table has no more.",
    )


def same_dot_product(products: Sequence[float]) -> Choose | None:
    """Which two positions have the dot product of two others; None where another distance has it too."""
    here, same = products[3], "positions 9 and 12"
    if any(abs(products[apart] - here) < ROUNDING for apart in (4, 6)):
        return None
    return choose(
        "Which two sinusoidal vectors have the same dot product as those of positions 1 and 4?",
        same,
        {
            "positions 2 and 8": "Twice the positions are twice the distance.",
            "positions 1 and 5": "A position in common does not count: the distance is 4 in place of 3.",
        },
        because=f"It is {two_decimals(here)} wherever two positions are 3 apart.",
    )


def products_by_distance(products: Sequence[float], largest: float) -> Sketch | None:
    """The dot product at growing distances; None where one of them is negative, which no bar can be."""
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
    """What becomes of a score if both words are shifted; None where it does not stay, or they are one."""
    if abs(by) > SAME or positions[0] == positions[1]:
        return None
    query, key = (at + 1 + moved for at in positions)
    return choose(
        f"Under *rotary*, *{words[0]}* asks from position {positions[0] + 1} and *{words[1]}* is at "
        f"{positions[1] + 1}. Both move by {counted(moved, 'position')}, to {query} and {key}. What is "
        "their score then?",
        "the same",
        {
            "smaller": "A score falls or rises with the *distance*, and that is the same.",
            "larger": "Both arrows rotate further, but by the same angle.",
        },
        because="Both rotate by the same angle, so the angle between them stays.",
    )


def where_it_enters(title: str, point: InjectionPoint) -> Choose:
    """What a scheme changes."""
    wrong = {
        f"the {what}": f"That is what other schemes do: {named}."
        for other, what in INJECTION_POINTS.items()
        if other != point and (named := EXAMPLES[other])
    }
    return choose(
        f"What does a model with {title} change by the position of a word?",
        f"the {INJECTION_POINTS[point]}",
        wrong,
        because=f"It enters at the {INJECTION_POINTS[point]}, and changes nothing else.",
    )


def grows_most(changes: Mapping[str, tuple[float, float]], reach: int) -> Choose | None:
    """Under which scheme the loss grows most beyond the length of training."""
    growth = {name: last - first for name, (first, last) in changes.items()}
    told = ", ".join(f"{first:.2f} → {last:.2f} with *{name}*" for name, (first, last) in changes.items())
    why_not = {
        "none": "No position is new to it; only more words than in training share the attention.",
        "alibi": "Its bias goes on as it began: a distant word only loses more.",
    }
    worst = max(growth, key=growth.__getitem__, default="")
    return choose_largest(
        f"Training sentences have up to {reach} words. Under which scheme does the loss grow most beyond?",
        growth,
        why_not={name: why for name, why in why_not.items() if name != worst},
        because=f"Nats per word: {told}.",
    )


def agrees_furthest(accuracies: Mapping[str, float], furthest: int) -> Choose | None:
    """Under which scheme a verb agrees least often with a distant subject."""
    told = ", ".join(f"{per_cent(share)} with *{name}*" for name, share in accuracies.items())
    return choose_largest(
        f"{furthest} words from its subject, under which scheme is a verb right least often?",
        accuracies,
        smallest=True,
        because=f"{told}.",
    )
