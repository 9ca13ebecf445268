"""What a visitor can ask of their training, carried out before the page answers; and how it is."""

from collections.abc import Callable
from dataclasses import dataclass

from core.live import Plan, Progress, TooManyRunsError
from pages.contract.trainee import Trainee


@dataclass(frozen=True)
class Watched:
    """A visitor's training as it is now, if there is one.

    `refused` is why the last request was not granted, said once; `is_lost` where the browser had a training
    here, of which nobody knows. `n_before` trainings of others come first for who starts one now.
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
        """Return how the training is; the browser keeps whose it is, and whether there is one."""
        progress, is_lost = self.by.slot.look(self.by.key), self.by.is_training_lost()
        self.by.keep(is_there=progress is not None)
        return Watched(progress, self.by.take_refusal(), is_lost, self.by.slot.n_before())

    def is_active(self) -> bool:
        """Return whether the training goes on by itself."""
        progress = self.by.slot.look(self.by.key)
        return progress is not None and progress.is_active

    def start(self, plan: Plan) -> None:
        """Train to the end."""
        self._ask(self.by.slot.start, plan)

    def step(self, plan: Plan) -> None:
        """Train for one step."""
        self._ask(self.by.slot.step, plan)

    def pause(self) -> None:
        """Stop between two steps."""
        self.by.slot.pause(self.by.key)

    def reset(self) -> None:
        """Put the training away."""
        self.by.slot.reset(self.by.key)

    def _ask(self, request: Callable[[str, Plan], None], plan: Plan) -> None:
        try:
            request(self.by.key, plan)
        except TooManyRunsError as error:
            self.by.refuse(str(error))
