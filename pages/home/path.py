"""The ten stops of the path, and the three doors."""

from pages.contract.sheet import Tile
from pages.lecture.concepts import Link


def _stop(title: str, goal: str, address: str, **parameters: str | int) -> Tile:
    return Tile(title, f"… {goal}.", Link(title, address, parameters).path)


STOPS = (
    _stop("What is attention?", "follow one head from words to its output, number by number", "step-by-step"),
    _stop(
        "Why not a recurrent network?",
        "count the steps from one word to another in both",
        "interaction-distance",
    ),
    _stop(
        "Order and positions",
        "say what changes when words swap places, and what positions add",
        "order-invariance",
    ),
    _stop("Masks", "say which words a word may attend to, and why the mask is −∞", "masking"),
    _stop("Several heads", "say what two heads can do that one cannot", "heads"),
    _stop("Why divide by √d?", "say what long vectors do to the softmax", "scaling"),
    _stop("Blocks", "name what stands around attention, and what each part is for", "blocks"),
    _stop(
        "Encoder, decoder, cross-attention",
        "draw all three and say who attends to whom",
        "architectures",
        view="encoder–decoder",
    ),
    _stop("Writing text", "follow a model as it writes word by word", "generation"),
    _stop("A real model", "read a sentence with a pretrained model, if one is there", "models"),
)
"""The path through the app, in its order."""

DOORS = (
    Tile(
        "Learn",
        "Begin at the first stop: one head, stage by stage, with every number. Then go on from stop to stop.",
        Link("", "step-by-step").path,
    ),
    Tile(
        "Teach",
        "Every concept of the sources with the views that show it. The address of a view is a prepared "
        "demonstration: it opens with the sentence and the switches that you left it with.",
        Link("", "sources").path,
    ),
    Tile(
        "Take figures",
        "The camera beside a picture saves it as SVG. Below it are its numbers and, on most views, a program "
        "that computes them again.",
        Link("", "explorer", {"view": "matrix", "code": "true"}).path,
    ),
)
"""Who comes here for what, and where they begin."""
