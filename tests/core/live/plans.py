"""Trainings small enough for a test, queues that end with it, and a training with steps on demand."""

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from threading import Semaphore

import pytest

from core.learning.training import Recipe, measure
from core.live import Plan, Progress, TrainingQueue
from core.live.run import TrainingRun, TurnResult
from core.model.config import ModelConfig

LONGEST_WAIT = 60.0


def plan(*, steps: int = 6, seed: int = 3, rate: float = 0.01, **fields: object) -> Plan:
    architecture = ModelConfig(vocab_size=1, **{"n_heads": 2, **fields})
    recipe = Recipe(steps=steps, batch_size=2, learning_rate=rate, warm_up=2, seed=seed)
    return Plan(architecture=architecture, task_name="recall", recipe=recipe)


@pytest.fixture
def queues_closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """End all trainings with the test, also if it fails: a thread left behind aborts Python."""
    queues: list[TrainingQueue] = []
    begin = TrainingQueue.__init__

    def remembered(queue: TrainingQueue, **settings: Callable[[], float]) -> None:
        queues.append(queue)
        begin(queue, **settings)

    monkeypatch.setattr(TrainingQueue, "__init__", remembered)
    yield
    for queue in queues:
        queue.close()
    assert "training" not in [thread.name for thread in threading.enumerate()]


@pytest.fixture
def measured_briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evaluate trained models quickly: these tests are not about their quality."""
    monkeypatch.setattr("core.live.run.measure", partial(measure, n_batches=2, size=7))


def wait_for(is_so: Callable[[], object]) -> None:
    """Return once a condition holds; fail if it takes too long."""
    begun = time.monotonic()
    while not is_so():
        assert time.monotonic() - begun < LONGEST_WAIT, "the condition does not hold in time"
        time.sleep(0.002)


def seen(queue: TrainingQueue, owner: str) -> Progress:
    progress = queue.progress(owner)
    assert progress is not None
    return progress


def wait_until(queue: TrainingQueue, owner: str, state: str) -> Progress:
    """Return the owner's progress, once it is in this state."""
    wait_for(lambda: seen(queue, owner).state == state)
    return seen(queue, owner)


def finished(one: Plan) -> TrainingQueue:
    """Return a queue in which the run of "me" has come to the end of this plan."""
    queue = TrainingQueue()
    queue.start("me", one)
    wait_until(queue, "me", "finished")
    return queue


class Turnstile:
    """A gate that lets the thread of a queue take some turns; `waiting` tells that it wants another."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._turns = Semaphore(0)
        self.arrived: list[TrainingRun] = []
        advance = TrainingRun.advance

        def in_turn(run: TrainingRun) -> TurnResult:
            self.arrived.append(run)
            assert self._turns.acquire(timeout=LONGEST_WAIT)
            return advance(run)

        monkeypatch.setattr(TrainingRun, "advance", in_turn)

    def let(self, n_turns: int) -> None:
        """Let some turns through, and wait until the thread stands at the next one."""
        self.wait_for_next()
        target = len(self.arrived) + n_turns
        self._turns.release(n_turns)
        wait_for(lambda: len(self.arrived) >= target)

    def wait_for_next(self) -> None:
        """Wait until the thread is in a turn."""
        wait_for(lambda: self.arrived)

    def open(self) -> None:
        """Let everything through from now on."""
        self._turns.release(10_000)


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> Iterator[Turnstile]:
    """A turnstile before every step of every queue, opened when the test is over."""
    turnstile = Turnstile(monkeypatch)
    yield turnstile
    turnstile.open()
