"""Blocks: what stands around attention, and what each part of it is for.

The views stand in the order of the row of views.
"""

from pages.blocks import (
    depth,
    layer_norm,
    one_position,
    residual_stream,
    short_training,
    trained_once,
    two_layers,
)
from pages.shell import Page

PAGE = Page(
    question="What does a block put around attention, and why?",
    views={
        "layer norm": layer_norm.VIEW,
        "residual connections": trained_once.RESIDUAL_VIEW,
        "residual stream": residual_stream.VIEW,
        "depth": depth.VIEW,
        "warm-up": trained_once.WARM_UP_VIEW,
        "short training": short_training.VIEW,
        "one position": one_position.VIEW,
        "two layers in one": two_layers.VIEW,
    },
)
