"""The views of the page Blocks, in the order of the row of views.

A new view is a new file with a function of a Scene, and a line here.
"""

from pages.blocks_views.depth import depth
from pages.blocks_views.layer_norm import layer_norm
from pages.blocks_views.one_position import one_position
from pages.blocks_views.residual_stream import residual_stream
from pages.blocks_views.scene import View
from pages.blocks_views.short_training import train_shortly
from pages.blocks_views.two_layers import two_in_one
from pages.controls.switches import WITHOUT_WINDOW

AT_START = WITHOUT_WINDOW - {"model", "seed", "layers", "norm"}
"""The switches of models that have learned nothing yet, of any depth and with the norm anywhere."""

VIEWS = {
    "depth": View(depth, AT_START),
    "short training": View(train_shortly, AT_START - {"mask"}),
    "residual stream": View(residual_stream, WITHOUT_WINDOW),
    "layer norm": View(layer_norm, WITHOUT_WINDOW),
    "one position": View(one_position, WITHOUT_WINDOW - {"mlp"}),
    "two layers in one": View(two_in_one, WITHOUT_WINDOW),
}
