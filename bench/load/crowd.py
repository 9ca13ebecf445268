"""So many students at once: they open the link one after the other, act, and stop."""

import asyncio
import gc
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from bench.load.address import Address, own_address
from bench.load.asking import LONGEST_ANSWER
from bench.load.journey import Journey
from bench.load.processes import Processes
from bench.load.records import Records
from bench.load.session import Pace, Session
from bench.load.visit import Visitor


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a class does: all seconds, but `mix` and `follows` as in `Journey`.

    The links are opened evenly over `opening`; then everybody acts for `acting`. A sentence is typed with
    so many `pauses`, each of which the app answers. A lecture hall has `one_address` for all, as a rule.
    """

    opening: float = 30
    acting: float = 60
    between: float = 10
    mix: str = "mixed"
    follows: bool = False
    pauses: int = 0
    one_address: bool = True
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What one class came to. Processor time in milliseconds, memory in megabytes."""

    n_sessions: int
    seconds: float
    records: Records = field(repr=False)
    cpu: float
    cpu_generator: float
    memory_before: float
    memory_after: float

    @property
    def cpu_of_an_act(self) -> float:
        """Milliseconds that the server worked for one act, first pages and their files among them."""
        return self.cpu / max(len(self.records.acts), 1)

    @property
    def memory_of_a_session(self) -> float:
        """Megabytes that the server has grown by for each session, shared caches included."""
        return (self.memory_after - self.memory_before) / self.n_sessions


async def crowd(
    server: Address, n_sessions: int, plan: Plan, processes: Processes | None, files: Sequence[str] | None
) -> Measured:
    """Let `n_sessions` students act by `plan`. Ends by itself: nobody waits longer than for one answer."""
    gc.freeze()  # the generator shares the processors: what stays need not be looked through
    records, begun = Records(), time.perf_counter()
    cpu, own, memory = _cpu(processes), time.process_time(), _megabytes(processes)
    pace = Pace(plan.between, begun, begun + plan.opening + plan.acting)
    at_the_end = asyncio.create_task(_memory_at_the_end(processes, pace))
    await _until_all_have_left(
        [_arriving(server, i, n_sessions, plan, pace, records, files) for i in range(n_sessions)],
        records,
        seconds=plan.opening + plan.acting + 2 * LONGEST_ANSWER,
    )
    return Measured(
        n_sessions=n_sessions,
        memory_before=memory,
        memory_after=await at_the_end,
        seconds=time.perf_counter() - begun,
        records=records,
        cpu=_cpu(processes) - cpu,
        cpu_generator=1000 * (time.process_time() - own),
    )


async def _arriving(
    server: Address,
    number: int,
    n_sessions: int,
    plan: Plan,
    pace: Pace,
    records: Records,
    files: Sequence[str] | None,
) -> None:
    random = Random(f"{plan.seed} {number}")
    visitor = Visitor(server, None if plan.one_address else own_address(number))
    journey = Journey(random, mix=plan.mix, follows=plan.follows, pauses=plan.pauses)
    await asyncio.sleep(plan.opening * number / n_sessions)
    await Session(visitor, journey, records, files=files).run(pace)


async def _until_all_have_left(sessions: Sequence[object], records: Records, *, seconds: float) -> None:
    """Run them, and end those that have not ended by then: they are lost."""
    tasks = [asyncio.ensure_future(session) for session in sessions]  # type: ignore[call-overload]
    ended, hanging = await asyncio.wait(tasks, timeout=seconds)
    for task in hanging:
        task.cancel()
        records.lost["has not ended by itself"] += 1
    await asyncio.gather(*hanging, return_exceptions=True)
    for task in ended:
        task.result()  # an error of the generator's own is raised here, and not taken for one of the server


async def _memory_at_the_end(processes: Processes | None, pace: Pace) -> float:
    """Megabytes just before everybody leaves."""
    await asyncio.sleep(max(pace.end - time.perf_counter() - 1, 0))
    return _megabytes(processes)


def _cpu(processes: Processes | None) -> float:
    return processes.cpu() if processes else float("nan")


def _megabytes(processes: Processes | None) -> float:
    return processes.megabytes() if processes else float("nan")
