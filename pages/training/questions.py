"""What one expects of attention before a training, and of what teaches it."""

from collections.abc import Sequence

from pages.contract.predict import choose, sketch
from pages.contract.question import Choose, Sketch
from pages.controls.prose import Typed
from viz.units import per_cent


def untrained_row(
    query: Typed, keys: Sequence[Typed], weights: Sequence[float], *, head: str, equal: float
) -> Sketch | None:
    """A row of weights before the first step; `equal` is what each would be if all were alike."""
    if not weights:
        return None
    return sketch(
        f"Nothing is trained yet: the weights of the model are random. Draw what *{query}*, the last word, "
        f"attends to in {head}.",
        [str(key) for key in keys],
        weights,
        because=(
            f"The weights go from {per_cent(min(weights))} to {per_cent(max(weights))}; equal ones would be "
            f"{per_cent(equal)}. Random queries and keys have scores that mean nothing."
        ),
    )


def what_teaches_attention() -> Choose:
    """Where attention gets its gradient from."""
    return choose(
        "A training compares something with what it should be. What is it that teaches attention?",
        "the words predicted",
        {
            "the attention weights": (
                "Attention has no target of its own: nobody says what a weight should be."
            ),
            "links between words": "The sentences come without links: only their words are known.",
        },
        because=(
            "The loss is computed from the predictions alone, and its gradient passes through the attention "
            "weights."
        ),
    )
