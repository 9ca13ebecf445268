"""Progress of a training for other threads: immutable, and made of plain arrays."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int

from core.live.plan import Plan, Snapshot

State = Literal["waiting", "running", "paused", "finished", "failed"]


@dataclass(frozen=True)
class Curves:
    """The numbers of every step, the first step first; see `core.learning.training.TrainingStep`."""

    step: Int[np.ndarray, "step"]
    loss: Float[np.ndarray, "step"]
    accuracy: Float[np.ndarray, "step"]
    gradient_norm: Float[np.ndarray, "step"]
    learning_rate: Float[np.ndarray, "step"]


@dataclass(frozen=True)
class TestResult:
    """Loss in nats and accuracy of the finished model on unseen sentences."""

    loss: float
    accuracy: float


@dataclass(frozen=True, kw_only=True)
class Progress:
    """A training at one moment.

    `number` identifies the run. `place` is the number of runs before it in the queue. `per_second` counts
    examples; it and `seconds_left` are None at first. `message` says why the run failed or was stopped.
    """

    number: int
    plan: Plan
    state: State
    place: int
    curves: Curves
    snapshots: tuple[Snapshot, ...]
    per_second: float | None
    seconds_left: float | None
    tested: TestResult | None
    message: str

    @property
    def steps(self) -> int:
        return len(self.curves.step)

    @property
    def is_active(self) -> bool:
        """Whether the run continues without the visitor, now or when its turn comes."""
        return self.state in ("waiting", "running")

    @property
    def has_model(self) -> bool:
        """Whether the run rests with a model that has learned something."""
        return self.steps > 0 and self.state in ("paused", "finished")
