"""What is shown of a layer: one of its heads, the mean over them, or attention rolled out up to it."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from jaxtyping import Float

from core.measures.heads.rollout import mean_over_heads, rollout
from pages.controls.link import choice
from pages.shell.scene import Scene
from viz.text import counted

Kind = Literal["head", "mean over heads", "rollout"]
KINDS: tuple[Kind, ...] = get_args(Kind)
HEAD, MEAN, ROLLOUT = KINDS

OVER_ALL_HEADS = "The {} is over all heads: the menu *Head* has no effect on it."


@dataclass(frozen=True)
class Shown:
    """A matrix of weights, and what it is."""

    kind: Kind
    title: str
    pattern: Float[np.ndarray, "query key"]


def one_head(scene: Scene) -> Shown:
    """The chosen head."""
    return Shown(HEAD, scene.title, scene.attention.pattern(scene.layer, scene.head))


def choose_shown(scene: Scene) -> Shown:
    """The choice between the three, and what it gives for the chosen layer."""
    kind = choice("show", notes=scene.notes, hide_label=True)
    if kind != HEAD:
        scene.row.caption(OVER_ALL_HEADS.format("rollout" if kind == ROLLOUT else "mean"))
    if kind == MEAN:
        title = f"Layer {scene.layer + 1} · mean over {counted(scene.switches.config.n_heads, 'head')}"
        (mean,) = mean_over_heads(scene.reading.of_layer(scene.layer)[None])
        return Shown(MEAN, title, scene.attention.merged(mean))
    if kind == ROLLOUT:
        span = "layer 1" if scene.layer == 0 else f"layers 1 to {scene.layer + 1}"
        rolled = rollout(scene.layers, residual=scene.switches.config.residual)
        return Shown(ROLLOUT, f"Rollout over {span}", scene.attention.merged(rolled))
    return one_head(scene)
