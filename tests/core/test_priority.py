"""Long work lets answers come first, for a while, and never blocks itself."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Event

import pytest

from core import priority
from core.priority import give_way, serving_request, yield_to_requests

A_WHILE, LONG = 0.05, 30
"""Seconds in which an error would show, and after which a hang counts as one."""


@pytest.fixture
def other() -> Iterator[ThreadPoolExecutor]:
    """Another thread, at work on something long."""
    with ThreadPoolExecutor(1) as thread:
        yield thread


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """A patience that no test outlasts."""
    monkeypatch.setattr(priority, "MOST", LONG)


def _waits(work: Future[object]) -> bool:
    try:
        work.exception(timeout=A_WHILE)
    except TimeoutError:
        return True
    return False


@pytest.mark.usefixtures("endless")
def test_long_work_waits_until_every_answer_is_given(other: ThreadPoolExecutor) -> None:
    with serving_request():
        with ThreadPoolExecutor(1) as visitors:
            ends, has_begun = Event(), Event()
            second = visitors.submit(_answer, has_begun, ends)
            assert has_begun.wait(LONG)
            work = other.submit(give_way)
            assert _waits(work)
            ends.set()
            second.result(LONG)
        assert _waits(work)
    work.result(LONG)


def _answer(has_begun: Event, ends: Event) -> None:
    with serving_request():
        has_begun.set()
        assert ends.wait(LONG)


def test_long_work_goes_on_after_a_while_even_if_others_wait(
    other: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(priority, "MOST", 0.01)
    with serving_request():
        work = other.submit(give_way)
        wait([work], timeout=LONG)
        assert work.done(), "the other thread is still waiting"


@pytest.mark.usefixtures("endless")
def test_a_failed_answer_does_not_block_long_work() -> None:
    with pytest.raises(ValueError, match="no such model"), serving_request():
        raise ValueError("no such model")

    give_way()


@pytest.mark.usefixtures("endless")
def test_an_answer_that_is_long_work_waits_neither_for_itself_nor_has_others_wait(
    other: ThreadPoolExecutor,
) -> None:
    with serving_request():
        met = []
        for part in yield_to_requests("abc"):
            met.append(part)
            other.submit(give_way).result(LONG)
        assert met == ["a", "b", "c"]
        work = other.submit(give_way)
        assert _waits(work), "after that it is an answer like any other"
    work.result(LONG)
