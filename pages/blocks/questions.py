"""What one expects of the parts of a block, before the views of blocks show them."""

from collections.abc import Mapping, Sequence
from math import isfinite

from pages.contract.predict import choose, choose_largest, mistakes
from pages.contract.question import Choose, Estimate
from pages.controls.prose import Typed
from viz.units import magnitude, signed, two_decimals

FALLS, STAYS = 0.7, 1.4
"""Between these a norm at the greatest depth is called the same as at the smallest, times this."""


def deviation_after(word: Typed, before: tuple[float, float], after: float) -> Estimate | None:
    """The standard deviation that layer norm leaves, before gain and bias."""
    mean, deviation = before
    if not isfinite(deviation) or abs(deviation - after) < 0.05:
        return None
    return Estimate(
        text=(
            f"The numbers of *{word}* have the mean {signed(mean)} and the standard deviation "
            f"{two_decimals(deviation)}. What is the standard deviation after layer norm?"
        ),
        right=after,
        bounds=(0, max(10.0, 2 * deviation)),
        decimals=2,
        near=0.05,
        because="Layer norm subtracts the mean and divides by the standard deviation, whatever both were.",
        mistaken=mistakes(after, {0.0: "That is the mean: it is subtracted, and 0 is left of it."}, 0.05),
    )


def other_words() -> Choose:
    """Whether the statistics of a word know of other words."""
    return choose(
        "The vectors of all other words change. What happens to the layer norm of this one?",
        "nothing",
        {
            "its mean and standard deviation change": (
                "They are taken over the dimensions of one vector. It is batch norm that takes them over "
                "several examples."
            ),
            "its gain and bias change": "Gain and bias are parameters, the same for every sentence.",
        },
        because="Layer norm works on each word alone.",
    )


def pre_or_post() -> Choose:
    """What tells pre-norm from post-norm."""
    return choose(
        "A block with pre-norm and one with post-norm have the same parts. What differs?",
        "whether the sum of the residual connection is normalised",
        {
            "how many layer norms a block has": (
                "Both have one for attention and one for feed-forward. A stack with pre-norm has one more at "
                "its end, outside of the blocks."
            ),
            "nothing that matters": (
                "Post-norm changes the stream itself at every block, and with it the way of the gradients."
            ),
            "what the mean is taken over": "Both normalise each vector over its dimensions.",
        },
        because=(
            "Post-norm normalises after the sum, so nothing passes a block unchanged. Pre-norm normalises "
            "what a part reads, and the stream itself runs on."
        ),
    )


def without_residual(with_: float, without: float, by_frequency: float) -> Estimate | None:
    """The last loss without residual connections."""
    if not isfinite(without) or without - with_ < 0.5:
        return None
    return Estimate(
        text=(
            f"With residual connections the loss ends at {two_decimals(with_)} nats; knowing how frequent "
            f"each word is gives {two_decimals(by_frequency)}. Where does the loss end without them?"
        ),
        right=without,
        bounds=(0, 10),
        unit="nats",
        decimals=1,
        near=0.3,
        because="Each block passes on only what it computed, and the gradient shrinks on its way.",
        mistaken=mistakes(without, {with_: "Then they would be of no use."}, 0.3),
    )


def needs_warm_up(gains: Mapping[str, float]) -> Choose | None:
    """Which norm gains more from warm-up; `gains` are by how much the last loss falls, by the norm."""
    return choose_largest(
        "The learning rate begins high, or rises from 0. Which model gains more from the rise?",
        gains,
        because="In one training each, the last loss "
        + " and ".join(
            f"{'falls' if gain >= 0 else 'rises'} by {two_decimals(abs(gain))} nats with {norm}"
            for norm, gain in gains.items()
        )
        + ".",
        why_not={"pre-norm": "The gradient of its last block becomes smaller with depth."},
    )


def grows_most(lengths: Mapping[str, Sequence[float]]) -> Choose | None:
    """In which model the stream grows most, from before the first block to after the last."""
    grown = {
        norm: of_norm[-1] / of_norm[0] for norm, of_norm in lengths.items() if len(of_norm) > 1 and of_norm[0]
    }
    if not all(map(isfinite, grown.values())):
        return None
    return choose_largest(
        "Each block adds to the vector of a word. With which layer norm does its norm grow most?",
        grown,
        because="Its norm is multiplied by "
        + ", ".join(f"{magnitude(factor)} with {norm}" for norm, factor in grown.items())
        + ".",
        why_not={"post": "Post-norm normalises every sum: the norm is set anew after each block."},
    )


def gradient_of_last(ratio: float | None, smallest: int, greatest: int) -> Choose | None:
    """What becomes of the gradient of the last block as blocks are added, with pre-norm."""
    if ratio is None or FALLS < ratio < STAYS:
        return None
    falls, grows = "it falls", "it grows"
    right = falls if ratio < 1 else grows
    return choose(
        f"A model with pre-norm gets {greatest} blocks in place of {smallest}. What becomes of the gradient "
        "of its last block, before training?",
        right,
        {
            "it stays the same": "That is post-norm, whose last gradient does not shrink with more blocks "
            "(Xiong et al. 2020, theorem 1).",
            (grows if right == falls else falls): "",
        },
        because=f"It is multiplied by {two_decimals(ratio)}.",
    )


def frequencies_alone(loss: float, n_words: int) -> Estimate:
    """The loss of a model that knows word frequencies and nothing else."""
    return Estimate(
        text="Which loss has a model that knows how frequent each word is, and nothing else?",
        right=loss,
        bounds=(0, 10),
        unit="nats",
        decimals=1,
        near=0.4,
        because="It is the dashed line: only what lies below it has been learned from context.",
        mistaken=mistakes(loss, {0.0: f"A loss of 0 means that each of {n_words} words is sure."}, 0.4),
    )


def reached(word: Typed, n_feed_forward: int, n_attention: int) -> Estimate | None:
    """At how many other words the output of the feed-forward layer changes without a vector."""
    if not n_attention:
        return None
    return Estimate(
        text=(
            f"The vector of *{word}* is set to 0. At how many *other* words does the output of the "
            "feed-forward layer change?"
        ),
        right=n_feed_forward,
        bounds=(0, max(10, 2 * n_attention)),
        unit="words" if n_feed_forward != 1 else "word",
        because="A feed-forward layer works on each word alone: only attention passes something on.",
        mistaken=mistakes(n_feed_forward, {n_attention: "So many are reached by attention."}),
    )


def two_in_one(is_same: bool) -> Choose | None:
    """What two layers of attention are together, with fixed weights and nothing between them."""
    if not is_same:
        return None
    return choose(
        "Two layers of attention with fixed weights, and nothing nonlinear between them. What are they "
        "together?",
        "one layer",
        {
            "twice as deep": "A product of two matrices is one matrix: the second adds nothing new.",
            "one layer if A₁ = A₂": "The weights of the one layer are A₂A₁, whatever the two are.",
        },
        because="The weights A₂A₁ and the values V₁V₂ give the same output.",
    )
