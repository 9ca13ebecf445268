"""Requests of a visitor for their training, carried out before the page is drawn; and its state."""

from collections.abc import Callable
from dataclasses import dataclass

from core.live import Plan, Progress, QueueFullError
from pages.contract.ask import Trainee


@dataclass(frozen=True)
class Watched:
    """The present state of a visitor's training, if there is one.

    `refused` is why the last request was refused, shown once. `is_lost` is true if the browser had a training
    here that is not known any more. `n_before` is the number of trainings in the queue before a new one.
    """

    progress: Progress | None = None
    refused: str = ""
    is_lost: bool = False
    n_before: int = 0


@dataclass(frozen=True)
class Requests:
    """The requests of one visitor."""

    by: Trainee

    def look(self) -> Watched:
        """Return the state of the training; the browser keeps its key, and whether there is a training."""
        progress, is_lost = self.by.queue.progress(self.by.key), self.by.is_training_lost()
        self.by.keep(is_there=progress is not None)
        return Watched(progress, self.by.take_refusal(), is_lost, self.by.queue.n_ahead())

    def is_active(self) -> bool:
        """Return whether the training is running."""
        progress = self.by.queue.progress(self.by.key)
        return progress is not None and progress.is_active

    def start(self, plan: Plan) -> None:
        """Train to the end."""
        self._ask(self.by.queue.start, plan)

    def step(self, plan: Plan) -> None:
        """Train for one step."""
        self._ask(self.by.queue.step, plan)

    def pause(self) -> None:
        """Stop between two steps."""
        self.by.queue.pause(self.by.key)

    def reset(self) -> None:
        """Delete the training."""
        self.by.queue.reset(self.by.key)

    def _ask(self, request: Callable[[str, Plan], None], plan: Plan) -> None:
        try:
            request(self.by.key, plan)
        except QueueFullError as error:
            self.by.refuse(str(error))
