"""Sentences on gradients through a painted mask: which are exactly 0, and which paths bypass the mask."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool

from core.measures.masking.painting import Dependence
from pages.contract.prose import Typed
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose, is_not, unique_labels
from pages.contract.sheet import Fold, Formula
from words import counted, part_of, per_cent

TITLE = "gradient shares"
NO_WAY = r"\bigl((A + I)^L\bigr)_{ij} = 0 \implies \frac{\partial h_i}{\partial x_j} = 0"
WHY_NO_WAY = "A is the mask as zeros and ones, L the number of layers: no path leads from j to i"
NO_FUTURE = r"j > i \implies \frac{\partial h_i}{\partial x_j} = 0"


def formula(allowed: Bool[np.ndarray, "query key"]) -> Fold:
    """Return the guarantee of the mask: of a mask that hides the future, or of any."""
    one = Formula(NO_WAY, WHY_NO_WAY)
    if len(allowed) > 1 and not np.triu(allowed, 1).any():
        is_causal = np.array_equal(allowed, np.tri(len(allowed)))
        one = Formula(NO_FUTURE, f"{'A causal' if is_causal else 'This'} mask allows no later word")
    return Fold("Formula", (one,))


def headline(
    found: Dependence, n_layers: int, names: Sequence[str], query: int | None, key: int | None
) -> str:
    """Say whether the chosen output depends on the chosen input, or how many gradients are exactly 0."""
    zero, through = found.zero, f"through {counted(n_layers, 'layer')}"
    if query is not None and key is not None:
        one, other = names[query], names[key]
        if zero[query, key]:
            return f"The output at *{one}* does not depend on *{other}*: the gradient {through} is exactly 0."
        share = per_cent(float(found.shares[query, key]))
        return f"The output at *{one}* depends on *{other}*: {share} of the gradients of its row, {through}."
    n = len(zero)
    if query is not None:
        reached = n - int(zero[query].sum())
        return f"The output at *{names[query]}* depends on {part_of(reached, n, 'word')}, {through}."
    if key is not None:
        reached = n - int(zero[:, key].sum())
        verb = "depends" if reached == 1 or n == 1 else "depend"
        outputs = part_of(reached, n, "output")
        return f"{outputs[0].upper()}{outputs[1:]} {verb} on *{names[key]}*, {through}."
    future, n_zero = found.zero_of_the_future, int(zero.sum())
    if zero.all():
        return f"No output depends on any word: all {counted(n * n, 'gradient')} are exactly 0, {through}."
    if future.size and future.all():
        which = "the gradient is" if future.size == 1 else f"all {future.size} gradients are"
        return f"No output depends on a later word: {which} exactly 0, {through}."
    if not n_zero:
        gradients = "the gradient is not" if n == 1 else f"none of {n * n} gradients is exactly"
        return f"Every output depends on every word: {gradients} 0, {through}."
    return (
        f"{n_zero} of {counted(n * n, 'gradient')} {through} {'is' if n_zero == 1 else 'are'} exactly 0, "
        "not merely small."
    )


def roundabout(found: Dependence, n_layers: int) -> str:
    """Say how many outputs depend on words to which they may not attend; nothing if none does."""
    n_around = int(found.roundabout.sum())
    if not n_around:
        return ""
    through = "a third word" if n_layers == 2 else "other words"
    return (
        f"In {counted(n_around, 'cell')} an output depends on another word that it may not attend to: "
        f"the information passes through {through}, in another layer."
    )


@dataclass(frozen=True)
class HiddenPair:
    """A word that may not attend to another, in a model of `n_layers` layers under a mask.

    `passer` is a word that may attend to the hidden one and to which the word may attend, if one can pass the
    hidden word on. `is_zero` tells whether the gradient is exactly 0.
    """

    word: Typed
    hidden: Typed
    n_layers: int
    is_zero: bool
    passer: Typed | None = None


def find_hidden_pair(found: Dependence, n_layers: int, names: Sequence[str]) -> HiddenPair | None:
    """Return two words to ask about, if possible with a path around the mask; None without hidden words."""
    allowed = found.allowed
    others = allowed & ~np.eye(len(allowed), dtype=bool)
    between = others[:, :, None] & others[None, :, :]  # query, passer, key
    passed = found.roundabout & between.any(axis=1)
    paths = np.linalg.matrix_power(allowed + np.eye(len(allowed)), n_layers)
    pairs = passed if passed.any() else found.zero & ~allowed & (paths == 0)
    if not pairs.any():
        return None
    query = int(np.where(pairs.any(axis=1), allowed.sum(axis=1), -1).argmax())
    key = int(pairs[query].argmax())
    passer = int(between[query, :, key].argmax())
    each = unique_labels(names)
    return HiddenPair(
        each[query], each[key], n_layers, not passed.any(), each[passer] if passed.any() else None
    )


def hidden_word_question(pair: HiddenPair | None) -> Choose | None:
    """Ask if an output depends on a word that it may not attend to; None if no single word passes it on."""
    if pair is None:
        return None
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
