"""What the page Training asks before it has trained anything."""

from core.learning.tasks import REVIEW, TASKS
from pages.contract.question import solution
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.questions.read import reasons


@each(
    ("task", "mask"),
    [
        (name, mask)
        for name, task in TASKS.items()
        for mask in ("causal", "bidirectional")
        if mask in task.masks
    ],
)
def test_the_loss_compares_what_the_task_predicts(task: str, mask: str) -> None:
    (asked,) = Asked("training", mask=mask, task=task).questions
    assert solution(asked) == ("the label predicted" if task == REVIEW.name else "the words predicted")
    assert reasons(asked)["links between words"] == "The loss compares nothing with such a link."
