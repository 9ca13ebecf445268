"""The gradient of the last block before training, in models of more and more blocks."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.measures.blocks.norms import COMPARED, DEPTHS, expected_of_pre, last_block_gradients
from core.model.config import ModelConfig, Norm
from core.sources.random_weights import fresh
from pages.blocks.trainings import ROLES
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.scene import Scene
from pages.contract.sheet import PicturePart, Program, Sheet, Text
from viz.curves import Curves
from words import magnitude

TOO_FEW = "The models choose the next word among those of the sentence: type at least two different words."

ROOT = "as 1/√L"
"""Name of a curve that begins at the same point as the curve of pre-norm."""

FLAT = 0.5
"""A norm that keeps more than this share of its size over all depths does not fall as 1/√L."""

LastBlock = Mapping[Norm, Float[np.ndarray, "depth"]]


def gradient(ask: Ask, scene: Scene, norms: Sequence[Norm]) -> Sheet:
    """Show the gradient of the last block before training, for models of more and more blocks."""
    switches = scene.switches
    if len(set(scene.words)) < 2:
        return Sheet(parts=(Text(TOO_FEW, "info"),))
    found = _measured(scene.words, switches.config, switches.seed, tuple(norms))
    return Sheet(
        headline=last_block_headline(found),
        parts=(_chart(found), Text(theorem(found, switches.config))),
        program=lambda: Program.calling(
            "The gradient of the last block before training, by where layer norm stands.",
            last_block_gradients,
            partial(fresh, words=scene.plain, seed=switches.seed),
            switches.config,
            norms=norms,
        ),
    )


@cached_for_all(saying="Computing gradients of deeper and deeper models …")
def _measured(words: tuple[str, ...], config: ModelConfig, seed: int, norms: tuple[Norm, ...]) -> LastBlock:
    return last_block_gradients(lambda one: fresh(one, words, seed), config, norms=norms)


def _chart(found: LastBlock) -> PicturePart:
    lines: dict[str, np.ndarray] = {str(norm): lengths for norm, lengths in found.items()}
    lines[ROOT] = expected_of_pre(DEPTHS, float(found["pre"][0]))
    table = pd.DataFrame(
        [
            (name, n_blocks, float(length))
            for name, lengths in lines.items()
            for n_blocks, length in zip(DEPTHS, lengths, strict=True)
            if length > 0
        ],
        columns=["layer norm", "blocks", "gradient norm"],
    )
    picture = Curves(
        rows=table,
        title="Gradient norm of the last block against number of blocks",
        x="blocks",
        y="gradient norm",
        by="layer norm",
        say=magnitude,
        colours={**{norm: ROLES[norm] for norm in found}, ROOT: "muted"},
        dashed=[ROOT],
        x_title="number of blocks L",
        y_title="gradient norm",
        log=True,
    )
    return PicturePart("last_block", picture)


def ratio(lengths: Float[np.ndarray, "depth"]) -> float | None:
    """Return the gradient at the greatest depth over the gradient at the smallest; None if that is 0."""
    return float(lengths[-1] / lengths[0]) if lengths[0] > 0 else None


def last_block_headline(found: LastBlock) -> str:
    """Return how the gradient at the greatest depth compares with the gradient at the smallest."""
    pre, post = (ratio(found[norm]) for norm in COMPARED)
    told = [
        f"{'an unknown number of' if share is None else f'{share:.2f}'} times{large} with {norm}-norm"
        for norm, share, large in zip(COMPARED, (pre, post), (" as large", ""), strict=True)
    ]
    return (
        f"With {DEPTHS[-1]} blocks in place of {DEPTHS[0]}, the last block's gradient before training is "
        f"{' and '.join(told)}."
    )


def theorem(found: LastBlock, config: ModelConfig) -> str:
    """Return the subject of the drawing, whether it follows the theorem, and what the theorem explains."""
    matrix = "second feed-forward matrix" if config.mlp else "output projection"
    drawn = (
        f"The chart shows the norm of ∂loss / ∂W before any training. W is the last block's {matrix}, in "
        "models of more and more blocks."
    )
    if not (config.residual and config.mlp):
        return (
            f"{drawn} Theorem 1 of Xiong et al. (2020) is about blocks with a residual connection and a "
            "feed-forward layer."
        )
    law = (
        f"{drawn} By theorem 1 of Xiong et al. (2020), a bound of this norm falls as 1/√L with pre-norm. "
        "With post-norm the bound does not depend on L."
    )
    pre, post = (ratio(found[norm]) for norm in COMPARED)
    if pre is None or post is None:
        return law
    if not pre < FLAT < post < 1 / FLAT:
        return f"{law} With this sentence and seed the gradients do not change as their bound does."
    return (
        f"{law} Here, the gradient falls to less than half with pre-norm, and changes by less than a factor "
        "of 2 with post-norm. A small gradient is not bad: a gradient step at a high learning rate moves the "
        "last block less. With this the authors explain why post-norm needs a warm-up, in which the learning "
        "rate begins near 0. This page does not test that explanation."
    )
