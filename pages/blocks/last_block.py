"""The gradient of the last block against the number of blocks: its picture, and what is said of it."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.measures.blocks.gradients import DEPTHS
from core.measures.blocks.last_block import expected_of_pre
from core.model.config import Norm
from pages.blocks.norms import colours
from pages.contract.look import Look
from pages.contract.sheet import Shown
from viz.curves import chart
from viz.units import magnitude, magnitude_ticks

LastBlock = Mapping[Norm, Float[np.ndarray, "depth"]]

ROOT = "as 1/√L"
"""The name of a line that begins where the curve of pre-norm does."""

FLAT = 0.5
"""A norm that keeps more than this share of its length over all depths does not fall as 1/√L does."""

HEIGHT = 290


def last_block_picture(found: LastBlock, look: Look) -> Shown:
    """Both curves, and beside them what falls as 1/√L."""
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
    own = colours(look.theme)
    picture = chart(
        table,
        title="Gradient norm of the last block against number of blocks",
        x="blocks",
        y="gradient norm",
        by="layer norm",
        say=magnitude,
        theme=look.theme,
        within=look.width,
        colours={"pre": own["pre"], "post": own["post"], ROOT: look.theme.muted},
        dashed=[ROOT],
        x_title="number of blocks L",
        y_title="gradient norm",
        x_ticks={at: str(at) for at in DEPTHS},
        y_ticks=magnitude_ticks(table["gradient norm"]),
        log=True,
        height=HEIGHT,
    )
    return Shown("last_block", picture)


def answer(found: LastBlock) -> str:
    """How the gradient at the greatest depth compares with that at the smallest, with either norm."""
    told = [f"{_kept(lengths)} with {norm}-norm" for norm, lengths in found.items()]
    return (
        f"From {DEPTHS[0]} to {DEPTHS[-1]} blocks, the gradient of the last block is multiplied by "
        f"{' and by '.join(told)}."
    )


def _kept(lengths: Float[np.ndarray, "depth"]) -> str:
    share = ratio(lengths)
    return "an unknown factor" if share is None else f"{share:.2f}"


def ratio(lengths: Float[np.ndarray, "depth"]) -> float | None:
    """The gradient at the greatest depth over that at the smallest; None where that is 0."""
    return float(lengths[-1] / lengths[0]) if lengths[0] > 0 else None


def explanation(found: LastBlock, *, residual: bool, mlp: bool) -> str:
    """What the theorem says of the two curves, and whether these follow it."""
    matrix = "second feed-forward matrix" if mlp else "attention's output matrix"
    drawn = (
        f"The first picture shows the norm of ∂loss / ∂W of the last block's {matrix} before any training, "
        "for models of more and more blocks."
    )
    if not residual:
        return f"{drawn} Theorem 1 of Xiong et al. (2020) is about blocks with a residual connection."
    root = (DEPTHS[0] / DEPTHS[-1]) ** 0.5
    theorem = (
        "At initialisation, its bound falls as 1/√L with pre-norm and does not depend on the number of "
        f"blocks L with post-norm (Xiong et al. 2020, theorem 1); √({DEPTHS[0]}/{DEPTHS[-1]}) = {root:.2f}."
    )
    pre, post = (ratio(found[norm]) for norm in ("pre", "post"))
    if pre is None or post is None:
        return f"{drawn} {theorem}"
    follows = pre < FLAT < post < 1 / FLAT
    seen = (
        "These gradients do the same. Xiong et al. explain by it why post-norm needs a "
        "[warm-up](/blocks?view=warm-up)."
        if follows
        else "With this sentence and seed the gradients do not do the same."
    )
    return f"{drawn} {theorem} {seen}"
