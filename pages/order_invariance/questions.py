"""What one expects of two orders of the same words, before the views of order invariance compare them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.measures.order.exchange import GUESSING, N_PAIRS, Replies
from pages.contract.predict import choose, mistakes, sketch
from pages.contract.question import Choose, Estimate, Sketch
from pages.controls.prose import Typed
from pages.order_invariance.exchange_said import judged
from viz.text import counted, enumerated
from viz.units import distance, per_cent

MOST_NAMED = 5
"""Greatest number of words that an option names."""

NO_WORD = "none"
NEAR = 5
"""Points of per cent by which an estimate may miss a share."""

EQUAL = 1e-6
"""Largest difference of two weights that are one, in the precision of the models."""


@dataclass(frozen=True)
class TwoOrders:
    """Two orders of the same words, whose names differ, and the positions in the first of those that move."""

    first: Typed
    second: Typed
    names: tuple[Typed, ...]
    moved: frozenset[int]
    unit: str

    @property
    def becomes(self) -> str:
        """The two orders, as a question begins."""
        return f"*{self.first:80}* becomes *{self.second:80}*."

    def named(self, positions: Collection[int]) -> str:
        """These words as an answer; those of many are counted."""
        if len(positions) == len(self.names):
            return f"all {len(positions)}"
        named = [f"*{self.names[at]}*" for at in sorted(positions)[:MOST_NAMED]]
        more = f" and {len(positions) - MOST_NAMED} more" if len(positions) > MOST_NAMED else ""
        return f"{', '.join(named)}{more}" if named else NO_WORD


@dataclass(frozen=True)
class Setting:
    """What a model is built with; `sees_all` where no mask hides anything."""

    n_layers: int
    positions: str
    mask: str
    sees_all: bool

    @property
    def said(self) -> str:
        """The setting in a sentence."""
        positions = "no positions" if self.positions == "none" else f"{self.positions} positions"
        return f"A model of {counted(self.n_layers, 'layer')} has {positions} and the {self.mask} mask."


def words_that_change(
    orders: TwoOrders, setting: Setting, changed: frozenset[int], difference: float
) -> Choose | None:
    """Which words get another output in the second order; the outputs differ by up to `difference`."""
    if not orders.moved:
        return None
    n, moved = len(orders.names), orders.moved
    after = frozenset(range(min(moved), n))
    right = orders.named(changed)
    wrong = {
        orders.named(frozenset()): _why_some(setting),
        orders.named(moved): (
            "Each output is compared with that of the same word: nothing tells the model where it stands."
            if not changed
            else f"Other {orders.unit}s attend to those that have moved."
        ),
        orders.named(after): _why_not_after(setting, changed),
        orders.named(range(n)): _why_not_all(setting, changed),
    }
    wrong.pop(right, None)
    measured = f"The outputs differ by at most {distance(difference)} in any dimension"
    return choose(
        f"{orders.becomes} {setting.said} Compare each {orders.unit} with itself: which get another output?",
        right,
        wrong,
        because=(
            f"{measured}: {len(changed)} of {counted(n, 'output')} "
            f"{'differs' if len(changed) == 1 else 'differ'} by more than rounding."
            if changed
            else f"{measured}: attention is a weighted sum over a bag of {orders.unit}s, without their order."
        ),
    )


def _why_some(setting: Setting) -> str:
    if setting.positions != "none":
        return f"The {setting.positions} positions tell where a word stands."
    return "Even without positions a mask tells the order, by which words it lets a word attend to."


def _why_not_after(setting: Setting, changed: Collection[int]) -> str:
    if changed or not setting.sees_all:
        return ""
    return "Without a mask nothing is before or after: all words attend to all."


def _why_not_all(setting: Setting, changed: Collection[int]) -> str:
    if not changed:
        return "The words are the same, and nothing tells the model in which order they stand."
    return "" if setting.sees_all else "A word to which the mask shows the same beginning cannot tell."


def row_of_weights(
    word: Typed, where: str, labels: Sequence[Typed], weights: Sequence[float], twins: tuple[int, int] | None
) -> Sketch | None:
    """The weights of a word in the first order; `twins` are two equal words among the labels."""
    largest = max(zip(weights, labels, strict=True), default=(0.0, ""))
    because = f"*{largest[1]}* gets {per_cent(largest[0])}."
    because += "" if twins is None else _said_of_twins(labels, weights, twins)
    return sketch(
        f"Draw the attention weights of *{word}* in {where}.",
        [str(label) for label in labels],
        weights,
        because=because,
    )


def _said_of_twins(labels: Sequence[Typed], weights: Sequence[float], twins: tuple[int, int]) -> str:
    """Whether equal words get equal weights; nothing where the difference does not show."""
    names, (one, other) = (f"*{labels[at]}*" for at in twins), (weights[at] for at in twins)
    named = " and ".join(names)
    if abs(one - other) < EQUAL:
        return f" {named} get equal weights: here nothing tells one from the other."
    if per_cent(one) == per_cent(other):
        return ""
    return f" {named} get {per_cent(one)} and {per_cent(other)}: the model can tell one from the other."


def agreeing_after_one_layer(orders: TwoOrders, agreeing: Collection[int]) -> Estimate | None:
    """How many words one causal layer without positions cannot tell the orders by."""
    n, right = len(orders.names), len(agreeing)
    if not orders.moved or right == n:
        return None
    mistaken = {
        n: f"The causal mask tells the order: each {orders.unit} attends to those up to itself alone.",
        n - len(orders.moved): f"A {orders.unit} that does not move can still have others before it.",
        0: f"{_capital(orders.named(agreeing))}: the same {orders.unit}s stand before, in another order.",
    }
    return Estimate(
        text=(
            f"{orders.becomes} One causal layer without positions reads both. How many of {n} outputs stay "
            "the same?"
        ),
        right=right,
        bounds=(0, n),
        mistaken=tuple((value, why) for value, why in mistaken.items() if value != right),
        because=(
            f"{_capital(orders.named(agreeing))}: an output is the same if the same {orders.unit}s stand "
            "before it, in any order."
        ),
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def agreeing_after_two_layers(
    orders: TwoOrders, after_one: frozenset[int], after_two: frozenset[int]
) -> Choose | None:
    """Which words two causal layers without positions cannot tell the orders by."""
    if not orders.moved:
        return None
    wrong = {
        orders.named(frozenset()): "Up to the first word that differs both orders are one and the same text.",
        orders.named(after_one): (
            "So it is after one layer, which sees a bag of words. The second layer attends to words whose "
            "outputs differ."
        ),
        orders.named(range(len(orders.names))): (
            "Without positions the causal mask still tells the order: a word attends to those up to itself."
        ),
    }
    right = orders.named(after_two)
    wrong.pop(right, None)
    return choose(
        f"{orders.becomes} After two causal layers without positions, which words have the same output in "
        "both orders?",
        right,
        wrong,
        because="After two layers the same words must stand before a word, in the same order.",
    )


Share = tuple[int, int]
"""How many of how many settings."""


def settings_that_agree(word: Typed, masks: Sequence[str], without: Share, with_positions: Share) -> Estimate:
    """In how many settings a word gets the same output, of those without positions and of the others."""
    n_same, n_settings = (one + other for one, other in zip(without, with_positions, strict=True))
    mistaken = {
        without[1]: (
            "Without positions a mask can still tell the order."
            if n_same < without[1]
            else "A mask can also hide all that has changed."
        ),
        0: "Without positions and without a mask a model sees a bag of words.",
        n_settings: "Positions tell the order, and so does a mask.",
    }
    return Estimate(
        text=(
            f"Both orders are read in {counted(n_settings, 'setting')}: with each of the masks "
            f"{enumerated(masks)}, each position scheme, and one layer or two. In how many does *{word}* get "
            "the same output?"
        ),
        right=n_same,
        bounds=(0, n_settings),
        near=1,
        mistaken=tuple((value, why) for value, why in mistaken.items() if abs(value - n_same) > 1),
        because=(
            f"In {without[0]} of {counted(without[1], 'setting')} without positions, and in "
            f"{with_positions[0]} of {with_positions[1]} with positions."
        ),
    )


def right_without_positions(mask: str, replies: Replies) -> Estimate:
    """How often a trained model without positions is right about who did what to whom."""
    right = 100 * replies.accuracy
    known = {
        100 * GUESSING: "It would be right in half if it gave both orders the same answer.",
        0: "Even the same answer to both orders is right for one of the two.",
        100: f"{_capital(judged(replies))}.",
    }
    return Estimate(
        text=(
            f"The {mask} model without positions is asked who did what to whom, in both orders of {N_PAIRS} "
            "sentences. What share of its answers is right?"
        ),
        right=right,
        bounds=(0, 100),
        unit="%",
        near=NEAR,
        mistaken=mistakes(right, known, NEAR),
        because=f"It is right in {per_cent(replies.accuracy)}; chance is {per_cent(GUESSING)}.",
    )
