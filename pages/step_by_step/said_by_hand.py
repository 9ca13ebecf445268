"""What is said of a head made by hand: what each of its words asks for, finds and passes on."""

import numpy as np
from jaxtyping import Float

from core.measures.stages import Stage
from core.sources import BY_HAND_NAME
from core.sources.by_hand import HEADS, Head
from pages.step_by_step.walking import Walked
from viz.units import two_decimals

THREE = (
    "Why three matrices? A word does three things: it asks for something (its query), others find it by "
    "something (its key), and it passes something on (its value). With one matrix for all three, a word "
    "would ask for what it is and pass on what it is found by."
)
TRY = (
    "Another sentence for this head: "
    "[the keys near the lamp are](/step-by-step?text=the+keys+near+the+lamp+are), where *are* asks for a "
    "plural noun."
)
_IN_WORDS = {
    "noun sg": "a singular noun",
    "noun pl": "a plural noun",
    "article": "an article",
    "adjective": "an adjective",
}
"""Dimensions of queries as they are said."""

MOST_NAMED = 3
SAME = 1e-6


def is_by_hand(seen: Walked) -> bool:
    """Whether the weights are those set by hand."""
    return seen.scene.switches.source == BY_HAND_NAME


def said_of_head(seen: Walked) -> tuple[str, ...]:
    """Return what the visitor has set in a head, or else what a head made by hand asks."""
    if seen.changes:
        return (
            " ".join(_set(stage, seen) for stage in seen.walk.stages if stage.result.computed is not None),
        )
    return (head_said(seen),) if is_by_hand(seen) else ()


def _set(stage: Stage, seen: Walked) -> str:
    """Return a sentence on each entry of a stage that the visitor has set, with the one computed."""
    grid, computed = stage.result, stage.result.computed
    assert computed is not None, "some entry is set"
    return " ".join(
        f"{stage.symbol} of *{seen.scene.names[row]}*, "
        f"{f'*{seen.scene.names[column]}*' if grid.over_words else f'dimension {grid.columns[column]}'}: "
        f"set by you to {two_decimals(grid.matrix[row, column])}; the matrices give "
        f"{two_decimals(computed[row, column])}."
        for row, column in np.argwhere(np.isfinite(computed)).tolist()
    )


def head_said(seen: Walked) -> str:
    """What the head asks, who asks in this sentence, and where the largest weight of each asker is."""
    head = HEADS[seen.scene.head]
    asking = [at for at, query in enumerate(seen.walk.q) if query.any()]
    if not asking:
        return f"This head asks: *{head.question}* No word of this sentence asks: every query is 0."
    told = " ".join(_asker(seen, head, at) for at in asking[:MOST_NAMED])
    return f"This head asks: *{head.question}* {told}"


def _asker(seen: Walked, head: Head, at: int) -> str:
    """What one word asks for, and the words with its largest weight."""
    walk, names = seen.walk, seen.scene.names
    wanted = " or ".join(
        _IN_WORDS[name] for name, one in zip(head.sought, walk.q[at], strict=True) if one > 0
    )
    weights = _weights(seen)[at]
    best = float(weights.max())
    largest = [other for other, one in enumerate(weights) if best - one < SAME]
    matching = [other for other in largest if walk.q[at] @ walk.k[other] > 0]
    if not matching:
        return (
            f"*{names[at]}* asks for {wanted}, which no word that it may attend to is: all its weights are "
            "equal."
        )
    whom = " and ".join(f"*{names[other]}*" for other in matching[:MOST_NAMED])
    each = " each" if len(matching) > 1 else ""
    return f"*{names[at]}* asks for {wanted} and gives {whom} a weight of {best:.2f}{each}."


def _weights(seen: Walked) -> Float[np.ndarray, "query key"]:
    return next(stage for stage in seen.walk.stages if stage.name == "softmax").result.matrix
