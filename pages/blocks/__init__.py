"""Blocks: what stands around attention, and what each part of it is for.

The views stand in the order of the row of views.
"""

from pages.blocks import depth, layer_norm, one_position, residual_stream, two_layers
from pages.blocks.short_training import train_shortly
from pages.blocks.switches import AT_START
from pages.shell import Page, View

PAGE = Page(
    question="What does a block put around attention, and why?",
    views={
        "depth": depth.VIEW,
        "short training": View(draw=train_shortly, switches=AT_START - {"mask"}),
        "residual stream": residual_stream.VIEW,
        "layer norm": layer_norm.VIEW,
        "one position": one_position.VIEW,
        "two layers in one": two_layers.VIEW,
    },
)
