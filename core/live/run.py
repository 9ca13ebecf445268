"""One visitor's training on the server: takes its steps one by one and records them."""

from collections import deque
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import count
from math import isfinite
from typing import Literal

import numpy as np
from jaxtyping import Float, Int

from core.arrays import read_only
from core.learning.checkpoints import round_to_half
from core.learning.tasks import Performance
from core.learning.training import Model, Training, TrainingStep, measure
from core.live.plan import Plan, Snapshot

LATEST = 50
"""Number of steps over which the speed is averaged."""


State = Literal["waiting", "running", "paused", "finished", "failed"]


@dataclass(frozen=True)
class Curves:
    """The numbers of every step, the first step first; see `core.learning.training.TrainingStep`."""

    step: Int[np.ndarray, "step"]
    loss: Float[np.ndarray, "step"]
    accuracy: Float[np.ndarray, "step"]
    gradient_norm: Float[np.ndarray, "step"]
    learning_rate: Float[np.ndarray, "step"]


@dataclass(frozen=True, kw_only=True)
class Progress:
    """A training at one moment.

    `number` identifies the run. `place` is the number of runs before it in the queue. `per_second` counts
    examples; it and `seconds_left` are None at first. `tested` is the finished model on unseen sentences.
    `message` says why the run failed or was stopped.
    """

    number: int
    plan: Plan
    state: State
    place: int
    curves: Curves
    snapshots: tuple[Snapshot, ...]
    per_second: float | None
    seconds_left: float | None
    tested: Performance | None
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


@dataclass(frozen=True)
class TurnResult:
    """The result of one turn: a step, with snapshots if any, or the test."""

    step: TrainingStep | None = None
    snapshots: tuple[Snapshot, ...] = ()
    tested: Performance | None = None


@dataclass(eq=False)
class TrainingRun:
    """A plan in progress. The training thread calls `advance`; all else needs the queue's lock.

    `until` is the step to stop after, `seen` the last look of a visitor. `latest` is the snapshot taken while
    the run was paused, if it was paused between two planned snapshots.
    """

    plan: Plan
    until: int
    seen: float
    training: Training | None = None
    steps: list[TrainingStep] = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)
    latest: Snapshot | None = None
    seconds: deque[float] = field(default_factory=lambda: deque(maxlen=LATEST))
    tested: Performance | None = None
    failed: bool = False
    message: str = ""
    number: int = field(default_factory=count(1).__next__)

    def advance(self) -> TurnResult:
        """Take the next step, or test the final model; raises ArithmeticError if the loss diverges."""
        snapshots = []
        if self.training is None:
            self.training = self.plan.begin()
            snapshots.append(self.plan.snapshot(self.training))
        step = next(self.training.steps(), None)
        if step is None:
            return TurnResult(tested=measure(self.copy(), self.plan.task))
        if not isfinite(step.loss) or not isfinite(step.gradient_norm):
            raise ArithmeticError("in the next step the loss or its gradient is no longer finite")
        if self.training.step in self.plan.recorded:
            snapshots.append(self.plan.snapshot(self.training))
        return TurnResult(step, tuple(snapshots))

    def note(self, done: TurnResult, seconds: float) -> None:
        """Record the result of a turn, and the seconds from its beginning to the next one's."""
        if done.step is not None:
            self.steps.append(done.step)
            self.seconds.append(seconds)
        self.snapshots.extend(done.snapshots)
        self.tested = done.tested or self.tested

    def catch_up(self) -> None:
        """Take a snapshot after the latest step, and drop the one of the previous pause."""
        if self.training is not None and self.training.step > self._recorded()[-1].step:
            self.latest = self.plan.snapshot(self.training)

    def _recorded(self) -> tuple[Snapshot, ...]:
        """Return the planned snapshots, and the one of a pause if it is the latest."""
        if self.latest is None or self.latest.step <= self.snapshots[-1].step:
            return tuple(self.snapshots)
        return (*self.snapshots, self.latest)

    @property
    def has_arrived(self) -> bool:
        """Whether all requested steps, and the test after the last, are done."""
        taken = len(self.steps)
        return taken >= self.until and (taken < self.plan.recipe.steps or self.tested is not None)

    def copy(self) -> Model:
        """Return a copy of the model as saving and loading would give it; between two steps only."""
        assert self.training is not None
        return round_to_half(deepcopy(self.training.model)).eval().requires_grad_(False)

    def progress(self, place: int | None) -> Progress:
        """Return the progress so far; `place` is the run's place in the queue, if any."""
        mean = sum(self.seconds) / len(self.seconds) if self.seconds else None
        recipe = self.plan.recipe
        return Progress(
            number=self.number,
            plan=self.plan,
            state=self._state(place),
            place=place or 0,
            curves=_curves(self.steps),
            snapshots=self._recorded(),
            per_second=recipe.batch_size / mean if mean else None,
            seconds_left=(recipe.steps - len(self.steps)) * mean if mean else None,
            tested=self.tested,
            message=self.message,
        )

    def _state(self, place: int | None) -> State:
        if self.failed:
            return "failed"
        if place is not None:
            return "waiting" if place else "running"
        return "finished" if self.tested else "paused"


def _curves(steps: list[TrainingStep]) -> Curves:
    columns = ("loss", "accuracy", "gradient_norm", "learning_rate")
    numbers = [read_only(np.array([getattr(step, name) for step in steps], np.float32)) for name in columns]
    return Curves(read_only(np.array([step.step for step in steps], np.int32)), *numbers)
