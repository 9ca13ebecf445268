"""Tasks that a model can learn."""

from core.learning.tasks.classification import CLASSIFICATION
from core.learning.tasks.recall import RECALL
from core.learning.tasks.task import IGNORED, Batch, NextWordBatch, Performance, Task, chance
from core.learning.tasks.translation import TRANSLATION, PairBatch
from core.learning.tasks.words import AGREEMENT, MASKED_WORD, NEXT_WORD, REVIEW

TASKS = {task.name: task for task in (NEXT_WORD, MASKED_WORD, AGREEMENT, RECALL, REVIEW)}

__all__ = [
    "AGREEMENT",
    "CLASSIFICATION",
    "IGNORED",
    "MASKED_WORD",
    "NEXT_WORD",
    "RECALL",
    "REVIEW",
    "TASKS",
    "TRANSLATION",
    "Batch",
    "NextWordBatch",
    "PairBatch",
    "Performance",
    "Task",
    "chance",
]
