"""What one expects of a real model, before it is listed."""

from pages.contract.predict import choose
from pages.contract.question import Choose, Option


def what_a_real_model_has() -> Choose | None:
    """Ask what tells a real model from the small ones of this app."""
    return choose(
        "What tells a real model from the small ones of this app?",
        Option("its sizes and its weights", True),
        Option(
            "the formula of its attention",
            False,
            "Queries, keys, softmax and sum of values are the same: our own modules run it.",
        ),
        Option(
            "attention weights that explain its predictions",
            False,
            "A large weight need not change what is predicted, however large the model.",
        ),
        because="Layers, heads and texts are more, and words come in pieces.",
    )
