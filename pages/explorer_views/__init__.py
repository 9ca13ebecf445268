"""The views of the explorer, in the order of the row of views.

A new view is a new file with a function of a Scene, and a line here.
"""

from collections.abc import Callable

from pages.explorer_views.all_heads import all_heads
from pages.explorer_views.compare import compare
from pages.explorer_views.head_scores import head_scores
from pages.explorer_views.lines import lines
from pages.explorer_views.matrix import matrix
from pages.explorer_views.scene import Scene
from pages.explorer_views.stages import stages

VIEWS: dict[str, Callable[[Scene], None]] = {
    "all heads": all_heads,
    "matrix": matrix,
    "lines": lines,
    "stages": stages,
    "compare": compare,
    "head scores": head_scores,
}
