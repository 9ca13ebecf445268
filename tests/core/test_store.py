"""One store has one bound in bytes for the results of all functions, and the process is within its own."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import numpy as np
import pytest
import torch

from core import store as module
from core.memory import MB
from core.store import LEAST_RESULTS, MOST_RESULTS, ProcessMemory, ResultCache, cached
from tests.covering import each


class Process:
    """A made-up process whose memory is 100 MB and what its store holds."""

    def __init__(self, bound: int, others: int = 100 * MB) -> None:
        self.others, self.freed, self.coming, self.n_given_back, self.now = others, 0, 0, 0, 0.0
        self.store = ResultCache(
            ProcessMemory(lambda: bound, self.resident, self.give_back, lambda: self.now)
        )

    def resident(self) -> int:
        return self.others + self.freed + self.coming + self.store.held

    def take(self, key: Any, n: int) -> np.ndarray:
        """Return a result of `n` MB from the store."""
        self.coming = n * MB
        found = self.store.take(key, lambda: np.zeros(n * MB, dtype=np.uint8))
        self.coming = 0
        return found

    def kept(self, *keys: Any) -> list[Any]:
        """Return the keys with a result in the store; looking does not count as use."""
        return [key for key in keys if key in self.store._results]

    def give_back(self) -> None:
        self.n_given_back += 1
        self.freed = 0


class Exporter:
    """A neighbour that holds memory until it is ended."""

    def __init__(self, n_bytes: int, busy: bool = False) -> None:
        self.n_bytes, self.busy = n_bytes, busy

    def memory(self) -> int:
        return self.n_bytes

    def end_if_idle(self) -> None:
        self.n_bytes *= self.busy


@pytest.fixture
def of_300() -> Process:
    """A process in which 200 MB of results have room."""
    return Process(300 * MB)


def test_the_least_recently_used_result_of_all_functions_leaves(of_300: Process) -> None:
    reading, figure, model, table = [(name, 1) for name in ("reading", "figure", "model", "table")]
    for key in (reading, figure, model, reading, table):
        of_300.take(key, 60)
    assert of_300.kept(reading, figure, model, table) == [reading, model, table]
    of_300.take("large", 100)
    assert of_300.kept(reading, figure, model, table, "large") == [table, "large"]
    assert 160 * MB <= of_300.store.held <= 161 * MB
    assert of_300.take("larger than the room", 201).nbytes == 201 * MB
    assert of_300.kept(table, "large", "larger than the room") == [table, "large"]
    of_300.store.make_room(coming=90 * MB)
    assert of_300.kept(table, "large") == ["large"]


def test_memory_beside_the_results_takes_their_room() -> None:
    process = Process(500 * MB)
    for key in range(3):
        process.take(key, 100)
    process.others += 150 * MB  # a model is loaded
    process.store.make_room()
    assert process.kept(0, 1, 2) == [1, 2]
    process.others += 1000 * MB
    process.store.make_room()
    assert process.kept(0, 1, 2) == [], "one alone is more than the least that results may hold"
    process.take("small", 50)
    assert process.kept("small") == ["small"], "a class looks at one page, however little memory there is"


def test_freed_memory_is_returned_to_the_system_before_a_result_leaves(of_300: Process) -> None:
    of_300.take(0, 100)
    of_300.freed = 150 * MB
    of_300.take(1, 50)
    assert of_300.kept(0, 1) == [0, 1]
    assert of_300.n_given_back == 1
    of_300.take(2, 90)
    assert of_300.kept(0, 1, 2) == [1, 2]
    assert of_300.n_given_back == 1, "not twice in a second"
    of_300.now += 1
    of_300.take(3, 90)
    assert of_300.n_given_back == 2


def test_the_browser_that_draws_counts_and_ends_only_if_results_have_no_room_beside_it() -> None:
    process, exporter = Process(900 * MB), Exporter(600 * MB)
    process.store.process.neighbours.append(exporter)
    for key in range(3):
        process.take(key, 90)
    assert process.kept(0, 1, 2) == [1, 2]
    assert exporter.n_bytes, "there is room for some results"
    process.others += 150 * MB
    process.store.make_room()
    assert exporter.n_bytes == 0
    assert process.kept(0, 1, 2) == [1, 2]
    process.store.process.neighbours.append(busy := Exporter(600 * MB, busy=True))
    process.take(3, 60)
    assert (busy.n_bytes, process.kept(3)) == (600 * MB, [3]), "one that is drawing goes on"


@each(
    ("bound", "resident", "room"),
    [
        (None, 700 * MB, MOST_RESULTS),
        (1000 * MB, None, 300 * MB),
        (1000 * MB, 500 * MB, 600 * MB),
        (1000 * MB, 990 * MB, 110 * MB),
        (1000 * MB, 1300 * MB, LEAST_RESULTS),
    ],
)
def test_results_have_the_rest_of_the_bound_within_limits(
    bound: int | None, resident: int | None, room: int
) -> None:
    process = ProcessMemory(lambda: bound, lambda: resident, lambda: None)
    assert process.room(100 * MB) == room


def test_a_model_may_take_free_memory_and_the_memory_of_results(monkeypatch: pytest.MonkeyPatch) -> None:
    process = Process(500 * MB)
    monkeypatch.setattr(module, "STORE", process.store)
    module.STORE.put("reading", np.zeros(300 * MB, dtype=np.uint8))
    monkeypatch.setattr(module.memory, "free_memory", lambda: 999 * MB)
    assert module.free_memory() == 400 * MB - LEAST_RESULTS
    monkeypatch.setattr(module.memory, "free_memory", lambda: 7 * MB)
    assert module.free_memory() == 7 * MB
    monkeypatch.setattr(module, "STORE", Process(50 * MB).store)
    assert module.free_memory() == 0


def test_a_request_for_a_result_in_work_waits_for_it_and_for_no_other(of_300: Process) -> None:
    store = of_300.store
    has_begun, may_end = Event(), Event()
    made = []

    def slow() -> str:
        made.append("slow")
        has_begun.set()
        assert may_end.wait(10)
        return "result"

    with ThreadPoolExecutor() as visitors:
        first = visitors.submit(store.take, "slow", slow)
        assert has_begun.wait(10)
        second = visitors.submit(store.take, "slow", slow)
        assert store.take("other", lambda: 7) == 7
        may_end.set()
        assert [first.result(), second.result()] == ["result", "result"]
    assert made == ["slow"]
    with pytest.raises(ZeroDivisionError):
        store.take("failed", lambda: 1 // 0)
    assert store.take("failed", lambda: 7) == 7, "it is computed again"


def test_a_function_keeps_its_own_results_for_each_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STORE", Process(300 * MB).store)
    devices, made = [torch.device("cpu")], []
    monkeypatch.setattr(module, "choose_device", lambda: devices[0])

    @cached
    def once(word: str, *, times: int = 1) -> str:
        made.append(word)
        return word * times

    @cached
    def twice(word: str, *, times: int = 1) -> str:
        return 2 * word * times

    assert [once("a"), once("a"), twice("a"), once("a", times=3)] == ["a", "a", "aa", "aaa"]
    assert made == ["a", "a"]
    devices[0] = torch.device("cuda")
    once("a")
    assert made == ["a", "a", "a"], "results on a failed GPU are lost"
    once.cache_clear()  # type: ignore[attr-defined]
    once("a")
    assert made == ["a", "a", "a", "a"]
