"""What one expects of a training: what teaches attention."""

from pages.contract.predict import choose
from pages.contract.question import Choose, Option


def what_teaches_attention() -> Choose | None:
    """Ask where attention gets its gradient from."""
    return choose(
        "A training compares something with what it should be. What is it that teaches attention?",
        Option("the words predicted", True),
        Option(
            "the attention weights",
            False,
            "Attention has no target of its own: nobody says what a weight should be.",
        ),
        Option(
            "links between words",
            False,
            "The sentences come without links: only their words are known.",
        ),
        because=(
            "The loss is computed from the predictions alone, and its gradient passes through the attention "
            "weights."
        ),
    )
