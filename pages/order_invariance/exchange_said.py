"""What is said of the answers of trained models when two nouns change places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan

import pandas as pd

from core.measures.order import exchange
from core.measures.order.verdicts import TOLERANCE
from pages.controls.prose import Typed
from viz.text import counted
from viz.units import distance, per_cent

CHANCE, SURE = 0.05, 0.9
"""Distance from chance that is still chance, and share of right answers that tells the orders apart."""


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
    able_are = f"{able} {'is' if able == 1 else 'are'}"
    return f"Of {counted(len(found), 'model')}, {able_are} right in 90 % or more{without}."


def _without_positions(found: pd.DataFrame) -> list[tuple[str, float]]:
    """The masks of the models without positions, and their accuracies."""
    blind = found[found["positions"] == "none"]
    return list(zip(blind["mask"], blind["accuracy"], strict=True))


def asked(question: str) -> str:
    """What trained models are asked."""
    one, other = exchange.pairs(question)[0]
    shown = [f"`{' '.join(each.words[: each.place])} …`" for each in (one, other)]
    return (
        f"Trained models complete {exchange.N_PAIRS} sentences in both orders, such as {shown[0]} and "
        f"{shown[1]}. Both orders have the same words, so a model that ignores order is right in 50 %."
    )


def told(table: pd.DataFrame) -> str:
    """What the models without positions can tell, and whether some are misled."""
    found = table.dropna()
    parts = [
        f"Without positions the **{mask}** model is right in {per_cent(accuracy)}: {judged(accuracy)}."
        for mask, accuracy in _without_positions(found)
    ]
    return f"{' '.join(parts)}{_misled(found)}"


def judged(accuracy: float) -> str:
    """What a share of right answers says of a model."""
    if accuracy >= SURE:
        return "it tells the two orders apart"
    if abs(accuracy - exchange.GUESSING) <= CHANCE:
        return "it does not tell the two orders apart"
    if accuracy > exchange.GUESSING:
        return "it sometimes tells the two orders apart"
    return "it is wrong more often than right"


def _misled(found: pd.DataFrame) -> str:
    """What a share below chance means: a model that ignores order has exactly half of its answers right."""
    below = found[found["accuracy"] < exchange.GUESSING - CHANCE]
    if below.empty:
        return ""
    named = ", ".join(f"{row.mask} {row.positions}" for row in below.itertuples())
    return f" Below chance ({named}), a model notices the order but draws the wrong conclusion from it."


def is_by_chance(table: pd.DataFrame) -> bool:
    """Whether the causal model without positions is there and answers by chance."""
    blind = table[(table["mask"] == "causal") & (table["positions"] == "none")]
    return bool(abs(blind["accuracy"].item() - exchange.GUESSING) <= CHANCE)


def revealed(change: float) -> str:
    """That the mask reveals the order also to a model that answers by chance, where its output changes."""
    if isnan(change) or change < TOLERANCE:
        return ""
    return (
        " The mask of the causal model without positions does reveal the order (*every setting*): between "
        f"these two sentences the output from which it answers changes by up to {distance(change)} in a "
        "dimension. The model has not learned to use that."
    )


def held_out(n_unseen: int, n: int, together: exchange.MetTogether | None) -> str:
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
