"""What one expects of trained networks at long range, before it is shown how accurate they are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from core.measures.distance.long_range import TRANSFORMER
from pages.contract.predict import arrange, choose_largest, sketch, sketch_values
from pages.contract.question import Arrange, Choose, Sketch
from pages.controls.prose import Typed
from viz.units import per_cent

NAMED = 30
"""Characters of a word that a longer label of a bar has."""


def most_accurate(accuracies: Mapping[str, float], words: str) -> Arrange | None:
    """The networks by their accuracy at a distance; None where two of them are about as accurate."""
    told = ", ".join(f"{per_cent(share)} for the {name}" for name, share in accuracies.items())
    return arrange(
        f"Which network still knows the digit that followed a letter {words} words ago? Begin with the most "
        "accurate.",
        accuracies,
        because=(
            f"{told}. A recurrent network keeps all pairs in a state of fixed size; the Transformer "
            "looks the letter up where it stands."
            if max(accuracies, key=lambda name: accuracies[name]) == TRANSFORMER
            else f"{told}."
        ),
    )


def accuracy_by_distance(
    text: str, network: str, words: Sequence[str], accuracies: Sequence[float], baseline: float
) -> Sketch | None:
    """The accuracy of one network, distance by distance."""
    ends = f"{per_cent(accuracies[0])} at {words[0]} words and {per_cent(accuracies[-1])} at {words[-1]}"
    return sketch_values(
        text,
        [f"{one} words" for one in words],
        [100 * share for share in accuracies],
        largest=100,
        unit="%",
        because=f"The {network} has {ends}. Who reads nothing has {per_cent(baseline)} there.",
    )


@dataclass(frozen=True)
class Influence:
    """Two words, and the share that the first has, network by network, of all influence on the other's state.

    `steps` are those of a recurrent network between the two.
    """

    source: Typed
    target: Typed
    shares: Mapping[str, float]
    steps: int


def most_influenced(found: Influence) -> Choose | None:
    """The network in which a word has the largest share of the influence; None where two are about alike."""
    if found.steps < 1:
        return None
    told = ", ".join(
        f"{per_cent(share)} in the {name}" for name, share in found.shares.items() if isfinite(share)
    )
    changed = "It has read the word, but every word read since has changed its state."
    return choose_largest(
        f"Three networks read the sentence. In which does the state of *{found.target}* depend most on "
        f"*{found.source}*?",
        found.shares,
        because=f"The share of the influence: {told}.",
        why_not={
            TRANSFORMER: "It reaches the word in one step, but shares its attention among all words.",
            "LSTM": changed,
            "RNN": changed,
        },
    )


def influence_of_each(
    network: str, target: Typed, words: Sequence[str], shares: Sequence[float]
) -> Sketch | None:
    """Each word's share of the influence on a state of one network."""
    if not all(map(isfinite, shares)) or not shares:
        return None
    largest = max(range(len(shares)), key=lambda at: shares[at])
    return sketch(
        f"Draw each word's share of the influence on the state of *{target}* in the {network}.",
        [str(word)[:NAMED] for word in words],
        shares,
        because=(
            f"*{Typed(words[largest])}* has the largest share, {per_cent(shares[largest])}"
            f"{f', *{Typed(words[0])}* {per_cent(shares[0])}' if largest else ''}."
        ),
    )
