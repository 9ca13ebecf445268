"""Weights of a layer, of one head or of all, and the cell, row or column of them that a link selects."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from jaxtyping import Bool, Float

from core.measures.heads.compared import mean_over_heads, rollout
from core.measures.heads.sinks import largest_of_a_choice
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.prose import set_off
from pages.contract.scene import Scene
from pages.contract.sheet import Changes, Gesture, LinkValues, PicturePart, Point
from pages.contract.words import Words
from pages.explorer.predictions import PLACE
from viz.layout.cells import NOISE
from viz.layout.downsampling import cell_of
from viz.matrices import HeadMatrix
from viz.text import unique_words
from words import per_cent

Kind = Literal["head", "mean over heads", "rollout"]
KINDS: tuple[Kind, ...] = get_args(Kind)
HEAD, MEAN, ROLLOUT = KINDS

Cell = tuple[int, int]
"""A query and a key, counted from 0."""

CELL = "cell"
"""Spot of the menus of query and key."""

OVER_ALL_HEADS = "The {} is over all heads: the menu *Head* has no effect on it."


@dataclass(frozen=True)
class ShownWeights:
    """A matrix of weights with its kind and its name."""

    kind: Kind
    title: str
    pattern: Float[np.ndarray, "query key"]

    @property
    def place(self) -> str:
        """Return the heads of the weights, within a sentence or a title."""
        return self.title.lower().replace(" · ", ", ")

    @property
    def heading(self) -> str:
        """Return the title of their picture."""
        return f"Attention {self.place}" if self.kind == ROLLOUT else f"Attention weights, {self.place}"

    def open_under(self, allowed: Bool[np.ndarray, "query key"]) -> Bool[np.ndarray, "query key"]:
        """Return which cells have a weight, if this is `allowed` in one layer: a rollout reaches further."""
        return allowed | (self.pattern > 0) if self.kind == ROLLOUT else allowed


@dataclass(frozen=True)
class Selection:
    """Row and column of the weights that the link selects, counted from 0."""

    query: int | None = None
    key: int | None = None


def ask_kind(ask: Ask) -> Kind:
    """Ask for one head, the mean over all heads, or the rollout."""
    kind: Kind = ask.choice("show", hide_label=True)
    if kind != HEAD:
        ask.caption(OVER_ALL_HEADS.format("rollout" if kind == ROLLOUT else "mean"))
    return kind


def ask_cell(ask: Ask, scene: Scene) -> Cell | None:
    """Return the chosen cell; None until both its words are chosen."""
    with ask.at(CELL):
        query, key = (ask.word(name, scene.attention.names) for name in ("query", "key"))
    return None if query is None or key is None else (query, key)


def opens(*, predicts: bool) -> Gesture:
    """Return the effect of a click on a matrix: the cell's calculation, and its query's prediction."""

    def changes(points: Sequence[Point], link: LinkValues) -> Changes:
        point = points[-1]
        query, key = cell_of(point["x"], point["y"], point["data"])
        place = {PLACE: query + 1} if predicts else {}
        return {"query": query + 1, "key": key + 1, **place}

    return changes


def selection(ask: Ask, scene: Scene, cell: Cell | None) -> Selection:
    """Return the selected cell, row or column, or else the row of the word whose prediction is shown."""
    query, key, place = (_given(ask, name) for name in ("query", "key", PLACE))
    if cell is not None or (query, key) != (None, None):
        return Selection(query, key)
    rows = (row for row in range(len(scene.attention.names)) if place in scene.attention.pieces(row))
    return Selection(next(rows, None))


def _given(ask: Ask, name: str) -> int | None:
    """Return the value of a control, from 0; None if it has none."""
    value = next((item.value for item in ask.asked() if item.parameter.name == name), None)
    return None if value is None else int(value) - 1


def find_weights(scene: Scene, kind: Kind = HEAD) -> ShownWeights:
    """Return the weights of this kind in the chosen layer."""
    if kind == MEAN:
        n = scene.switches.config.n_heads
        of_heads = "its only head" if n == 1 else f"mean over {n} heads"
        title = f"Layer {scene.layer + 1} · {of_heads}"
        (mean,) = mean_over_heads(scene.reading.of_layer(scene.layer)[None])
        return ShownWeights(MEAN, title, scene.attention.merged(mean))
    if kind == ROLLOUT:
        span = "layer 1" if scene.layer == 0 else f"layers 1 to {scene.layer + 1}"
        rolled = rollout(scene.layers, residual=scene.switches.config.residual)
        return ShownWeights(ROLLOUT, f"Rollout over {span}", scene.attention.merged(rolled))
    return ShownWeights(HEAD, scene.title, scene.attention.pattern(scene.layer, scene.head))


def describe_weights(
    shown: ShownWeights,
    names: Words,
    allowed: Bool[np.ndarray, "query key"],
    selected: Selection,
    *,
    unit: str = "word",
    of_shown: str = "",
) -> str:
    """Return a sentence on the selected cell, row or column; without a selection on the largest weight.

    `of_shown` follows "the largest weight": it is " shown" if some rows are hidden.
    """
    query, key = selected.query, selected.key
    if query is None and key is None:
        return describe_largest(shown, names, allowed, unit=unit, of_shown=of_shown)
    is_rollout = shown.kind == ROLLOUT
    seen = np.where(shown.pattern > 0 if is_rollout else allowed, shown.pattern, -1.0)
    closing = ""
    if query is None:
        query, is_largest = _largest(seen[:, key])
        closing = f", more than any other {unit}{of_shown} gives it" if is_largest else ""
    elif key is None:
        key, is_largest = _largest(seen[query])
        closing = f", more than to any other {unit}{of_shown}" if is_largest else ""
    assert key is not None, "one of the two is selected, and the other was found"
    one, other = (set_off(unique_words(names)[at]) for at in (query, key))
    share, goes_to = per_cent(float(seen[query, key])), "itself" if query == key else other
    if is_rollout and seen[query, key] < 0:
        return f"By {shown.place}, nothing of the state of {one} comes from {other}."
    if is_rollout:
        return f"By {shown.place}, {share} of the state of {one} comes from {goes_to}."
    if seen[query, key] < 0:
        return f"In {shown.place}, {one} may not attend to {other}: that weight is masked, and 0."
    return f"In {shown.place}, {one} gives {share} of its attention to {goes_to}{closing}."


def _largest(weights: Float[np.ndarray, "word"]) -> tuple[int, bool]:
    """Return the position of the largest weight, and whether it is clearly above other allowed ones."""
    at = int(weights.argmax())
    others = np.delete(weights, at)
    return at, bool((others >= 0).any() and weights[at] - others.max() > NOISE)


def describe_largest(
    shown: ShownWeights,
    names: Words,
    allowed: Bool[np.ndarray, "query key"],
    *,
    unit: str = "word",
    of_shown: str = "",
) -> str:
    """Return a sentence on the largest weight of a word that has a choice."""
    apart = [set_off(name) for name in unique_words(names)]
    if shown.kind == ROLLOUT:
        others = shown.open_under(allowed) & ~np.eye(len(allowed), dtype=bool)
        if not others.any():
            return f"The state of {apart[0]} comes from itself, the only {unit} shown."
        query, key = divmod(int(np.where(others, shown.pattern, -1.0).argmax()), len(allowed))
        return (
            f"By {shown.place}, {per_cent(float(shown.pattern[query, key]))} of the state of "
            f"{apart[query]} comes from {apart[key]}, the largest share of another {unit}{of_shown}."
        )
    (query, key), has_choice = largest_of_a_choice(shown.pattern, allowed)
    goes_to = "itself" if query == key else apart[key]
    where = "" if has_choice.all() else f" of a {unit} that can attend to several"
    closing = f"the largest weight{of_shown}{where}" if has_choice.any() else f"the only {unit} shown"
    share = per_cent(float(shown.pattern[query, key]))
    return f"In {shown.place}, {apart[query]} gives {share} of its attention to {goes_to}, {closing}."


def matrix_picture(
    shown: ShownWeights, scene: Scene, look: Look, *, on_click: Gesture, selected: Cell | None = None
) -> tuple[PicturePart, ...]:
    """Return the picture of the weights; for a long text also a detail around the `selected` cell."""
    seen = scene.attention
    picture = HeadMatrix(
        pattern=shown.pattern,
        words=seen.labels,
        allowed=shown.open_under(seen.allowed),
        unit=seen.unit,
        selected=selected,
        title=shown.heading,
    )
    matrix = PicturePart("matrix", picture, on_click=on_click)
    if selected is None or not picture.shows_blocks(look.for_picture):
        return (matrix,)
    return matrix, PicturePart("close_up", picture.close_up(selected), on_click=on_click)


def asked_row(scene: Scene, shown: ShownWeights, selected: Selection) -> int:
    """Return the selected row, the row with most weight on a selected key, or the last longest one."""
    if selected.query is not None:
        return selected.query
    allowed = scene.attention.allowed
    if selected.key is not None:
        return int(np.where(allowed, shown.pattern, -1.0)[:, selected.key].argmax())
    special = scene.attention.rows.special
    words = [at for at in range(len(allowed)) if at not in special] or range(len(allowed))
    return max(words, key=lambda at: (allowed[at].sum(), at))
