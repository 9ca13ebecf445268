"""The writing queue writes texts in turn, stops when told to, and writes nothing for visitors who left."""

from collections.abc import Iterator

import pytest

from core.live import generation_queue
from core.live.generation_queue import (
    AT_ONCE,
    IDLE,
    KEPT,
    GenerationProgress,
    GenerationQueue,
    TooManyTextsError,
)
from core.measures.generation.continuation import Continuation, GeneratedToken
from core.unavailable import UnavailableError
from tests.core.live.plans import wait_for


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def text_of(n: int) -> Continuation:
    return Continuation(chosen=(GeneratedToken(1, (1,), (1.0,)),) * n)


class Steps:
    """A text whose tokens are written when the test allows it."""

    def __init__(self, n: int = 5) -> None:
        self.n, self.let, self.n_begun = n, 0, 0

    def __call__(self) -> Iterator[Continuation]:
        self.n_begun += 1
        for at in range(1, self.n + 1):
            wait_for(lambda at=at: self.let >= at)  # type: ignore[misc]
            yield Continuation(chosen=text_of(at).chosen, is_whole=at == self.n)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generation_queue, "SOON", 0.0)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def queue(clock: Clock) -> Iterator[GenerationQueue]:
    made = GenerationQueue(clock=clock)
    yield made
    made.close()


def until(queue: GenerationQueue, steps: Steps, n: int, key: object = "text") -> GenerationProgress:
    """Let `n` tokens be written, and return the text then."""
    steps.let = n
    wait_for(lambda: queue.poll(key, steps).text.n_tokens >= n)
    return queue.poll(key, steps)


def test_a_text_is_there_as_far_as_it_is_written_and_begun_once(queue: GenerationQueue) -> None:
    steps = Steps()
    assert queue.poll("text", steps) == GenerationProgress()
    assert until(queue, steps, 2) == GenerationProgress(text_of(2))
    found = until(queue, steps, 5)
    assert found.state == "whole"
    assert not found.is_active
    assert steps.n_begun == 1


def test_a_stopped_text_stays_and_can_continue_to_the_same_end(
    queue: GenerationQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []
    monkeypatch.setattr(generation_queue, "give_way", lambda: written.append(1))
    steps = Steps()
    until(queue, steps, 2)
    queue.stop("text")
    steps.let = 3  # the token that was being written comes too late
    wait_for(lambda: queue._thread is None)
    assert queue.poll("text", steps) == GenerationProgress(text_of(2), "stopped")
    written.clear()
    steps.let = 1
    queue.resume("text")
    wait_for(lambda: written)
    assert queue.poll("text", steps).text.n_tokens == 2, "nothing disappears while its start is written again"
    assert until(queue, steps, 5).state == "whole"
    wait_for(lambda: len(written) == 5)  # answers come first after each token
    queue.stop("text")
    queue.resume("text")
    assert queue.poll("text", steps).state == "whole"
    queue.stop("nothing")
    queue.resume("nothing")


def test_two_texts_are_written_in_turn(queue: GenerationQueue) -> None:
    one, other = Steps(50), Steps(50)
    one.let = other.let = 50
    queue.poll("one", one)
    queue.poll("other", other)
    wait_for(lambda: queue.poll("one", one).state == "whole")
    assert queue.poll("other", other).text.n_tokens >= 45
    wait_for(lambda: queue.poll("other", other).state == "whole")


def test_an_abandoned_text_is_dropped(queue: GenerationQueue, clock: Clock) -> None:
    steps = Steps()
    until(queue, steps, 1)
    clock.now += IDLE + 1
    steps.let = 2
    wait_for(lambda: queue._thread is None)
    assert queue.poll("text", steps).text.n_tokens <= 2
    wait_for(lambda: steps.n_begun == 2)
    until(queue, steps, 5)


def test_more_texts_than_are_written_at_once_are_refused(queue: GenerationQueue) -> None:
    many = [Steps(1) for _ in range(AT_ONCE)]
    for at, steps in enumerate(many):
        queue.poll(at, steps)
    with pytest.raises(TooManyTextsError, match=f"{AT_ONCE} other texts are being written"):
        queue.poll("more", Steps())
    queue.poll(0, many[0])
    for steps in many:
        steps.let = 1
    wait_for(lambda: not any(queue.poll(at, steps).is_active for at, steps in enumerate(many)))
    steps = Steps(1)
    until(queue, steps, 1, "more")


def test_a_stopped_text_does_not_go_on_beside_too_many_others(queue: GenerationQueue) -> None:
    stopped, many = Steps(2), [Steps(1) for _ in range(AT_ONCE)]
    until(queue, stopped, 1, "stopped")
    queue.stop("stopped")
    for at, steps in enumerate(many):
        queue.poll(at, steps)
    queue.resume("stopped")
    found = queue.poll("stopped", stopped)
    assert (found.text, found.state) == (text_of(1), "failed")
    assert f"{AT_ONCE} other texts are being written" in found.message
    for steps in (stopped, *many):  # the thread may already wait for the next token of the stopped text
        steps.let = steps.n
    wait_for(lambda: not any(queue.poll(at, steps).is_active for at, steps in enumerate(many)))
    queue.resume("stopped")
    assert until(queue, stopped, 2, "stopped").state == "whole"


def test_only_the_last_viewed_texts_are_kept(queue: GenerationQueue) -> None:
    short = Steps(1)
    short.let = 1
    for at in range(KEPT + 3):
        wait_for(lambda at=at: queue.poll(at, short).state == "whole")  # type: ignore[misc]
        queue.poll(0, short)
    assert len(queue._texts) == KEPT
    assert 0 in queue._texts
    assert 1 not in queue._texts


def test_an_error_ends_one_text_and_not_the_others(queue: GenerationQueue) -> None:
    def broken() -> Iterator[Continuation]:
        yield text_of(1)
        raise ZeroDivisionError

    def damaged() -> Iterator[Continuation]:
        raise UnavailableError("{title} is damaged", title="tiny")
        yield text_of(1)

    wait_for(lambda: queue.poll("damaged", damaged).message == "tiny is damaged")
    wait_for(lambda: queue.poll("broken", broken).state == "failed")
    found = queue.poll("broken", broken)
    assert found.text == text_of(1)
    assert "ZeroDivisionError" in found.message
    assert until(queue, Steps(1), 1).state == "whole"
    queue.resume("broken")
    wait_for(lambda: queue.poll("broken", broken).state == "failed")
