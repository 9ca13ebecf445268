"""Three ways into the app, by the visitor's purpose."""

from pages.contract.sheet import Tile
from pages.data.links import Link
from pages.path.stops import path_to

DOORS = (
    Tile(
        "Learn",
        "Begin at the first stop: one head, stage by stage, with every number. At the last, SmolLM2 reads a "
        "sentence of your own.",
        path_to(1),
    ),
    Tile(
        "Teach",
        "Give one of the lectures that are ready, or add views to your own. A presenter's remote changes "
        "the steps, and phones answer the questions.",
        Link("", "lecture").path,
    ),
    Tile(
        "Take figures",
        "Save, below a picture, makes a slide, SVG, PDF or PNG. Beside it are the numbers of the picture "
        "and, on most views, a program that computes them again.",
        Link("", "explorer", {"view": "heads", "code": "true"}).path,
    ),
)
"""The three doors of the home."""
