"""What one expects of the one vector between encoder and decoder, before the bottleneck is measured."""

from collections.abc import Mapping, Sequence

from pages.contract.predict import choose, mistakes, sketch_values
from pages.contract.question import Choose, Estimate, Sketch
from viz.units import per_cent

NEAR = 7
"""Points by which an expected share may miss."""


def bottleneck() -> Choose:
    """What the bottleneck of an encoder–decoder without attention is."""
    return choose(
        "An encoder reads a sentence, a decoder without attention translates it. Where is the bottleneck?",
        "one vector of fixed size has to hold the whole sentence",
        {
            "the decoder writes one word at a time": (
                "So does a decoder with attention. It takes time, but loses nothing of the source."
            ),
            "the encoder reads one word at a time": (
                "That takes time. What gets lost gets lost where all states but the last are left behind."
            ),
            "the vocabulary is too small": "The words are the same with attention.",
        },
        because="The vector is no larger for a longer sentence. With attention every state stays in reach.",
    )


def right_without_attention(network: str, shares: Mapping[str, tuple[float, float]]) -> Estimate | None:
    """Whole sentences right without attention, at the length at which attention helps most.

    `shares` has those right without it and with it, by length; None where there are none.
    """
    if not shares:
        return None
    words, (alone, attending) = max(shares.items(), key=lambda one: one[1][1] - one[1][0])
    right = 100 * alone
    same = 100 * attending
    return Estimate(
        text=(
            f"Of sentences with {words} words the {network} with attention gets {per_cent(attending)} wholly "
            "right. How many does it without?"
        ),
        right=right,
        bounds=(0, 100),
        unit="%",
        near=NEAR,
        mistaken=mistakes(
            right,
            {same: "The one vector has no room for so many words, and nothing else is handed over."}
            if attending > alone
            else {},
            near=NEAR,
        ),
        because="Every word has to be right, and all of them have to be known from one vector.",
    )


def told_by_distance(name: str, words: Sequence[str], shares: Sequence[float]) -> Sketch | None:
    """What a vector still tells of words, by how many were read after them."""
    labels = [f"{one} follow" if one != "1" else "1 follows" for one in words]
    least = min(range(len(shares)), key=lambda at: shares[at], default=0)
    return sketch_values(
        "Everything about a sentence has to fit into one vector. Draw the share of content words that "
        f"can still be told from the vector of {name}, by how many words follow them.",
        labels,
        [100 * share for share in shares],
        largest=100,
        unit="%",
        because=(
            f"Of the last words {per_cent(shares[0])} can be told, of those followed by "
            f"{words[least]} words {per_cent(shares[least])}."
            if shares
            else ""
        ),
    )
