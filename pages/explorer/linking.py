"""Linking heads: the weight of one query and key in every head of a model, the largest first."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.measures.heads.sample import ROWS, SAMPLE, SAMPLE_IN_PIECES
from core.measures.heads.scores import INDUCTION, KINDS, kinds_of_heads
from core.model.masks import MASKS
from core.sources import UnavailableError
from pages.contract.attention import DisplayedAttention, Rows
from pages.contract.caching import cached_for_all
from pages.contract.prose import Typed, set_off
from pages.contract.scene import Scene, reading
from pages.contract.sheet import Caption, Changes, Fold, LinkValues, Part, PicturePart, Point, Text
from pages.contract.switches import Architecture
from pages.contract.weights import why_unavailable
from pages.explorer.head_scores import LOOKED_AT, cached_head_scores
from pages.explorer.weights import HEAD, Cell, ShownWeights
from viz.layout.cells import NOISE
from viz.named_bars import LARGEST_HEADS, MOST_HEADS, HeadWeights, head_in_prose, shows_all
from viz.text import quoted, unique_words
from words import counted, enumerated, per_cent

CALLED = {
    "induction": "induction head",
    "previous word": "previous-token head",
    "next word": "next-token head",
    "first word": "first-token sink",
    "special tokens": "special-token sink",
}
"""Names of the kinds of heads as prose writes them, by score."""

UNTRAINED = "Random weights have learned nothing, so no head has a name such as *previous-token head*."
NAMED = (
    "a head with a name gives more than half of its attention to the token that its name stands for, on "
    "average over sentences"
)
MOST_LISTED = 3
"""Greatest number of heads with the same weight that a sentence lists."""

Head = tuple[int, int]
"""A layer and a head of it, counted from 1."""


@dataclass(frozen=True, eq=False)
class Linked:
    """The `weights` of a query and a key in every head; heads with equal weights would give `equal`.

    `shown` is the chosen head; None if several are shown together.
    """

    query: Typed
    key: Typed
    weights: Float[np.ndarray, "layer head"]
    equal: float
    shown: Head | None = None

    @property
    def goes_to(self) -> str:
        """Return the key in a sentence about the query."""
        return "itself" if self.query == self.key else set_off(self.key)


def linking(
    scene: Scene, shown: ShownWeights, cell: Cell | None, *, is_open: bool = True
) -> tuple[Part, ...]:
    """Return a fold with the weight of the chosen cell in every head; nothing without a cell.

    It is closed unless it `is_open` and the heads are many.
    """
    if cell is None:
        return ()
    query, key = _names(scene, cell)
    linked = "link" if query != key else "attend from"
    title = f"Which heads {linked} {set_off(query)} to {'itself' if query == key else set_off(key)}?"
    config = scene.switches.config
    are_many = config.n_layers * config.n_heads > MOST_HEADS
    return (Fold(title, partial(_parts, scene, shown, cell), is_open=is_open and are_many, key="linking"),)


def _names(scene: Scene, cell: Cell) -> tuple[Typed, Typed]:
    apart = unique_words(scene.attention.names)
    return Typed(apart[cell[0]]), Typed(apart[cell[1]])


def _parts(scene: Scene, shown: ShownWeights, cell: Cell) -> tuple[Part, ...]:
    query, key = _names(scene, cell)
    if not scene.attention.allowed[cell]:
        return (Text(describe_masked_cell(scene, cell, query, key), "info"),)
    found = Linked(
        query,
        key,
        _in_every_head(scene.words, scene.switches, *map(tuple, map(scene.attention.pieces, cell))),
        float(scene.attention.equal[cell]),
        (scene.layer + 1, scene.head + 1) if shown.kind == HEAD else None,
    )
    if found.equal > 1 - NOISE:
        return (Text(describe_linked_heads(found)),)
    kinds, said = _kinds(scene)
    return Text(describe_linked_heads(found)), _picture(scene, found, kinds), Text(f":small[{said}]")


@cached_for_all()
def _in_every_head(
    words: tuple[str, ...], switches: Architecture, queries: tuple[int, ...], keys: tuple[int, ...]
) -> Float[np.ndarray, "layer head"]:
    """Return the weight between two rows, of these positions, in every head."""
    rows = Rows((Typed("query"), Typed("key")), (queries, keys))
    attention = DisplayedAttention(reading(words, switches), rows)
    return np.stack([attention.of_cell(layer, (0, 1)) for layer in range(switches.config.n_layers)])


def _picture(scene: Scene, found: Linked, kinds: Mapping[Head, Sequence[str]]) -> PicturePart:
    layer, head = np.indices(found.weights.shape) + 1
    heads = pd.DataFrame({"layer": layer.ravel(), "head": head.ravel(), "weight": found.weights.ravel()})
    link = f"{quoted(str(found.query))} → {quoted(str(found.key))}"
    some = "" if shows_all(heads) else f"{LARGEST_HEADS} of {len(heads)} heads"
    n_above = 0 if found.shown is None else int((found.weights > _weight_of(found, found.shown)).sum())
    also = " and the chosen head" * (n_above >= LARGEST_HEADS)
    picture = HeadWeights(
        title=f"Attention weight {link} in every head"
        + (f": the {some} that give most{also}" if some else ""),
        short=f"{link}: {some}" if some else "",
        heads=heads,
        shown=found.shown,
        kinds={head: ", ".join(KINDS[score] for score in scores) for head, scores in kinds.items()},
    )
    return PicturePart(
        "head_weights", picture, on_click=_opens_head, caption=Caption(notes=(NAMED,) * bool(kinds))
    )


def _opens_head(points: Sequence[Point], link: LinkValues) -> Changes:
    layer, head = points[-1]["data"]
    return {"layer": layer, "head": head, "show": None}


def _kinds(scene: Scene) -> tuple[Mapping[Head, Sequence[str]], str]:
    """Return the heads that have a name, and a sentence on them."""
    if not scene.switches.weights.trained:
        return {}, UNTRAINED
    try:
        table = cached_head_scores(scene.switches)
    except UnavailableError as error:
        return {}, f"No head is named here. {why_unavailable(error)}"
    kinds, sample = kinds_of_heads(table), SAMPLE if scene.pieces is None else SAMPLE_IN_PIECES
    return kinds, describe_head_kinds(kinds, measured=set(table["score"]), sample=sample)


def describe_head_kinds(
    kinds: Mapping[Head, Sequence[str]], *, measured: Collection[str], sample: int
) -> str:
    """Return the number of heads of each kind among those `measured`, and the criterion of the kinds."""
    over = f"on average over {counted(sample, 'sentence')} of a small artificial English"
    if INDUCTION in measured:
        over += f", for induction over {counted(ROWS, 'row')} of repeated random tokens"
    every = [score for scores in kinds.values() for score in scores]
    there = [counted(every.count(score), called) for score, called in CALLED.items() if score in every]
    if there:
        verb = "is" if len(every) == 1 else "are"
        return (
            f"Among all heads {verb} {enumerated(there)}. A head counts if it gives more than half of its "
            f"attention to the token that its name says, and clearly more than equal weights would, {over}. "
            "In this sentence it may attend elsewhere. The view *head scores* has the numbers."
        )
    sought = [LOOKED_AT[score] for score in CALLED if score in measured]
    these = sought[0] if len(sought) == 1 else f"any of these: {'; '.join(sought)}"
    return (
        f"{over[0].upper()}{over[1:]}, no head gives more than half of its attention, and clearly more than "
        f"equal weights would, to {these}."
    )


def describe_masked_cell(scene: Scene, cell: Cell, query: Typed, key: Typed) -> str:
    """Return why the weight of a cell is 0 in every head, and whether the opposite direction is allowed."""
    switches, one, other = scene.switches, set_off(query), set_off(key)
    limits = [f"the {switches.config.mask} mask"] * MASKS[switches.config.mask].hides
    if switches.window is not None:
        limits.append(f"a window of ±{counted(switches.window, scene.unit)}")
    if switches.config.window is not None:
        limits.append(f"the model's window of {counted(switches.config.window, scene.unit)}")
    later = ", which comes later" if cell[1] > cell[0] and not switches.config.looks_ahead else ""
    n = switches.config.n_layers * switches.config.n_heads
    heads = "the only head" if n == 1 else f"all {n} heads"
    said = (
        f"Under {' and '.join(limits)}, {one} may not attend to {other}{later}. So this "
        f"weight is 0 in {heads}."
    )
    if scene.attention.allowed[cell[::-1]]:
        said += f" The other way round it is allowed: choose {other} as the query and {one} as the key."
    return said


def describe_linked_heads(found: Linked) -> str:
    """Return a sentence with the largest weight, the equal weight, and the rank of the shown head."""
    weights, n = found.weights, found.weights.size
    top = float(weights.max())
    first = [(int(layer) + 1, int(head) + 1) for layer, head in np.argwhere(weights > top - NOISE)]
    gives = f"{set_off(found.query)} gives {per_cent(top)} of its attention to {found.goes_to}"
    if found.equal > 1 - NOISE:
        where = "in the only head" if n == 1 else f"in all {n} heads"
        return f"{gives} {where}: it may attend to nothing else."
    if len(first) == n > 1:
        return f"{gives} in all {counted(n, 'head')}. Equal weights would give {per_cent(found.equal)}."
    listed = enumerated([head_in_prose(*head) for head in first[:MOST_LISTED]])
    if n == 1:
        said = f"In the only head, {gives}."
    elif len(first) == 1:
        said = f"Of {n} heads, {listed} has the largest weight: there {gives}."
    else:
        which = "" if len(first) > MOST_LISTED else f", {listed}"
        said = f"Of {n} heads, {len(first)} have the largest weight{which}: there {gives}."
    more = int((weights > found.equal + NOISE).sum())
    said += f" Equal weights would give {per_cent(found.equal)}{_above(more, n, n_largest=len(first))}."
    if found.shown is None or found.shown in first:
        return said
    weight = _weight_of(found, found.shown)
    rank = 1 + int((weights > weight + NOISE).sum())
    shown = head_in_prose(*found.shown)
    return f"{said} The chosen head, {shown}, has rank {rank} with {per_cent(weight)}."


def _weight_of(found: Linked, head: Head) -> float:
    """Return the weight in one head."""
    return float(found.weights[head[0] - 1, head[1] - 1])


def _above(more: int, n: int, *, n_largest: int) -> str:
    """Return how many of `n` heads are above equal weights, after the heads with the largest are named."""
    this = "this one" if n_largest == 1 else "these"
    if n == 1:
        return ""
    if not more:
        return "; no head is above that"
    if more == n:
        return "; all heads are above that"
    if more == n_largest:
        return f"; only {'this head is' if more == 1 else 'these heads are'} above that"
    return f"; {more} of the {n} heads, {this} included, are above that"
