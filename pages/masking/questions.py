"""What one expects of a mask, before the views of masking show it."""

from collections.abc import Mapping
from dataclasses import dataclass

from pages.contract.predict import arrange, choose, sketch
from pages.contract.question import Arrange, Choose, Estimate, Sketch
from pages.controls.prose import Typed
from viz.text import counted
from viz.units import per_cent

NEAR = 7
"""Per cent by which a share may be missed."""


@dataclass(frozen=True)
class MaskedRow:
    """A word, the words that it may attend to and their weights, and the share of them without the mask.

    `kept` is what is left of the row where weights are set to 0 after the softmax.
    """

    word: Typed
    seen: tuple[Typed, ...]
    weights: tuple[float, ...]
    kept: float
    unit: str


def row_under_mask(row: MaskedRow) -> Sketch | None:
    """The weights of the row; there are two of them at least."""
    largest = max(zip(row.weights, row.seen, strict=True), default=(0.0, ""))
    return sketch(
        f"*{row.word}* may attend to these {row.unit}s alone. Draw its attention weights.",
        [str(word) for word in row.seen],
        row.weights,
        because=f"*{largest[1]}* gets {per_cent(largest[0])}. Whatever is masked, a row sums to 100 %.",
    )


def masked_after_softmax(row: MaskedRow) -> Estimate | None:
    """What a row sums to where weights are masked in place of scores; None where hardly anything is lost."""
    kept = 100 * row.kept
    if kept > 90:
        return None
    return Estimate(
        text=(
            f"Suppose the mask set weights to 0 *after* the softmax. What would the row of *{row.word}* "
            "sum to?"
        ),
        right=kept,
        bounds=(0, 100),
        unit="%",
        near=NEAR,
        mistaken=(
            (
                100,
                "The softmax shares 100 % among all scores, masked ones too. Zeros after it leave a gap that "
                "nothing fills; zeros before it, made by −∞, leave none.",
            ),
        ),
        because=f"{per_cent(1 - row.kept)} had gone to masked {row.unit}s, and is lost.",
    )


