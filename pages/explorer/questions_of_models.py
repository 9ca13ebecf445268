"""What one expects of two models, of all heads of one, and of the vectors of sentences."""

from collections.abc import Mapping, Sequence

from pages.contract.predict import choose, choose_largest, mistakes
from pages.contract.question import Choose, Estimate, Option
from pages.controls.prose import Typed
from viz.units import per_cent, two_decimals

NEAR_COSINE = 0.07
"""By how much an estimate may miss a cosine."""

HIGH_COSINE = 0.5
"""The cosine above which common words are reason enough."""

WHOLE_SENTENCE = 10_000
"""Characters of a sentence that are quoted: all of them."""

MOST_QUOTED = 160
"""Characters of the sentence itself that are quoted."""

NOISE = 0.005
"""Share of the attention of a row that moves at least, where one is said to change."""


def row_that_changes(
    place: str, differences: Sequence[tuple[str, str, str]], moved: Mapping[str, float], unit: str
) -> Choose | None:
    """The word whose row differs most between A and B; `moved` is the total variation of each row.

    The `differences` are labels of switches, each with what A and B say.
    """
    most = max(moved.values(), default=0.0)
    if most < NOISE:
        return None
    told = ", ".join(f"*{label}* is {of_a} in A and {of_b} in B" for label, of_a, of_b in differences)
    return choose_largest(
        f"A and B read one sentence{': ' * bool(told)}{told}. In {place}, the attention of which {unit} "
        "differs most?",
        moved,
        because=f"{per_cent(most)} of its attention goes elsewhere in B.",
    )


def head_most_like(head: int, distances: Sequence[float]) -> Choose | None:
    """Which head of B attends most like a head of A; `distances` are the total variations to each of B."""
    closest = min(distances)
    return choose_largest(
        f"Which head of B attends to this sentence most like head {head + 1} of A?",
        {f"head {number} of B": distance for number, distance in enumerate(distances, start=1)},
        because=f"On average {per_cent(closest)} of the attention of a word goes elsewhere in it.",
        smallest=True,
    )


def what_heads_attend_to(above: Mapping[str, float], said: str) -> Choose | None:
    """Ask what a single head attends to most beyond equal weights; `above` is by how much at most."""
    return choose_largest(
        "Compared with equal weights, which of these gets the most extra attention from a single head?",
        above,
        because=said,
    )


def quoted(sentence: str, *, longest: int = WHOLE_SENTENCE) -> str:
    """A sentence in a question; one of the answers is never cut, or two of them might look alike."""
    return f"*“{Typed(sentence):{longest}}”*"


def nearest_sentence(
    model: str, sentence: str, cosines: Mapping[str, float], shared: Mapping[str, int]
) -> Choose | None:
    """The sentence with the largest cosine; `shared` counts the words that each shares with `sentence`."""
    if not cosines:
        return None
    best = max(cosines, key=cosines.__getitem__)
    fewer = "It shares fewer words with the sentence."
    return choose_largest(
        f"Which of these is the nearest to {quoted(sentence, longest=MOST_QUOTED)} for {model}, by the "
        "cosine of the mean states?",
        {quoted(other): cosine for other, cosine in cosines.items()},
        because=f"Its cosine is {two_decimals(cosines[best])}. Near in vectors is not the same in meaning.",
        why_not={quoted(other): fewer for other, n in shared.items() if n < shared[best]},
    )


def denied_sentence(sentence: str, denied: str, cosine: float) -> Estimate:
    """How near a sentence is to its denial."""
    opposite = "Opposite meanings are not opposite vectors."
    apart = "" if cosine > HIGH_COSINE else ", and still their states are far from equal"
    return Estimate(
        text=f"How large is the cosine between {quoted(sentence)} and {quoted(denied)}?",
        right=cosine,
        bounds=(-1, 1),
        decimals=2,
        near=NEAR_COSINE,
        mistaken=mistakes(cosine, (-1.0, opposite), (0.0, opposite), near=NEAR_COSINE),
        because=f"The two sentences have all words but one in common{apart}.",
    )


def two_orders_without_positions() -> Choose | None:
    """Ask for the cosine of two sentences of the same words, if a model has no positions."""
    return choose(
        "A model without positions and without a mask reads *the cat is on the sofa* and *the sofa is on the "
        "cat*. The vector of a sentence is the mean of its states. How similar are the two?",
        Option("equal: the cosine is 1", True),
        Option(
            "similar: the cosine is a little below 1",
            False,
            "Without positions a state depends on which words there are, and so does the mean of the "
            "states: nothing tells the two apart.",
        ),
        Option(
            "not similar: the cosine is near 0",
            False,
            "Both have the same words, and the model reads no more.",
        ),
        because="Self-attention then knows which words there are, but not in which order.",
    )
