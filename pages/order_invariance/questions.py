"""What one expects of two orders of the same words, before the views of order invariance compare them."""

from collections.abc import Collection
from dataclasses import dataclass

from core.measures.order.exchange import GUESSING, N_PAIRS, Replies
from pages.contract.predict import choose, mistakes
from pages.contract.question import Choose, Estimate, Option
from pages.controls.prose import Typed
from pages.order_invariance.exchange_said import judged
from viz.text import counted
from viz.units import distance

MOST_NAMED = 5
"""Greatest number of words that an option names."""

NO_WORD = "none"
NEAR = 5
"""Points of per cent by which an estimate may miss a share."""


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
    """Ask which words get another output in the second order; the outputs differ by up to `difference`."""
    if not orders.moved:
        return None
    n, moved = len(orders.names), orders.moved

    def option(words: Collection[int], why_not: str = "") -> Option:
        return Option(orders.named(words), frozenset(words) == changed, why_not)

    still = "Each output is compared with that of the same word: nothing tells the model where it stands."
    others = f"Other {orders.unit}s attend to those that have moved."
    measured = f"The outputs differ by at most {distance(difference)} in any dimension"
    return choose(
        f"{orders.becomes} {setting.said} Which {orders.unit}s get another output than in the first order?",
        option((), _why_some(setting)),
        option(moved, others if changed - moved else "" if changed else still),
        option(range(min(moved), n), _why_not_after(setting, changed)),
        option(range(n), _why_not_all(setting, changed)),
        option(changed),
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


def agreeing_after_one_layer(orders: TwoOrders, agreeing: Collection[int]) -> Estimate | None:
    """How many words one causal layer without positions cannot tell the orders by."""
    n, right = len(orders.names), len(agreeing)
    if not orders.moved or right == n:
        return None
    mistaken = (
        (n, f"The causal mask tells the order: each {orders.unit} attends to those up to itself alone."),
        (n - len(orders.moved), f"A {orders.unit} that does not move can have others before it."),
    )
    return Estimate(
        text=(
            f"{orders.becomes} One causal layer without positions reads both. How many of {n} outputs stay "
            "the same?"
        ),
        right=right,
        bounds=(0, n),
        mistaken=mistakes(right, *mistaken),
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
    """Ask which words two causal layers without positions cannot tell the orders by."""
    if not orders.moved:
        return None

    def option(words: Collection[int], why_not: str = "") -> Option:
        return Option(orders.named(words), frozenset(words) == after_two, why_not)

    return choose(
        f"{orders.becomes} After two causal layers without positions, which words have the same output in "
        "both orders?",
        option((), "Up to the first word that differs both orders are one and the same text."),
        option(
            after_one,
            "So it is after one layer, which sees a bag of words. The second layer attends to words whose "
            "outputs differ.",
        ),
        option(
            range(len(orders.names)),
            "Without positions the causal mask still tells the order: a word attends to those up to itself.",
        ),
        option(after_two),
        because=(
            "The outputs of layer 1 differ wherever other words stand before. Layer 2 attends to these "
            "outputs, so it sees the order too."
        ),
    )


def right_without_positions(mask: str, replies: Replies) -> Estimate:
    """How often a trained model without positions is right about who did what to whom."""
    right = 100 * replies.accuracy
    known = {
        100 * GUESSING: "It would be right in half if it gave both orders the same answer.",
        0: "Even the same answer to both orders is right for one of the two.",
        100: f"In {N_PAIRS - replies.n_both_right} of {N_PAIRS} pairs at least one of its answers is wrong.",
    }
    halves = "" if replies.n_differing else ", which is right for one of the two"
    return Estimate(
        text=(
            f"The {mask} model without positions is asked who did what to whom, in both orders of {N_PAIRS} "
            "sentences. What share of its answers is right?"
        ),
        right=right,
        bounds=(0, 100),
        unit="%",
        near=NEAR,
        mistaken=mistakes(right, *known.items(), near=NEAR),
        because=f"{_capital(judged(replies))}{halves}.",
    )
