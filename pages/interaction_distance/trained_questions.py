"""What one expects of trained networks at long range, before it is shown how accurate they are."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

from core.learning.evaluation.phenomena import QUESTIONS
from pages.contract.predict import choose_largest
from pages.contract.question import Choose
from pages.controls.prose import Typed
from viz.units import per_cent


def least_accurate(asked: str, accuracies: Mapping[str, float], words: str) -> Choose | None:
    """Ask which network is right least often at a distance of `words`; None without a clear last one."""
    told = ", ".join(f"{per_cent(share)} for the {name}" for name, share in accuracies.items())
    return choose_largest(
        f"{asked} Which network is right least often over {words} words?",
        accuracies,
        because=f"Right answers: {told}.",
        smallest=True,
        of_questions=QUESTIONS,
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
        why_not={"LSTM": changed, "RNN": changed},
    )
