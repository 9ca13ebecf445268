"""The head that the views of this page walk through: its changed entries in the link, and its question."""

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.measures.stages.stage import CHANGEABLE, Change, Grid, Stage
from core.measures.stages.walk import Walk, walk
from core.sources import BY_HAND_NAME
from core.sources.by_hand import HEADS, Head, first_asking
from core.text.tokenizer import MAX_WORDS
from pages.contract.ask import Ask
from pages.contract.examples import TEA
from pages.contract.link_parameters import Refusal
from pages.contract.loading import loaded, measured
from pages.contract.prose import Typed
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Changes, LinkValues
from pages.contract.switches import WITHOUT_WINDOW
from words import counted, enumerated, two_decimals

OF_HEAD: dict[str, Any] = {"sentence": TEA, "about": "head", "switches": WITHOUT_WINDOW, "pieces": MAX_WORDS}
"""Settings of the views of one head."""

EDIT = "edit"
"""Parameter of a changed entry; the link may have several."""

LARGEST_VALUE = 1000

MOST_CHANGES = 8

_WRITTEN = re.compile(r"([a-z]+)\.(\d{1,4})\.(\d{1,4})\.(-?\d{1,4}(?:\.\d{1,6})?)", re.ASCII)

MOST_NAMED = 3
OTHERS = (
    "The other words ask nothing: their queries and scores are 0, so they divide their attention equally "
    "among the words that they may attend to."
)
SAME = 1e-6
"""Largest difference of two weights that are called equal."""

_ASKED_FOR = {
    "noun, one": "a singular noun",
    "noun, many": "a plural noun",
    "determiner": "a determiner",
    "adjective": "an adjective",
}
"""Names of the dimensions of queries made by hand, in a sentence."""


