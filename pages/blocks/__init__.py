"""Blocks: what stands around attention, and what each part of it is for.

The views stand in the order of the row of views.
"""

from functools import partial

from pages.blocks.depth import depth
from pages.blocks.layer_norm import layer_norm
from pages.blocks.one_position import one_position
from pages.blocks.residual_stream import residual_stream
from pages.blocks.short_training import train_shortly
from pages.blocks.two_layers import two_in_one
from pages.controls.sentence import MARIA
from pages.controls.switches import WITHOUT_WINDOW
from pages.shell import Page, View

AT_START = WITHOUT_WINDOW - {"model", "layers", "norm"}
"""The switches of models that have learned nothing yet, of any depth and with the norm anywhere."""

_view = partial(View, sentence=MARIA, switches=WITHOUT_WINDOW)

PAGE = Page(
    question="What does a block put around attention, and why?",
    views={
        "depth": _view(draw=depth, switches=AT_START),
        "short training": View(draw=train_shortly, switches=AT_START - {"mask"}),
        "residual stream": _view(draw=residual_stream),
        "layer norm": _view(draw=layer_norm),
        "one position": _view(draw=one_position, switches=WITHOUT_WINDOW - {"mlp"}, about="layer"),
        "two layers in one": _view(draw=two_in_one),
    },
)
