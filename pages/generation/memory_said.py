"""Sentences on what a model has of the words before: weights of attention, or states."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from core.measures.distance.long_range import TRANSFORMER
from core.measures.generation.memory import GATES
from pages.controls.prose import literal
from viz.tables import unique_words
from viz.text import counted
from viz.units import memory, per_cent, signed

MOST_NAMED = 3

ROLES = {
    "forget_gate": "1 keeps all of a unit's cell state, 0 forgets it",
    "input_gate": "1 lets all of the candidate into the cell state",
    "output_gate": "1 lets all of a unit's cell state out into the hidden state",
    "candidate": "it is what the input gate lets into the cell state",
    "cell": "it is kept or forgotten by the forget gate, and never squashed on its way",
    "hidden": "from the hidden states of the upper layer the network predicts the next word",
}
MORE = "What gates leave of the cell over a sentence: [Gradients](/gradients?view=gates)."
KEPT = "Rows do not change as the text grows, so keys and values can be kept, in all heads of both layers."


def readable(name: str) -> str:
    """A recorded name in words: forget gate, hidden state."""
    return name.replace("_", " ") + " state" * (name in ("cell", "hidden"))


def answer_of_attention(
    words: Sequence[str], at: int, weights: Float[np.ndarray, "key"], n_bytes: int
) -> str:
    """What a Transformer keeps of the words up to `at`, and what the head attends to most from there."""
    most = int(np.argmax(weights[: at + 1]))
    name = literal(unique_words(words)[most])
    return (
        f"The {TRANSFORMER} keeps keys and values, {memory(n_bytes)} for the {counted(at + 1, 'word')} so "
        f"far; this head attends most to *{name}*, {per_cent(float(weights[most]))}."
    )


def told_of_attention(words: Sequence[str], at: int, weights: Float[np.ndarray, "key"]) -> str:
    """What the head attends to from the word at `at`, to choose the next one."""
    names = unique_words(words)
    largest = np.argsort(-weights[: at + 1], kind="stable")[:MOST_NAMED]
    listed = ", ".join(f"*{literal(names[key])}* {per_cent(float(weights[key]))}" for key in largest)
    later = "" if at + 2 == len(words) else " The rows below are of words to come."
    return (
        f"To choose *{literal(words[at + 1])}*, this head attends from *{literal(names[at])}* to {listed}."
        f"{later} {KEPT}"
    )


def answer_of_states(writer: str, n_bytes: int) -> str:
    """What a recurrent network has of the words before."""
    return (
        f"All that the {writer} has of the words before are the states after the last one: "
        f"{memory(n_bytes)} in both layers, however long the text is."
    )


def told_of_states(word: str, name: str, values: Float[np.ndarray, "unit"]) -> str:
    """The mean of what is shown after a word, and what it is there for."""
    between = ", between 0 and 1: " if name in GATES else ": "
    more = f" {MORE}" if name in GATES else ""
    return (
        f"The mean {readable(name)} after *{literal(word)}* is {signed(float(values.mean()))}"
        f"{between}{ROLES[name]}.{more}"
    )
