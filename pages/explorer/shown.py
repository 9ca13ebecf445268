"""What is shown of a layer: one of its heads, the mean over them, or attention rolled out up to it."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from jaxtyping import Bool, Float

from core.measures.heads.largest import largest_of_a_choice
from core.measures.heads.rollout import mean_over_heads, rollout
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.sheet import Gesture, Shown
from pages.contract.words import Words
from pages.controls.prose import Typed
from pages.explorer.cell import Selection
from pages.shell.scene import Scene
from viz.matrices import close_up, one_head, shows_blocks
from viz.parts.kinds import NOISE
from viz.tables import unique_words
from viz.text import counted
from viz.units import per_cent

Kind = Literal["head", "mean over heads", "rollout"]
KINDS: tuple[Kind, ...] = get_args(Kind)
HEAD, MEAN, ROLLOUT = KINDS

OVER_ALL_HEADS = "The {} is over all heads: the menu *Head* has no effect on it."

WIDTH = 530
"""Pixels that the wider of two columns has in a window 1400 wide."""

ABOVE = 330
"""Pixels of page above the matrix in a low window."""


@dataclass(frozen=True)
class Weights:
    """A matrix of weights, and what it is."""

    kind: Kind
    title: str
    pattern: Float[np.ndarray, "query key"]

    @property
    def place(self) -> str:
        """What the weights are of, within a sentence or a title."""
        return self.title.lower().replace(" · ", ", ")

    @property
    def heading(self) -> str:
        """The title of their picture."""
        return f"Attention {self.place}" if self.kind == ROLLOUT else f"Attention weights, {self.place}"


def ask_kind(ask: Ask) -> Kind:
    """The choice between the three."""
    kind: Kind = ask.choice("show", hide_label=True)
    if kind != HEAD:
        ask.caption(OVER_ALL_HEADS.format("rollout" if kind == ROLLOUT else "mean"))
    return kind


def find_weights(scene: Scene, kind: Kind = HEAD) -> Weights:
    """What the choice gives for the chosen layer."""
    if kind == MEAN:
        title = f"Layer {scene.layer + 1} · mean over {counted(scene.switches.config.n_heads, 'head')}"
        (mean,) = mean_over_heads(scene.reading.of_layer(scene.layer)[None])
        return Weights(MEAN, title, scene.attention.merged(mean))
    if kind == ROLLOUT:
        span = "layer 1" if scene.layer == 0 else f"layers 1 to {scene.layer + 1}"
        rolled = rollout(scene.layers, residual=scene.switches.config.residual)
        return Weights(ROLLOUT, f"Rollout over {span}", scene.attention.merged(rolled))
    return Weights(HEAD, scene.title, scene.attention.pattern(scene.layer, scene.head))


def told_weights(
    shown: Weights,
    names: Words,
    allowed: Bool[np.ndarray, "query key"],
    selected: Selection,
    *,
    unit: str = "word",
) -> str:
    """Return a sentence on the selected cell, row or column; without a selection on the largest weight."""
    query, key = selected.query, selected.key
    if query is None and key is None:
        return told_largest(shown, names, allowed, unit=unit)
    seen = np.where(shown.pattern > 0 if shown.kind == ROLLOUT else allowed, shown.pattern, -1.0)
    closing = ""
    if query is None:
        query, others = _largest(seen[:, key])
        closing = f", more than any other {unit} gives it" if others else ""
    elif key is None:
        key, others = _largest(seen[query])
        closing = f", more than to any other {unit}" if others and shown.kind != ROLLOUT else ""
    assert key is not None, "one of the two is selected, and the other was found"
    one, other = (f"*{Typed(unique_words(names)[at])}*" for at in (query, key))
    if seen[query, key] < 0:
        if shown.kind == ROLLOUT:
            return f"By {shown.place}, nothing of the state of {one} comes from {other}."
        return f"In {shown.place}, {one} may not attend to {other}: that weight is masked, and 0."
    share, goes_to = per_cent(float(seen[query, key])), "itself" if query == key else other
    if shown.kind == ROLLOUT:
        return f"By {shown.place}, {share} of the state of {one} comes from {goes_to}."
    return f"In {shown.place}, {one} gives {share} of its attention to {goes_to}{closing}."


def _largest(weights: Float[np.ndarray, "word"]) -> tuple[int, bool]:
    """Return where the largest weight is, and whether it is clearly above others that are allowed."""
    at = int(weights.argmax())
    others = np.delete(weights, at)
    return at, bool((others >= 0).any() and weights[at] - others.max() > NOISE)


def told_largest(
    shown: Weights, names: Words, allowed: Bool[np.ndarray, "query key"], *, unit: str = "word"
) -> str:
    """A sentence on the strongest attention of a word that has a choice."""
    if shown.kind == ROLLOUT:
        return _told_rollout(shown, names, allowed, unit)
    (query, key), has_choice = largest_of_a_choice(shown.pattern, allowed)
    apart = [Typed(name) for name in unique_words(names)]
    goes_to = "itself" if query == key else f"*{apart[key]}*"
    where = "" if has_choice.all() else " where there is a choice"
    closing = f"the largest weight{where}" if has_choice.any() else f"the only {unit} shown"
    share, place = per_cent(float(shown.pattern[query, key])), shown.place
    return f"In {place}, *{apart[query]}* gives {share} of its attention to {goes_to}, {closing}."


def _told_rollout(shown: Weights, names: Words, allowed: Bool[np.ndarray, "query key"], unit: str) -> str:
    """The largest share that a word has in the state of another."""
    others = allowed & ~np.eye(len(allowed), dtype=bool)
    if not others.any():
        return f"The state of *{names[0]}* comes from itself, the only {unit} shown."
    query, key = divmod(int(np.where(others, shown.pattern, -1.0).argmax()), len(allowed))
    apart = [Typed(name) for name in unique_words(names)]
    share = per_cent(float(shown.pattern[query, key]))
    return (
        f"By {shown.place}, {share} of the state of *{apart[query]}* comes from *{apart[key]}*, the "
        f"largest share of another {unit}."
    )


def matrix_picture(
    shown: Weights,
    scene: Scene,
    look: Look,
    *,
    on_click: Gesture,
    selected: tuple[int, int] | None = None,
) -> tuple[Shown, ...]:
    """The weights; of a long text also those around the `selected` cell, as the others are too small."""
    labels, allowed = scene.attention.labels, scene.attention.allowed
    size = look.room(WIDTH)
    picture = one_head(
        shown.pattern,
        labels,
        title=shown.heading,
        theme=look.theme,
        allowed=allowed,
        unit=scene.attention.unit,
        selected=selected,
        size=size,
        tallest=look.tallest(ABOVE),
    )
    matrix = Shown("matrix", picture, on_click=on_click)
    if selected is None or not shows_blocks(labels, size=size):
        return (matrix,)
    near = close_up(
        shown.pattern,
        labels,
        around=selected,
        title=shown.heading,
        theme=look.theme,
        allowed=allowed,
        size=size,
    )
    return matrix, Shown("close_up", near, on_click=on_click)
