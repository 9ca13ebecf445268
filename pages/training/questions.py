"""What one expects of a training: what its loss compares with a target."""

from core.learning.tasks import REVIEW
from pages.contract.predict import choose
from pages.contract.question import Choose, Option


def compared_with_target(task_name: str) -> Choose | None:
    """Ask what the loss of this task compares with a target."""
    return choose(
        "What does the loss of this training compare with a target?",
        Option("the label predicted" if task_name == REVIEW.name else "the words predicted", True),
        Option(
            "the attention weights",
            False,
            "Attention has no target of its own: nobody says what a weight should be.",
        ),
        Option("links between words", False, "The loss compares nothing with such a link."),
        because=(
            "The loss is computed from the predictions alone, and its gradient passes through the attention "
            "weights."
        ),
    )
