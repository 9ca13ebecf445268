"""The visitor of a page as one who trains a model there."""

from typing import Protocol

from core.live import Slot


class Trainee(Protocol):
    """A visitor, whose key is in no link: nobody who opens one of theirs can touch their training."""

    @property
    def slot(self) -> Slot:
        """The place where this process trains."""

    @property
    def key(self) -> str:
        """The visitor's key."""

    def keep(self, *, is_there: bool) -> None:
        """Have the browser keep the key, and whether it has a training here."""

    def is_training_lost(self) -> bool:
        """Return whether the browser had a training when it connected, of which nobody here knows."""

    def refuse(self, reason: str) -> None:
        """Keep the reason why a request was not granted until it is said."""

    def take_refusal(self) -> str:
        """Return that reason once; empty if there is none."""
