"""The plan of a training: a configuration, a task, a recipe, and a sentence to watch."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np
from jaxtyping import Bool, Float

from core.arrays import array_of
from core.device import device_of
from core.learning.checkpoints import Record
from core.learning.collection.checkpoint_store import record_of
from core.learning.collection.member_training import new_training
from core.learning.collection.members import D_MODEL, MEMBERS
from core.learning.tasks import RECALL, TASKS, Task
from core.learning.training import Recipe, Training
from core.model.config import ModelConfig
from core.model.forward import PATTERNS, forward_pass
from core.model.masks import MASKS
from core.model.models import Transformer
from core.text.language import Encoding, encode

MOST_STEPS = 5000
LARGEST_BATCH = 64
"""Limits for one visitor, because others use the machine too."""

MOST_SNAPSHOTS = 50
"""Greatest number of snapshots of the watched sentence's attention, without the first."""

WATCHED = {"recall": "d 4 k 7 a 2 k 7 d 4", "review": "not boring but the music was terrible ."}
CHEF = "the chef who went to the stores is"
"""Short sentences that show the function of a head at a glance, while the weights change."""


@dataclass(frozen=True)
class Snapshot:
    """Attention on the watched sentence after a number of steps."""

    step: int
    patterns: Float[np.ndarray, "layer head query key"]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """One training; only the switches of `architecture` count. Raises ValueError beyond the bounds."""

    architecture: ModelConfig
    task_name: str
    recipe: Recipe

    def __post_init__(self) -> None:
        for name, most in (("steps", MOST_STEPS), ("batch_size", LARGEST_BATCH)):
            if getattr(self.recipe, name) > most:
                raise ValueError(f"{name} must be at most {most}, got {getattr(self.recipe, name)}")
        if self.architecture.mask not in self.task.masks:
            raise ValueError(f"{self.task_name} cannot be learned with the {self.architecture.mask} mask")

    @property
    def task(self) -> Task:
        return TASKS[self.task_name]

    @property
    def config(self) -> ModelConfig:
        vocab_size = len(self.task.vocabulary())
        return replace(self.architecture, vocab_size=vocab_size, d_model=D_MODEL, d_mlp=None, tied=True)

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(WATCHED.get(self.task_name, CHEF).split())

    @property
    def recorded(self) -> tuple[int, ...]:
        """Steps after which a snapshot is taken: the beginning, the end, and evenly in between."""
        every = ceil(self.recipe.steps / MOST_SNAPSHOTS)
        return (*range(0, self.recipe.steps, every), self.recipe.steps)

    def allowed(self) -> Bool[np.ndarray, "query key"]:
        return MASKS[self.architecture.mask].allowed(len(self.words))[0, 0].numpy()

    def begin(self) -> Training:
        return new_training(self.config, self.task, self.recipe)

    def snapshot(self, training: Training) -> Snapshot:
        model = training.model
        assert isinstance(model, Transformer)
        tokens = encoding_of(self.task, self.words).tokens.to(device_of(model))
        return Snapshot(training.step, array_of(forward_pass(model, tokens, keep=PATTERNS).patterns()[:, 0]))

    @property
    def alike(self) -> tuple[str, ...]:
        """Names of the collection's members that were trained like this one: the first alone, or none."""
        config, task = self.config, self.task
        return tuple(m.name for m in MEMBERS.values() if m.config == config and m.task == task)[:1]

    def shipped(self) -> Record | None:
        """Return the record of the collection's model that was trained like this one, if there is one."""
        try:
            return record_of(self.alike[0]) if self.alike else None
        except OSError:
            return None


def encoding_of(task: Task, words: Sequence[str]) -> Encoding:
    """Return `words` in the vocabulary of `task`; raises KeyError for words that recall does not know."""
    return Encoding(task.vocabulary().encode(words), unknown=()) if task is RECALL else encode(words)
