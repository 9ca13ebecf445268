"""What one expects of the parts of a block, before the views of blocks show them."""

from collections.abc import Mapping, Sequence
from math import isfinite, log

from pages.contract.predict import choose, choose_largest, exceeds, is_near, mistakes
from pages.contract.question import Choose, Estimate, Option
from pages.controls.prose import Typed
from viz.units import magnitude, signed, two_decimals

STAYS, CHANGES = 1.1, 1.4
"""Factors up to which a norm stays about the same, and from which on it changes."""

ALIKE, APART = 0.15, 0.4
"""Nats up to which two losses are about the same, and from which on they differ."""


def deviation_after(word: Typed, before: tuple[float, float], after: float) -> Estimate | None:
    """The standard deviation that layer norm leaves, before gain and bias."""
    mean, deviation = before
    if not isfinite(deviation) or abs(deviation - after) < 0.05:
        return None
    return Estimate(
        text=(
            f"The numbers of *{word}* have the mean {signed(mean)} and the standard deviation "
            f"{two_decimals(deviation)}. What is the standard deviation after layer norm, before gain "
            "and bias?"
        ),
        right=after,
        bounds=(0, max(10.0, 2 * deviation)),
        decimals=2,
        near=0.05,
        because="Layer norm subtracts the mean and divides by the standard deviation, whatever both were.",
        mistaken=mistakes(
            after, (0.0, "That is the mean: it is subtracted, and 0 is left of it."), near=0.05
        ),
    )


def other_words() -> Choose | None:
    """Ask if the statistics of a word know of other words."""
    return choose(
        "The vectors of all other words change. What happens to the layer norm of this one?",
        Option("nothing", True),
        Option(
            "its mean and standard deviation change",
            False,
            "They are taken over the dimensions of one vector. Batch norm takes them over several examples.",
        ),
        Option(
            "its gain and bias change", False, "Gain and bias are parameters, the same for every sentence."
        ),
        because="Layer norm works on each word alone.",
    )


def pre_or_post() -> Choose | None:
    """Ask what tells pre-norm from post-norm."""
    return choose(
        "A block with pre-norm and one with post-norm have the same parts. What differs?",
        Option("whether the sum of the residual connection is normalised", True),
        Option(
            "how many layer norms a block has",
            False,
            "Both have one for each part. A stack with pre-norm has one more at its end, outside of the "
            "blocks.",
        ),
        Option("what the mean is taken over", False, "Both normalise each vector over its dimensions."),
        because=(
            "Post-norm normalises after the sum, so nothing passes a block unchanged. Pre-norm normalises "
            "the input of each part, and the sum itself is passed on."
        ),
    )


def without_residual(with_: float, without: float, by_frequency: float) -> Choose | None:
    """Ask where the loss ends without residual connections."""

    def option(loss: float, why_not: str = "") -> Option:
        return Option(f"near {loss:.1f} nats", is_near(without, loss, within=ALIKE, beyond=APART), why_not)

    return choose(
        f"With residual connections the loss ends at {two_decimals(with_)} nats. A model that knows how "
        f"frequent each word is, and nothing else, has {two_decimals(by_frequency)} nats. Where does the "
        "loss end without residual connections?",
        option(with_, "Then they would be of no use here."),
        option((with_ + by_frequency) / 2),
        option(by_frequency, "Then nothing would be learned beyond how frequent each word is."),
        because=f"It ends at {two_decimals(without)} nats.",
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
    """Ask what becomes of the gradient of the last block as blocks are added, with pre-norm."""
    if not ratio:
        return None
    size = log(ratio)
    limit, margin = (log(STAYS) + log(CHANGES)) / 2, (log(CHANGES) - log(STAYS)) / 2
    return choose(
        f"A model with pre-norm gets {greatest} blocks in place of {smallest}. What becomes of the gradient "
        "of its last block, before training?",
        Option("it falls", exceeds(-size, limit, margin)),
        Option("it stays about the same", is_near(size, 0, within=log(STAYS), beyond=log(CHANGES))),
        Option("it grows", exceeds(size, limit, margin)),
        because=f"Here its norm is multiplied by {two_decimals(ratio)}.",
    )


def frequencies_alone(loss: float, n_words: int) -> Choose | None:
    """Ask for the loss of a model that knows word frequencies and nothing else."""
    equal = log(n_words)
    ends = [is_near(loss, end, within=ALIKE, beyond=APART) for end in (0, equal)]
    between = None if None in ends else not any(ends) and 0 < loss < equal
    return choose(
        "Which loss has a model that knows how frequent each word is, and nothing else?",
        Option(f"less than {two_decimals(equal)} nats, and more than 0", between),
        Option(
            f"{two_decimals(equal)} nats",
            ends[1],
            f"That is ln {n_words}: it would give each of {n_words} words the same probability.",
        ),
        Option(
            "0 nats",
            ends[0],
            "A loss of 0 means that the right word always has the probability 1.",
        ),
        because=f"It has {two_decimals(loss)} nats: only what lies below has been learned from context.",
    )


def reached(word: Typed, n_feed_forward: int, n_attention: int) -> Estimate | None:
    """At how many other words the output of the feed-forward layer changes without a vector."""
    if not n_attention:
        return None
    return Estimate(
        text=(
            f"The input of the feed-forward layer at *{word}* is set to 0. At how many *other* words does "
            "the output of this layer change?"
        ),
        right=n_feed_forward,
        bounds=(0, max(10, 2 * n_attention)),
        unit="words" if n_feed_forward != 1 else "word",
        because="A feed-forward layer works on each word alone: only attention passes something on.",
        mistaken=mistakes(n_feed_forward, (n_attention, "Attention reaches so many.")),
    )


def two_in_one(is_same: bool) -> Choose | None:
    """Ask what two layers of attention are together, with fixed weights and nothing between them."""
    return choose(
        "Two layers of attention with fixed weights, and nothing nonlinear between them. What are they "
        "together?",
        Option("one layer", is_same or None),
        Option(
            "more than one layer can be",
            False,
            "A product of two matrices is one matrix: the second adds nothing new.",
        ),
        Option(
            "one layer only if A₁ = A₂", False, "The weights of the one layer are A₂A₁, whatever the two are."
        ),
        because="The weights A₂A₁ and the values V₁V₂ give the same output.",
    )
