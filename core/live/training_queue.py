"""The training queue of this process: all kept runs, those in the queue, and the training threads."""

import logging
import time
from collections.abc import Callable, Mapping
from threading import Condition, Thread, current_thread
from typing import TypeVar

from core.device import fall_back_to_cpu
from core.learning.training import Model
from core.live.plan import Plan
from core.live.run import Progress, TrainingRun, TurnResult
from core.priority import give_way

IDLE = 180.0
"""Seconds without a look after which a run makes room for waiting ones."""

AT_ONCE, KEPT = 1, 16
"""Greatest numbers of runs that train at once and that are kept, the latest of each visitor, by default."""

AT_ONCE_SETTING, KEPT_SETTING = "ATTENTION_LAB_TRAININGS_AT_ONCE", "ATTENTION_LAB_TRAININGS_KEPT"
MOST_AT_ONCE, MOST_KEPT = 64, 1000
"""The variables by which an operator sets these, and their largest values."""

PATIENCE = 30.0
"""Greatest number of seconds for which a request waits for the present step."""

PUT_ASIDE = (
    "Nobody had this page open for some minutes while others were waiting, so the training was paused."
)

KILLED = "The training was interrupted on the server. Begin again: it takes the same steps."
GPU_FAILED = "The GPU has failed. Begin again: the training takes the same steps on the CPU."

T = TypeVar("T")

log = logging.getLogger(__name__)


class QueueFullError(Exception):
    """There is no room for one more run."""


