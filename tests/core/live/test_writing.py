"""The writing desk writes texts in turn, stops when told to, and writes nothing for visitors who left."""

from collections.abc import Iterator

import pytest

from core.live import writing
from core.live.writing import AT_ONCE, IDLE, KEPT, Desk, TooManyTextsError, Writing
from core.measures.generation.going_on import Chosen, GoneOn
from core.unavailable import UnavailableError
from tests.core.live.plans import wait_for


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def text_of(n: int) -> GoneOn:
    return GoneOn(chosen=(Chosen(1, (1,), (1.0,)),) * n)


class Steps:
    """A text whose tokens are written when the test allows it."""

    def __init__(self, n: int = 5) -> None:
        self.n, self.let, self.n_begun = n, 0, 0

    def __call__(self) -> Iterator[GoneOn]:
        self.n_begun += 1
        for at in range(1, self.n + 1):
            wait_for(lambda at=at: self.let >= at)  # type: ignore[misc]
            yield GoneOn(chosen=text_of(at).chosen, is_whole=at == self.n)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "SOON", 0.0)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(clock: Clock) -> Iterator[Desk]:
    made = Desk(clock=clock)
    yield made
    made.close()


def until(desk: Desk, steps: Steps, n: int, key: object = "text") -> Writing:
    """Let `n` tokens be written, and return the text then."""
    steps.let = n
    wait_for(lambda: desk.look(key, steps).text.n_tokens >= n)
    return desk.look(key, steps)


def test_a_text_is_there_as_far_as_it_is_written_and_begun_once(desk: Desk) -> None:
    steps = Steps()
    assert desk.look("text", steps) == Writing()
    assert until(desk, steps, 2) == Writing(text_of(2))
    found = until(desk, steps, 5)
    assert found.state == "whole"
    assert not found.is_active
    assert steps.n_begun == 1


def test_a_stopped_text_stays_and_can_continue_to_the_same_end(desk: Desk) -> None:
    steps = Steps()
    until(desk, steps, 2)
    desk.stop("text")
    steps.let = 3  # the token that was being written comes too late
    wait_for(lambda: desk._thread is None)
    assert desk.look("text", steps) == Writing(text_of(2), "stopped")
    desk.go_on("text")
    assert desk.look("text", steps).text.n_tokens >= 2, "nothing disappears"
    assert until(desk, steps, 5).state == "whole"
    desk.stop("text")
    desk.go_on("text")
    assert desk.look("text", steps).state == "whole"
    desk.stop("nothing")
    desk.go_on("nothing")


def test_two_texts_are_written_in_turn(desk: Desk) -> None:
    one, other = Steps(50), Steps(50)
    one.let = other.let = 50
    desk.look("one", one)
    desk.look("other", other)
    wait_for(lambda: desk.look("one", one).state == "whole")
    assert desk.look("other", other).text.n_tokens >= 45
    wait_for(lambda: desk.look("other", other).state == "whole")


def test_it_gives_way_after_each_token(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []
    monkeypatch.setattr(writing, "give_way", lambda: given.append(1))
    steps = Steps()
    until(desk, steps, 5)
    wait_for(lambda: len(given) >= 5)
    assert len(given) == 5


def test_an_abandoned_text_is_dropped(desk: Desk, clock: Clock) -> None:
    steps = Steps()
    until(desk, steps, 1)
    clock.now += IDLE + 1
    steps.let = 2
    wait_for(lambda: desk._thread is None)
    assert desk.look("text", steps).text.n_tokens <= 2
    wait_for(lambda: steps.n_begun == 2)
    until(desk, steps, 5)


def test_more_texts_than_are_written_at_once_are_refused(desk: Desk) -> None:
    many = [Steps(1) for _ in range(AT_ONCE)]
    for at, steps in enumerate(many):
        desk.look(at, steps)
    with pytest.raises(TooManyTextsError, match=f"{AT_ONCE} other texts are being written"):
        desk.look("more", Steps())
    desk.look(0, many[0])
    for steps in many:
        steps.let = 1
    wait_for(lambda: not any(desk.look(at, steps).is_active for at, steps in enumerate(many)))
    steps = Steps(1)
    until(desk, steps, 1, "more")


def test_a_stopped_text_does_not_go_on_beside_too_many_others(desk: Desk) -> None:
    stopped, many = Steps(2), [Steps(1) for _ in range(AT_ONCE)]
    until(desk, stopped, 1, "stopped")
    desk.stop("stopped")
    for at, steps in enumerate(many):
        desk.look(at, steps)
    desk.go_on("stopped")
    found = desk.look("stopped", stopped)
    assert (found.text, found.state) == (text_of(1), "failed")
    assert f"{AT_ONCE} other texts are being written" in found.message
    for steps in many:
        steps.let = 1
    wait_for(lambda: not any(desk.look(at, steps).is_active for at, steps in enumerate(many)))
    desk.go_on("stopped")
    assert until(desk, stopped, 2, "stopped").state == "whole"


def test_only_the_last_viewed_texts_are_kept(desk: Desk) -> None:
    short = Steps(1)
    short.let = 1
    for at in range(KEPT + 3):
        wait_for(lambda at=at: desk.look(at, short).state == "whole")  # type: ignore[misc]
        desk.look(0, short)
    assert len(desk._texts) == KEPT
    assert 0 in desk._texts
    assert 1 not in desk._texts


def test_an_error_ends_one_text_and_not_the_others(desk: Desk) -> None:
    def broken() -> Iterator[GoneOn]:
        yield text_of(1)
        raise ZeroDivisionError

    def damaged() -> Iterator[GoneOn]:
        raise UnavailableError("{title} is damaged", title="tiny")
        yield text_of(1)

    wait_for(lambda: desk.look("damaged", damaged).message == "tiny is damaged")
    wait_for(lambda: desk.look("broken", broken).state == "failed")
    found = desk.look("broken", broken)
    assert found.text == text_of(1)
    assert "ZeroDivisionError" in found.message
    assert until(desk, Steps(1), 1).state == "whole"
    desk.go_on("broken")
    wait_for(lambda: desk.look("broken", broken).state == "failed")
