"""What is said of a translation: how it was written, how likely it is, and whether it is right."""

from collections.abc import Sequence

import numpy as np

from core.measures.translation.writing import Strategy, Written
from core.text.translation import NAME, SPECIAL, vocabulary
from pages.controls.prose import Typed, literal
from pages.translation.marked import marked
from viz.text import counted
from viz.units import p_equals

MOST_GIVEN = 32
"""How many words can be given at most; a longer translation is seldom right."""


def answer(text: Written) -> str:
    """How many steps a translation takes, and how likely they are together."""
    steps = counted(len(text.words), "step")
    return f"Word by word, in {steps}, with a log-probability of {nats(text.total)} in all."


def at_step(text: Written, step: int, n_given: int = 0) -> str:
    """Return a sentence on the word at a step, counted from 0, and its probability."""
    word, probability = literal(text.words[step]), p_equals(float(np.exp(text.chosen[step])))
    if step < n_given:
        return f"Step {step + 1} is set by you to *{word}*, for which the model has {probability}."
    return f"Step {step + 1} writes *{word}* with {probability}."


def compared(text: Written, right: Sequence[str] | None) -> str:
    """The translation beside the one that the rules make, the words that differ marked."""
    if right is None:
        return ""
    if tuple(right) == text.sentence:
        return ":green-badge[right] Word for word the translation that the rules make."
    return f":red-badge[not right] By the rules: {marked(right, text.sentence)}"


def how(strategy: Strategy) -> str:
    """How each word is chosen."""
    if strategy.way == "beam":
        kept = "one hypothesis" if strategy.width == 1 else f"{strategy.width} hypotheses"
        return (
            f"A beam keeps the {kept} of the largest log-probability so far (the number under a word) and "
            "goes on with each of them. It is not divided by the length, and each further word lowers it: "
            "shorter translations are preferred."
        )
    if strategy.way == "sampled":
        return (
            "Each word is drawn by chance: logits are divided by the temperature, then the words beyond top "
            "k and top p are left out. The same seed draws the same words. The probabilities of words and of "
            "sentences are the model's own, at temperature 1."
        )
    begun = ", after the words it begins with" if strategy.prefix else ""
    return f"Greedy: the likeliest word each time{begun}, given the source and the words written before."


def ending(text: Written) -> str:
    """Whether the translation came to its end."""
    steps = counted(len(text.words), "step")
    if text.ended:
        return f"It ended by itself after {steps}."
    return f"It was cut off after {steps} without having come to an end."


def worth(text: Written, greedy: Written, way: str) -> str:
    """The log-probability of the sentence, beside that of the greedy one."""
    own = f"The log-probability of the whole translation is **{nats(text.total)}**"
    if way == "greedy":
        return f"{own}, the sum over its words."
    if text.words == greedy.words:
        return f"{own}; the greedy one is the same."
    if way == "beam" and greedy.total > text.total:
        lost = "the beginning of the likelier one was dropped on the way, as can happen to a beam"
        return f"{own}; the greedy one has {nats(greedy.total)}: {lost}."
    return f"{own}; that of the greedy one is {nats(greedy.total)}."


def given(begins: Sequence[Typed]) -> tuple[str, ...]:
    """The words that a translation begins with, of those asked for: the second language has no others."""
    return tuple(str(word) for word in begins[:MOST_GIVEN] if not _is_strange(word))


def not_given(begins: Sequence[Typed]) -> list[str]:
    """Why a translation does not begin with all that was asked for: too many words, or strange ones."""
    notes = []
    if len(begins) > MOST_GIVEN:
        notes.append(f"At most {MOST_GIVEN} words can be given: the first of your {len(begins)}.")
    strange = dict.fromkeys(word for word in begins[:MOST_GIVEN] if _is_strange(word))
    if strange:
        named = ", ".join(f"**{word}**" for word in strange)
        notes.append(f"{NAME} does not have {named}: the translation begins without.")
    return notes


def nats(log_probability: float) -> str:
    """A log-probability with its unit."""
    return f"{log_probability:.3f} nats".replace("-", "−")


def _is_strange(word: Typed) -> bool:
    return str(word) not in vocabulary() or str(word) in SPECIAL