class TrainingQueue:
    """The first `at_once` runs of the queue train; each visitor, known by a key, has one run at most.

    One lock guards all but the training itself, which only its thread touches; what `progress` gives out is
    immutable. At most `kept` runs are kept. `clock` counts seconds.
    """

    def __init__(
        self,
        *,
        at_once: int | None = None,
        kept: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock, self._at_once, self._kept = clock, at_once or AT_ONCE, kept or KEPT
        self._lock = Condition()
        self._runs: dict[str, TrainingRun] = {}
        self._queue: list[TrainingRun] = []
        self._working: dict[Thread, TrainingRun | None] = {}
        """The threads, each with the run whose step it is taking."""

    def start(self, owner: str, plan: Plan) -> None:
        """Train `plan` to its end, resuming the owner's run of it; raises QueueFullError."""
        with self._lock:
            run = self._run_of(owner, plan)
            run.until = plan.recipe.steps
            self._line_up(run)

    def step(self, owner: str, plan: Plan) -> None:
        """Train `plan` for one more step; raises QueueFullError."""
        with self._lock:
            run = self._run_of(owner, plan)
            if run not in self._queue:
                run.until = min(len(run.steps) + 1, plan.recipe.steps)
                self._line_up(run)

    def pause(self, owner: str) -> None:
        """Leave the queue and wait until no step is being taken. Does nothing without a run."""
        with self._lock:
            run = self._runs.get(owner)
            if run is not None:
                self._withdraw(run)

    def reset(self, owner: str) -> None:
        with self._lock:
            run = self._runs.pop(owner, None)
            if run is not None:
                self._withdraw(run)

    def counts(self) -> dict[str, int]:
        """Return how many runs are in the queue and how many rest."""
        with self._lock:
            n_queued = len(self._queue)
            return {"queued": n_queued, "resting": len(self._runs) - n_queued}

    def close(self) -> None:
        """Forget all runs and wait for the thread: a process that exits during a computation aborts."""
        with self._lock:
            self._runs.clear()
            self._queue.clear()
            threads = list(self._working)
        for thread in threads:
            thread.join(timeout=PATIENCE)

    def progress(self, owner: str) -> Progress | None:
        """Return the progress of the owner's run, up to date if at rest, and note that somebody looked."""
        with self._lock:
            run = self._runs.get(owner)
            if run is None:
                return None
            run.seen = self._clock()
            self._keep_working()
            if run in self._queue:
                return run.progress(max(0, self._queue.index(run) - self._at_once + 1))
            if not run.failed and run not in self._working.values():
                self._computed(run, run.catch_up)
            return run.progress(None)

    def n_ahead(self) -> int:
        """Return how many runs would come before a new run."""
        with self._lock:
            return max(0, len(self._queue) - self._at_once + 1)

    def model(self, owner: str) -> Model | None:
        """Return a copy of the owner's present model; None while it trains or if there is none."""
        with self._lock:
            run = self._runs.get(owner)
            if run is None or run.training is None or run.failed or run in self._queue:
                return None
            self._withdraw(run)
            return self._computed(run, lambda: run.copy().cpu())

    def _computed(self, run: TrainingRun, compute: Callable[[], T]) -> T | None:
        """Return `compute` on the run's model; None if its GPU has failed."""
        try:
            return compute()
        except RuntimeError as error:
            if not fall_back_to_cpu(error):
                raise
            run.failed, run.message = True, GPU_FAILED
            return None

    def _run_of(self, owner: str, plan: Plan) -> TrainingRun:
        run = self._runs.get(owner)
        if run is None or run.plan != plan or run.failed:
            if run is not None:
                self._withdraw(run)
            else:
                self._make_room()
            run = self._runs[owner] = TrainingRun(plan, until=0, seen=self._clock())
        run.message = ""
        return run

    def _make_room(self) -> None:
        idle = sorted((run.seen, owner) for owner, run in self._runs.items() if run not in self._queue)
        if len(self._runs) >= self._kept:
            if not idle:
                n = self._kept
                others = "1 other visitor trains or waits" if n == 1 else f"{n} other visitors train or wait"
                raise QueueFullError(f"{others} already: try again in some minutes.")
            del self._runs[idle[0][1]]

    def _line_up(self, run: TrainingRun) -> None:
        run.seen = self._clock()
        if run not in self._queue and not run.has_arrived:
            self._queue.append(run)
        self._keep_working()

    def _keep_working(self) -> None:
        """Start as many threads as there is work for; the run of a killed thread has failed."""
        for thread, run in list(self._working.items()):
            if not thread.is_alive():
                del self._working[thread]
                if run is not None:
                    self._record_failure(run, KILLED)
        while len(self._working) < min(self._at_once, len(self._queue)):
            thread = Thread(target=self._work, name="training", daemon=True)
            self._working[thread] = None
            thread.start()

    def _withdraw(self, run: TrainingRun) -> None:
        """Take `run` out of the queue and wait for its present step to end."""
        if run in self._queue:
            self._queue.remove(run)
        self._lock.wait_for(lambda: run not in self._working.values(), timeout=PATIENCE)

    def _work(self) -> None:
        while (run := self._next()) is not None:
            begun = time.perf_counter()
            done = self._advance(run)
            give_way()
            self._record(run, done, time.perf_counter() - begun)

    def _next(self) -> TrainingRun | None:
        with self._lock:
            while len(self._queue) > self._at_once and self._clock() - self._queue[0].seen > IDLE:
                self._queue.pop(0).message = PUT_ASIDE
            taken = self._working.values()
            run = next((one for one in self._queue if one not in taken), None)
            if run is None:
                del self._working[current_thread()]
            else:
                self._working[current_thread()] = run
            return run

    def _advance(self, run: TrainingRun) -> TurnResult | str:
        try:
            return run.advance()
        except ArithmeticError as error:
            norm = ", and so may layer norm" * (run.plan.architecture.norm == "none")
            return f"The training diverged: {error}. A lower learning rate may help{norm}."
        except BaseException as error:  # an error ends only this training, not the thread
            if fall_back_to_cpu(error):
                return GPU_FAILED
            log.exception("a training on the page failed")
            return f"An error ended the training: {type(error).__name__}. The server's log says more."

    def _record(self, run: TrainingRun, done: TurnResult | str, seconds: float) -> None:
        with self._lock:
            if isinstance(done, str):
                self._working[current_thread()] = None
                self._record_failure(run, done)
                return
            run.note(done, seconds)
            self._working[current_thread()] = None
            if run in self._queue and run.has_arrived:
                self._queue.remove(run)
            self._lock.notify_all()

    def _record_failure(self, run: TrainingRun, why: str) -> None:
        run.failed, run.message = True, why
        if run in self._queue:
            self._queue.remove(run)
        self._lock.notify_all()


def queue_of(environment: Mapping[str, str]) -> TrainingQueue:
    """Return the queue with the operator's settings; raises ValueError for a number that cannot be."""
    return TrainingQueue(
        at_once=_whole_number(environment, AT_ONCE_SETTING, MOST_AT_ONCE),
        kept=_whole_number(environment, KEPT_SETTING, MOST_KEPT),
    )


def _whole_number(environment: Mapping[str, str], setting: str, most: int) -> int | None:
    text = environment.get(setting, "")
    if text and not (text.isdecimal() and 1 <= int(text) <= most):
        raise ValueError(f"{setting} must be a whole number from 1 to {most}, got {text!r}")
    return int(text) if text else None