def zero_score() -> Choose:
    """What softmax makes of a score of 0, which many take for a mask."""
    return choose(
        "A masked score is replaced by 0 in place of −∞. What weight does the softmax give it?",
        "more than 0",
        {
            "exactly 0": "The softmax takes exp of every score: exp(0) = 1, while exp(−∞) = 0.",
            "0 if all other scores are positive": (
                "Positive scores get larger weights, but exp(0) = 1 stays in the sum."
            ),
        },
        because="A score of 0 is an ordinary score: it beats every negative one. Only −∞ masks.",
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


def scores_set_to_zero(row: MaskedRow, n_words: int, leaked: float) -> Estimate | None:
    """What leaks to masked words whose scores are 0; None where it is hardly anything, or all."""
    n_masked = n_words - len(row.seen)
    share = 100 * leaked
    if not NEAR < share <= 100 or not row.seen or not n_masked:
        return None
    rest = "score of the other one is" if n_masked == 1 else f"scores of the other {n_masked} are"
    return Estimate(
        text=(
            f"*{row.word}* may attend to {len(row.seen)} of {counted(n_words, row.unit)}. The {rest} set to "
            f"0. What share of the attention of *{row.word}* goes there?"
        ),
        right=share,
        bounds=(0, 100),
        unit="%",
        near=min(NEAR, share / 2),
        mistaken=((0, "A score of 0 does not mask: exp(0) = 1, and 1 is a part of the sum."),),
        because=f"A score of 0 beats every negative score: {per_cent(leaked)} goes to masked {row.unit}s.",
    )


def why_infinity() -> Choose:
    """Why a mask is −∞."""
    return choose(
        "Why does a mask put −∞ in place of a score, and not 0?",
        "because exp(−∞) = 0",
        {
            "because with scores of 0 a row would sum to less than 1": (
                "After a softmax every row sums to 1. It sums to less where *weights* are set to 0 after it."
            ),
            "because −∞ makes the weight negative": "No weight is negative: exp of anything is 0 or more.",
            "for no reason: 0 does the same": "exp(0) = 1, so a score of 0 still gets a weight.",
        },
        because="A weight is exp(score) divided by the sum of all of them, and only exp(−∞) adds nothing.",
    )


def masked_row_in_half(verdict: str) -> Choose | None:
    """What float16 makes of a row that may attend to nothing; None where it is not NaN."""
    if verdict != "NaN":
        return None
    return choose(
        "A row may attend to nothing: −10⁵ is added to all its scores, in float16. What are its weights?",
        "NaN",
        {
            "all 0": (
                "A softmax divides by its sum, so its weights sum to 1 or are NaN. This app sets such a row "
                "to 0 itself."
            ),
            "as if nothing were masked": (
                "That is what float32 comes close to: −10⁵ lowers all scores alike. float16 has no −10⁵."
            ),
        },
        because="float16 ends at 65504, so −10⁵ becomes −∞ there, and the softmax is 0/0, which is NaN.",
    )


def gradient_of_hidden(pair: Hidden) -> Choose | None:
    """Whether an output depends on a word that it may not attend to; None where nobody can say how."""
    nothing, around = "exactly 0", "not 0, by way of other words"
    text = (
        f"*{pair.word}* may not attend to *{pair.hidden}*. After {counted(pair.n_layers, 'layer')}, what is "
        f"the gradient of the output at *{pair.word}* with respect to *{pair.hidden}*?"
    )
    little = {
        "small, but not 0, because masked weights are small": (
            "A masked weight is exactly 0, and so is what passes through it."
        )
    }
    if pair.is_zero:
        why_not = (
            "One layer looks once: nothing can pass through a third word."
            if pair.n_layers == 1
            else f"No word that *{pair.word}* may attend to depends on *{pair.hidden}* one layer earlier."
        )
        return choose(
            text, nothing, {around: why_not, **little}, because="No path through the mask leads there."
        )
    if pair.passer is None:
        return None
    passed = (
        f"*{pair.passer}* may attend to *{pair.hidden}* in one layer, and *{pair.word}* to *{pair.passer}* "
        "in the next."
    )
    return choose(text, around, {nothing: passed, **little}, because=passed)


def gradient_shares(word: Typed, labels: tuple[str, ...], shares: tuple[float, ...]) -> Sketch | None:
    """How much the output at a word depends on every word that it depends on at all."""
    if abs(sum(shares) - 1) > 1e-3:
        return None
    largest = max(zip(shares, labels, strict=True))
    return sketch(
        f"The gradient of the output at *{word}* is shared among the words it depends on. Draw the shares.",
        labels,
        shares,
        because=(
            f"*{Typed(largest[1])}* has {per_cent(largest[0])}. A gradient flows through values and residual "
            "connections too, so its shares are not the attention weights."
        ),
    )


def learned_without_mask(with_mask: float, cheat: float, masked_again: float) -> Choose | None:
    """What a model learns that may attend to the word it predicts; None unless it cheats, by its losses."""
    if not cheat < with_mask < masked_again:
        return None
    return choose(
        "A model learns to predict the next word, and may attend to all words. What does it learn?",
        "to copy the next word",
        {
            "to predict better, from words on both sides": (
                f"Its loss is {cheat:.2f} nats, below the {with_mask:.2f} of the model with a mask, because "
                f"the answer is in its input. With the mask on it is {masked_again:.2f}."
            ),
            "nothing: its loss does not fall": f"It falls to {cheat:.2f} nats: the answer is in its input.",
        },
        because=(
            f"The answer stands one word to the right. Without it, with the mask on, its loss rises from "
            f"{cheat:.2f} to {masked_again:.2f} nats."
        ),
    )


def losses_in_order(losses: Mapping[str, float]) -> Arrange | None:
    """The settings by their loss, the largest first."""
    ranked = sorted(losses, key=lambda name: -losses[name])
    told = ", ".join(f"{losses[name]:.2f} ({name})" for name in ranked)
    return arrange(
        "One model learns with a causal mask, one without. Both then predict the next word with the mask "
        "and without it. Put their losses in order, the largest first.",
        losses,
        because=f"Nats on unseen sentences: {told}.",
    )
