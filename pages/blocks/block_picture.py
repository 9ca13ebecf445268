"""Blocks drawn with their parts, from the input upwards, a column for each placement of layer norm."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from core.measures.architectures.diagram import diagram
from core.measures.architectures.models import run_stack
from core.model.config import ModelConfig, Norm
from core.sources.random_weights import fresh
from pages.architectures.drawing import drawn_boxes
from pages.contract.caching import cached_for_all
from pages.contract.sheet import PicturePart
from viz.architectures import Architecture, Box

COLUMNS: dict[Norm, str] = {"pre": "pre-norm", "post": "post-norm", "none": "no layer norm"}
"""Names of the columns."""


def block_picture(
    n_words: int, config: ModelConfig, norms: Sequence[Norm], *, title: str, lights_residual: bool = False
) -> PicturePart:
    """Draw a block for each norm, with the parts in the forward pass of a one-block model."""
    boxes = [box for norm in norms for box in block(n_words, replace(config, norm=norm))]
    picture = Architecture(
        title=title,
        boxes=boxes,
        lights_residual=lights_residual,
        make_table=lambda: pd.DataFrame(
            {"block": [box.stack for box in boxes], "shape": [box.shape for box in boxes]},
            index=pd.Index([box.title for box in boxes], name="part"),
        ),
    )
    return PicturePart("blocks", picture)


@cached_for_all()
def block(n_words: int, config: ModelConfig) -> tuple[Box, ...]:
    """Return the boxes of one block, from its input upwards, in a column named for its norm.

    They depend only on the length of a sentence, so sentences of the same length share them.
    """
    seen = run_stack(fresh(replace(config, n_layers=1), [str(at) for at in range(n_words)], seed=0))
    parts = diagram(seen.anatomy, 0)
    inside = [box for box in drawn_boxes(seen, parts, 0) if box.block]
    names, column = {box.name for box in inside}, COLUMNS[config.norm]
    shape = inside[0].shape
    entry = Box(f"{column} h", "words", "h", shape, (), stack=column)
    leaves = Box(
        f"{column} out", "words", "to the next block", shape, (f"{column} {inside[-1].name}",), stack=column
    )
    return (
        entry,
        *(
            replace(
                box,
                name=f"{column} {box.name}",
                inputs=tuple(f"{column} {one}" if one in names else entry.name for one in box.inputs),
                notes=(),
                stack=column,
                block=column,
            )
            for box in inside
        ),
        leaves,
    )
