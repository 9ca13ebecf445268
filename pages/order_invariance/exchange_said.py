"""What is said of the answers of trained models when two nouns change places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from core.measures.order.exchange import GUESSING, N_PAIRS, MetTogether, Replies, pairs
from pages.controls.prose import Typed
from viz.text import counted
from viz.units import per_cent

SURE = 0.9
"""The share of right answers from which on a model is counted among those that are right."""


@dataclass(frozen=True)
class Expected:
    """How probable the nouns are as the next word after these words."""

    words: Sequence[str]
    shares: Mapping[str, float]


def answer(table: pd.DataFrame) -> str:
    """How many models can tell the orders apart, and what those without positions can."""
    found = table.dropna()
    able = int((found["accuracy"] >= SURE).sum())
    blind = [f"*{mask}* {per_cent(accuracy)}" for mask, accuracy in _without_positions(found)]
    without = f"; without positions: {', '.join(blind)}" if blind else ""
    chance = f"chance is {per_cent(GUESSING)}"
    able_are = f"{able} {'is' if able == 1 else 'are'}"
    return f"Of {counted(len(found), 'model')}, {able_are} right in 90 % or more ({chance}){without}."


def _without_positions(found: pd.DataFrame) -> list[tuple[str, float]]:
    """The masks of the models without positions, and their accuracies."""
    blind = found[found["positions"] == "none"]
    return list(zip(blind["mask"], blind["accuracy"], strict=True))


def asked(question: str) -> str:
    """What trained models are asked."""
    one, other = pairs(question)[0]
    shown = [f"`{' '.join(each.words[: each.place])} …`" for each in (one, other)]
    return (
        f"Trained models complete {N_PAIRS} sentences in both orders, such as {shown[0]} and "
        f"{shown[1]}. Both orders have the same words, so a model that ignores order is right in 50 %."
    )


def told(table: pd.DataFrame) -> str:
    """Say for each model without positions how often it is right and how often its answers differ."""
    without_positions = table[table["positions"] == "none"].dropna()
    return " ".join(
        f"Without positions the **{row.mask}** model is right in {per_cent(row.accuracy)}: "
        f"{judged(Replies(int(row.n_right), int(row.n_differing)))}."
        for row in without_positions.itertuples()
    )


def judged(replies: Replies) -> str:
    """Say in how many pairs a model answers the two orders differently, and in how many of these rightly."""
    if not replies.n_differing:
        return f"it gives both orders the same answer in all {N_PAIRS} pairs"
    n, right = replies.n_differing, replies.n_both_right
    both = f"both are right in {right} of these" if n > 1 else f"both are {'right' if right else 'wrong'}"
    return f"its answers to the two orders differ in {n} of {N_PAIRS} pairs, and {both}"


def held_out(n_unseen: int, n: int, together: MetTogether | None) -> str:
    """What training did not have of what is asked about, and what it may have had."""
    elsewhere = (
        f" Sentences of other kinds do have {together.met} of the {together.n} pairs together."
        if together is not None
        else " Sentences of other kinds may have both."
    )
    return (
        f"Held out: in **{n_unseen} of these {n} sentences** the two nouns are a pair about which training "
        "had no sentence of this kind, with *because the* or *so the*, in either order. A right answer there "
        f"is not remembered from one.{elsewhere}"
    )


def next_word(expected: Sequence[Expected]) -> str:
    """How probable both nouns are after both orders."""
    lines = [
        f"after *{Typed(' '.join(one.words)):200}* "
        + " and ".join(f"{per_cent(share)} for *{Typed(noun)}*" for noun, share in one.shares.items())
        for one in expected
    ]
    return f"The next word, predicted by the model of the switches: {'; '.join(lines)}."