@dataclass(frozen=True)
class HeadWalk:
    """A scene, the walk through its head, and the changed entries in it."""

    scene: Scene
    walk: Walk
    changes: tuple[Change, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the words as a figure names them: unknown words carry a mark."""
        return self.scene.marked(self.walk.unknown)

    @property
    def is_by_hand(self) -> bool:
        """Return whether the weights are those set by hand."""
        return self.scene.switches.source == BY_HAND_NAME

    def stage(self, name: str) -> Stage | None:
        """Return the stage of this name; None if the head has none."""
        return next((stage for stage in self.walk.stages if stage.name == name), None)


def caption(seen: HeadWalk, *notes: str) -> Caption:
    """Return the caption of a picture of the head."""
    n = len(seen.changes)
    changed = (f"{counted(n, 'value')} changed by hand",) if n else ()
    return Caption(notes=(seen.scene.place, *notes, *changed))


def walked(scene: Scene, changes: tuple[Change, ...] = ()) -> HeadWalk:
    """Walk through the head of a scene. Raises UnavailableError if its model is not there."""
    found = measured(
        walk, loaded, scene.words, scene.switches, layer=scene.layer, head=scene.head, changes=changes
    )
    return HeadWalk(scene, found if scene.pieces is None else _with_names(found, scene), changes)


def _with_names(walk: Walk, scene: Scene) -> Walk:
    """Name rows and columns as a reader understands the pieces of a real model."""
    assert scene.pieces is not None, "the words of other models are what was typed"
    names = {piece: scene.pieces.readable(piece) for piece in scene.plain}

    def named(grid: Grid) -> Grid:
        rows, columns = (tuple(names.get(one, one) for one in axis) for axis in (grid.rows, grid.columns))
        return replace(grid, rows=rows, columns=columns)

    def renamed(stage: Stage) -> Stage:
        operands = tuple(replace(one, grid=named(one.grid)) for one in stage.operands)
        return replace(stage, operands=operands, result=named(stage.result))

    return replace(walk, stages=tuple(map(renamed, walk.stages)))


def ask_word(ask: Ask, scene: Scene) -> int:
    """Return the position of the chosen word, by default the last one.

    In a head made by hand the default is the first word whose query is not 0.
    """
    label = scene.unit.capitalize()
    if scene.switches.source == BY_HAND_NAME and (at := first_asking(scene.plain, scene.head)) is not None:
        chosen = ask.word("word", scene.names, label=label, usual=at)
        return at if chosen is None else chosen
    chosen = ask.word("word", scene.names, label=label, unchosen="last")
    return scene.last if chosen is None else chosen


def ask_changes(ask: Ask, scene: Scene) -> tuple[Change, ...]:
    """Return the entries that the link changes; an impossible one is left out with a note."""
    asked = ask.parameters.spellings(EDIT)
    possible: list[Change] = []
    refused: list[Refusal] = []
    for text in asked[:MOST_CHANGES]:
        try:
            change = parse(text)
            change.check(n_words=len(scene.words), d_head=scene.switches.config.d_head)
        except ValueError as error:
            reason = f"The link asks for {EDIT} = {Typed(text)}, but {Typed(error):200}\\."
            refused.append(Refusal(reason, "Showing no such change."))
        else:
            possible.append(change)
    if len(asked) > MOST_CHANGES:
        reason = f"At most {MOST_CHANGES} entries can be changed: the others are left as they were."
        refused.append(Refusal(reason))
    ask.parameters.accept(EDIT, list(map(spelt, possible)), refused)
    return tuple(possible)


def parse(text: str) -> Change:
    """Read a change such as `q.2.1.-0.5`: the matrix, its row and column counted from 1, and the value.

    Raises ValueError with the possible values.
    """
    written = _WRITTEN.fullmatch(text)
    if written is None or written[1] not in CHANGEABLE:
        raise ValueError(
            f"a change is written like q.2.1.-0.5: one of {', '.join(CHANGEABLE)}, row, column and value"
        )
    value = float(written[4])
    if not math.isfinite(value) or abs(value) > LARGEST_VALUE:
        raise ValueError(f"a value lies between -{LARGEST_VALUE} and {LARGEST_VALUE}, got {written[4]}")
    row, column = int(written[2]) - 1, int(written[3]) - 1
    if row < 0 or column < 0:
        raise ValueError("rows and columns are counted from 1")
    return Change(written[1], row, column, value)


def spelt(change: Change) -> str:
    """Spell a change for a link."""
    value = f"{change.value:.6f}".rstrip("0").rstrip(".")
    return f"{change.matrix}.{change.row + 1}.{change.column + 1}.{'0' if value == '-0' else value}"


def add_change(asked: Mapping[str, Any], link: LinkValues) -> Changes:
    """Put a change that the browser reports into the link; a second one of an entry replaces the first."""
    change = Change(str(asked["matrix"]), int(asked["row"]), int(asked["column"]), float(asked["value"]))
    assert change.matrix in CHANGEABLE
    entry = _entry(spelt(change))
    others = [text for text in link.get(EDIT, []) if _entry(text) != entry and _is_change(text)]
    return {EDIT: tuple([*others, spelt(change)][-MOST_CHANGES:])}


def _entry(text: str) -> list[str]:
    """Return the matrix, the row and the column of a change in the link."""
    return text.split(".")[:3]


def _is_change(text: str) -> bool:
    with suppress(ValueError):
        parse(text)
        return True
    return False


def about_head(seen: HeadWalk) -> str:
    """Say which entries the visitor has set, or else what a head made by hand asks; empty for other heads."""
    if seen.changes:
        return " ".join(
            _describe_changed(stage, seen) for stage in seen.walk.stages if stage.result.computed is not None
        )
    return _question_of(seen, HEADS[seen.scene.head]) if seen.is_by_hand else ""


def about_others(seen: HeadWalk) -> str:
    """Say why words without a question have equal weights; empty if all ask, or if it may not hold."""
    n_asking = int(seen.walk.q.any(axis=1).sum())
    is_told = (
        seen.is_by_hand and not seen.changes and 0 < n_asking <= MOST_NAMED and n_asking < len(seen.walk.q)
    )
    return OTHERS if is_told else ""


def _describe_changed(stage: Stage, seen: HeadWalk) -> str:
    """Say for each entry of a stage that the visitor has set which value the matrices give."""
    grid, computed = stage.result, stage.result.computed
    assert computed is not None, "some entry is set"
    names = seen.scene.unique_names
    return " ".join(
        f"{stage.symbol} of *{names[row]}*, "
        f"{f'*{names[column]}*' if grid.over_words else f'dimension {grid.columns[column]}'}: "
        f"set by you to {two_decimals(grid.matrix[row, column])}; the matrices give "
        f"{two_decimals(computed[row, column])}."
        for row, column in np.argwhere(np.isfinite(computed)).tolist()
    )


def _question_of(seen: HeadWalk, head: Head) -> str:
    """Say what a head made by hand asks, which words ask it here, and where their largest weights are."""
    asking = [at for at, query in enumerate(seen.walk.q) if query.any()]
    if not asking:
        return f"This head asks: *{head.question}* No word of this sentence asks: every query is 0."
    told = " ".join(_asker(seen, head, at) for at in asking[:MOST_NAMED])
    return f"This head asks: *{head.question}* {told}"


def _asker(seen: HeadWalk, head: Head, at: int) -> str:
    """Say what one word asks for, and which words have its largest weight."""
    walk, names, softmax = seen.walk, seen.scene.unique_names, seen.stage("softmax")
    assert softmax is not None, "every head has weights"
    wanted = " or ".join(
        _ASKED_FOR[name] for name, one in zip(head.sought, walk.q[at], strict=True) if one > 0
    )
    weights = softmax.result.matrix[at]
    best = float(weights.max())
    largest = [other for other, one in enumerate(weights) if best - one < SAME]
    matching = [other for other in largest if walk.q[at] @ walk.k[other] > 0]
    if not matching:
        return (
            f"*{names[at]}* asks for {wanted}. It may attend to no such word, so all its weights are equal."
        )
    whom = enumerated([f"*{names[other]}*" for other in matching[:MOST_NAMED]])
    each = " each" if len(matching) > 1 else ""
    return f"*{names[at]}* asks for {wanted} and gives {whom} a weight of {best:.2f}{each}."
