"""What one expects of a mask, before the views of masking show it."""

from collections.abc import Mapping
from dataclasses import dataclass

from pages.contract.predict import arrange, choose, exceeds, is_not
from pages.contract.question import Arrange, Choose, Option
from pages.controls.prose import Typed
from viz.text import counted

CLEAR = 0.5
"""Nats by which one loss is clearly above another."""


def zero_score() -> Choose | None:
    """Ask what the softmax makes of a score of 0, which many take for a mask."""
    return choose(
        "A masked score is replaced by 0 in place of −∞. What weight does the softmax give it?",
        Option("more than 0", True),
        Option("exactly 0", False, "The softmax takes exp of every score: exp(0) = 1, while exp(−∞) = 0."),
        Option(
            "0 if all other scores are positive",
            False,
            "Positive scores get larger weights, but exp(0) = 1 stays in the sum.",
        ),
        because="A score of 0 is an ordinary score: it gets a larger weight than every negative one.",
    )


@dataclass(frozen=True)
class Hidden:
    """A word that may not attend to another, in a model of so many layers under a mask.

    `passer` is a word that may attend to the hidden one and to which the word may attend, if one passes on
    what the word may not see; `is_zero` where the gradient says that nothing does.
    """

    word: Typed
    hidden: Typed
    n_layers: int
    is_zero: bool
    passer: Typed | None = None


def why_infinity() -> Choose | None:
    """Ask why a mask is −∞."""
    return choose(
        "Why does a mask put −∞ in place of a score, and not 0?",
        Option("because exp(−∞) = 0", True),
        Option(
            "because with scores of 0 a row would sum to less than 1",
            False,
            "After a softmax every row sums to 1. It sums to less if *weights* are set to 0 after it.",
        ),
        Option("because −∞ makes the weight negative", False, "No weight is negative: exp is 0 or more."),
        Option("for no reason: 0 does the same", False, "exp(0) = 1, so a score of 0 still gets a weight."),
        because="A weight is exp(score) divided by the sum of all exp(score), and exp(−∞) adds nothing.",
    )


def masked_row_in_half(verdict: str) -> Choose | None:
    """Ask what float16 makes of a row that may attend to nothing; None unless that is NaN."""
    return choose(
        "A row may attend to nothing: −10⁵ is added to all its scores, in float16. What are its weights?",
        Option("NaN", verdict == "NaN" or None),
        Option("all 0", False, "A softmax divides by its sum, so its weights sum to 1 or are NaN."),
        Option(
            "as if nothing were masked",
            False,
            "That is what float32 comes close to: −10⁵ lowers all scores alike. float16 has no −10⁵.",
        ),
        because="float16 ends at 65504, so −10⁵ becomes −∞ there, and the softmax is 0/0, which is NaN.",
    )


def gradient_of_hidden(pair: Hidden) -> Choose | None:
    """Ask if an output depends on a word that it may not attend to; None if no single word passes it on."""
    around = None if not pair.is_zero and pair.passer is None else not pair.is_zero
    passed = (
        f"*{pair.passer}* may attend to *{pair.hidden}* in one layer, and *{pair.word}* to *{pair.passer}* "
        "in the next."
    )
    nobody = (
        "One layer looks once: nothing can pass through a third word."
        if pair.n_layers == 1
        else f"No word that *{pair.word}* may attend to depends on *{pair.hidden}* one layer earlier."
    )
    return choose(
        f"*{pair.word}* may not attend to *{pair.hidden}*. After {counted(pair.n_layers, 'layer')}, what is "
        f"the gradient of the output at *{pair.word}* with respect to *{pair.hidden}*?",
        Option("exactly 0", is_not(around), passed),
        Option("not 0, by way of other words", around, nobody),
        Option(
            "small, but not 0, because masked weights are small",
            False,
            "A masked weight is exactly 0, and so is what passes through it.",
        ),
        because=passed if around else "No path through the mask leads there.",
    )


def learned_without_mask(with_mask: float, cheat: float, masked_again: float) -> Choose | None:
    """Ask what a model learns that may attend to the word it predicts.

    It copies if its loss is far below that of the model with a mask and, with the mask on again, far above.
    """
    below, lost = (exceeds(one, 0, CLEAR) for one in (with_mask - cheat, masked_again - with_mask))
    return choose(
        "A model learns to predict the next word, and may attend to all words. What does it learn?",
        Option("to copy the next word", (below and lost) or None),
        Option(
            "to predict better, from words on both sides",
            is_not(lost),
            f"Its loss is {cheat:.2f} nats, below the {with_mask:.2f} of the model with a mask, because "
            f"the answer is in its input. With the mask on it is {masked_again:.2f}.",
        ),
        Option(
            "nothing: its loss does not fall",
            is_not(below),
            f"It falls to {cheat:.2f} nats: the answer is in its input.",
        ),
        because=(
            f"The answer stands one word to the right. Without it, with the mask on, its loss rises from "
            f"{cheat:.2f} to {masked_again:.2f} nats."
        ),
    )


def losses_in_order(losses: Mapping[str, float]) -> Arrange | None:
    """Ask for the settings by their loss, the largest first."""
    ranked = sorted(losses, key=lambda name: -losses[name])
    told = ", ".join(f"{losses[name]:.2f} ({name})" for name in ranked)
    return arrange(
        "One model learns with a causal mask, one without. Both then predict the next word with the mask "
        "and without it. Put their losses in order, the largest first.",
        losses,
        because=f"Nats on unseen sentences: {told}.",
    )
