"""The visitor of a page who trains a model there."""

from typing import Protocol

from core.live import TrainingQueue


class Trainee(Protocol):
    """A visitor who can train a model, with a secret key: no link has it, so no other visitor can use it."""

    @property
    def queue(self) -> TrainingQueue:
        """Return the queue in which this process trains."""

    @property
    def key(self) -> str:
        """Return the visitor's key."""

    def keep(self, *, is_there: bool) -> None:
        """Have the browser keep the key, and whether a training runs here."""

    def is_training_lost(self) -> bool:
        """Return whether the browser had a training when it connected that is not known here."""

    def refuse(self, reason: str) -> None:
        """Keep the reason of a refusal until it is shown."""

    def take_refusal(self) -> str:
        """Return the reason once; empty if there is none."""
