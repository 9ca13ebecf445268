"""The training slot of this process: the run in it, the queue, and the training thread."""

import logging
import time
from collections.abc import Callable
from threading import Condition, Thread
from typing import TypeVar

from core.device import give_up
from core.learning.training import Model
from core.live.plan import Plan
from core.live.progress import Progress
from core.live.run import Done, Run
from core.priority import give_way

IDLE = 180.0
"""Seconds without a look after which a run makes room for waiting ones."""

KEPT = 16
"""Greatest number of runs kept, the latest of each visitor."""

PATIENCE = 30.0
"""Greatest number of seconds for which a request waits for the present step."""

PUT_ASIDE = (
    "Nobody had this page open for some minutes while others were waiting, so the training was paused."
)

KILLED = "The training was interrupted on the server. Begin again: it takes the same steps."
GPU_FAILED = "The GPU has failed. Begin again: the training takes the same steps on the CPU."

T = TypeVar("T")

log = logging.getLogger(__name__)


class TooManyRunsError(Exception):
    """There is no room for one more run."""


class Slot:
    """One run at a time, the first of the queue; each visitor, known by a key, has one run at most.

    One lock guards all but the training itself, which only the thread touches; what `look` gives out is
    immutable. `clock` counts seconds.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Condition()
        self._runs: dict[str, Run] = {}
        self._queue: list[Run] = []
        self._advancing: Run | None = None
        self._thread: Thread | None = None

    def start(self, owner: str, plan: Plan) -> None:
        """Train `plan` to its end, resuming the owner's run of it; raises TooManyRunsError."""
        with self._lock:
            run = self._run_of(owner, plan)
            run.until = plan.recipe.steps
            self._line_up(run)

    def step(self, owner: str, plan: Plan) -> None:
        """Train `plan` for one more step; raises TooManyRunsError."""
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

    def close(self) -> None:
        """Forget all runs and wait for the thread: a process that exits during a computation aborts."""
        with self._lock:
            self._runs.clear()
            self._queue.clear()
            thread = self._thread
        if thread is not None:
            thread.join(timeout=PATIENCE)

    def look(self, owner: str) -> Progress | None:
        """Return the progress of the owner's run, up to date if at rest, and note that somebody looked."""
        with self._lock:
            run = self._runs.get(owner)
            if run is None:
                return None
            run.seen = self._clock()
            self._keep_working()
            if self._rests(run):
                self._computed(run, run.catch_up)
            return run.progress(self._queue.index(run) if run in self._queue else None)

    def model(self, owner: str) -> Model | None:
        """Return a copy of the owner's present model; None while it trains or if there is none."""
        with self._lock:
            run = self._runs.get(owner)
            if run is None or run.training is None or run.failed or run in self._queue:
                return None
            self._withdraw(run)
            return self._computed(run, lambda: run.copy().cpu())

    def _rests(self, run: Run) -> bool:
        """Return whether the run is between two steps and not in the queue."""
        return not run.failed and run not in self._queue and run is not self._advancing

    def _computed(self, run: Run, compute: Callable[[], T]) -> T | None:
        """Return `compute` on the run's model; None if its GPU has failed."""
        try:
            return compute()
        except RuntimeError as error:
            if not give_up(error):
                raise
            run.failed, run.message = True, GPU_FAILED
            return None

    def _run_of(self, owner: str, plan: Plan) -> Run:
        run = self._runs.get(owner)
        if run is None or run.plan != plan or run.failed:
            if run is not None:
                self._withdraw(run)
            else:
                self._make_room()
            run = self._runs[owner] = Run(plan, until=0, seen=self._clock())
        run.message = ""
        return run

    def _make_room(self) -> None:
        idle = sorted((run.seen, owner) for owner, run in self._runs.items() if run not in self._queue)
        if len(self._runs) >= KEPT:
            if not idle:
                others = (
                    "1 other visitor trains or waits" if KEPT == 1 else f"{KEPT} other visitors train or wait"
                )
                raise TooManyRunsError(f"{others} already: try again in some minutes.")
            del self._runs[idle[0][1]]

    def _line_up(self, run: Run) -> None:
        run.seen = self._clock()
        if run not in self._queue and not run.has_arrived:
            self._queue.append(run)
        self._keep_working()

    def _keep_working(self) -> None:
        """Start a thread if there is work and none is alive; the run of a dead thread has failed."""
        if self._thread is not None and self._thread.is_alive():
            return
        if self._advancing is not None:
            self._record_failure(self._advancing, KILLED)
        if self._queue:
            self._thread = Thread(target=self._work, name="training", daemon=True)
            self._thread.start()

    def _withdraw(self, run: Run) -> None:
        """Take `run` out of the queue and wait for its present step to end."""
        if run in self._queue:
            self._queue.remove(run)
        self._lock.wait_for(lambda: self._advancing is not run, timeout=PATIENCE)

    def _work(self) -> None:
        while (run := self._next()) is not None:
            begun = time.perf_counter()
            done = self._advance(run)
            give_way()
            self._record(run, done, time.perf_counter() - begun)

    def _next(self) -> Run | None:
        with self._lock:
            while len(self._queue) > 1 and self._clock() - self._queue[0].seen > IDLE:
                self._queue.pop(0).message = PUT_ASIDE
            self._advancing = self._queue[0] if self._queue else None
            if self._advancing is None:
                self._thread = None
            return self._advancing

    def _advance(self, run: Run) -> Done | str:
        try:
            return run.advance()
        except ArithmeticError as error:
            return f"The training diverged: {error}. A lower learning rate may help, and so may layer norm."
        except BaseException as error:  # an error ends only this training, not the thread
            if give_up(error):
                return GPU_FAILED
            log.exception("a training on the page failed")
            return f"An error ended the training: {type(error).__name__}. The server's log says more."

    def _record(self, run: Run, done: Done | str, seconds: float) -> None:
        with self._lock:
            if isinstance(done, str):
                self._record_failure(run, done)
                return
            run.note(done, seconds)
            self._advancing = None
            if run in self._queue and run.has_arrived:
                self._queue.remove(run)
            self._lock.notify_all()

    def _record_failure(self, run: Run, why: str) -> None:
        run.failed, run.message, self._advancing = True, why, None
        if run in self._queue:
            self._queue.remove(run)
        self._lock.notify_all()
