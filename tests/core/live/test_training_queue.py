"""The training queue: one run at a time, each in its turn; no visitor can stop or block another's."""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from threading import Thread, current_thread
from threading import enumerate as enumerate_threads

import pytest

from core.learning.training import Training
from core.live import Plan, QueueFullError, TrainingQueue, queue_of, training_queue
from core.live.run import TrainingRun
from core.live.training_queue import AT_ONCE_SETTING, KEPT_SETTING, KILLED
from tests.core.live.plans import LONGEST_WAIT, Turnstile, plan, seen, wait_for, wait_until

pytestmark = pytest.mark.usefixtures("measured_briefly")


@cache
def losses(one: Plan) -> list[float]:
    """Return the loss of every step of an uninterrupted training."""
    return [step.loss for step in one.begin().steps()]


def shown(queue: TrainingQueue, owner: str) -> list[float]:
    return seen(queue, owner).curves.loss.tolist()


def test_paused_stepped_and_resumed_is_the_same_as_uninterrupted(
    turns: Turnstile, monkeypatch: pytest.MonkeyPatch
) -> None:
    rests: list[str] = []
    monkeypatch.setattr(training_queue, "give_way", lambda: rests.append(current_thread().name))
    queue = TrainingQueue()
    queue.start("me", plan())
    turns.let(2)
    pausing = Thread(target=queue.pause, args=["me"])
    pausing.start()
    wait_until(queue, "me", "paused")
    turns.open()
    pausing.join()
    assert len(shown(queue, "me")) == 3

    queue.step("me", plan())
    assert len(wait_until(queue, "me", "paused").curves.loss) == 4
    queue.start("me", plan())
    wait_until(queue, "me", "finished")
    assert rests.count("training") >= plan().recipe.steps, "answers come first between two steps"
    assert shown(queue, "me") == pytest.approx(losses(plan()))


def test_when_a_pause_returns_nothing_moves_any_more(turns: Turnstile) -> None:
    queue = TrainingQueue()
    queue.start("me", plan(steps=500))
    turns.let(1)
    pausing = Thread(target=queue.pause, args=["me"])
    pausing.start()
    wait_until(queue, "me", "paused")
    assert pausing.is_alive(), "the step that is being taken is waited for"

    turns.open()
    pausing.join(timeout=30)
    assert not pausing.is_alive()
    assert len(shown(queue, "me")) == 2
    queue.start("you", plan(seed=4))
    wait_until(queue, "you", "finished")
    assert len(shown(queue, "me")) == 2


def test_steps_are_taken_one_by_one_from_the_first_to_the_last() -> None:
    queue = TrainingQueue()
    for n in range(1, 4):
        queue.step("me", plan(steps=3))
        wait_for(lambda: not seen(queue, "me").is_active)
        assert seen(queue, "me").steps == n
    assert seen(queue, "me").state == "finished"
    queue.step("me", plan(steps=3))
    queue.start("me", plan(steps=3))
    assert (seen(queue, "me").state, seen(queue, "me").steps) == ("finished", 3)


def test_neither_a_step_asked_for_while_it_runs_nor_a_stranger_stops_a_run(turns: Turnstile) -> None:
    queue = TrainingQueue()
    queue.start("me", plan())
    turns.let(1)
    queue.step("me", plan())
    queue.pause("stranger")
    queue.reset("stranger")
    assert queue.progress("stranger") is None
    assert queue.model("stranger") is None
    assert seen(queue, "me").state == "running"
    turns.open()
    assert wait_until(queue, "me", "finished").steps == 6


def test_trainings_run_in_the_order_of_arrival_and_know_their_place(turns: Turnstile) -> None:
    queue = TrainingQueue()
    for at, owner in enumerate(["first", "second", "third"]):
        queue.start(owner, plan(steps=2, seed=at))
    turns.let(1)
    assert [(seen(queue, o).state, seen(queue, o).place) for o in ("first", "second", "third")] == [
        ("running", 0),
        ("waiting", 1),
        ("waiting", 2),
    ]

    turns.let(2)  # the second step and the test of the first
    assert [seen(queue, o).state for o in ("first", "second", "third")] == ["finished", "running", "waiting"]
    assert seen(queue, "third").place == 1
    assert seen(queue, "second").steps == 0

    turns.open()
    wait_until(queue, "third", "finished")
    for at, owner in enumerate(["first", "second", "third"]):
        assert shown(queue, owner) == pytest.approx(losses(plan(steps=2, seed=at)))


def test_a_paused_training_makes_room_and_lines_up_at_the_end(turns: Turnstile) -> None:
    queue = TrainingQueue()
    for owner in ("first", "second", "third"):
        queue.start(owner, plan(steps=5))
    turns.wait_for_next()
    pausing = Thread(target=queue.pause, args=["first"])
    pausing.start()
    wait_until(queue, "first", "paused")
    turns.let(1)
    pausing.join()
    assert seen(queue, "second").state == "running"

    queue.start("first", plan(steps=5))
    assert seen(queue, "first").place == 2
    queue.pause("third")
    assert seen(queue, "first").place == 1
    turns.open()
    wait_until(queue, "first", "finished")


def test_another_plan_and_a_reset_start_over() -> None:
    queue = TrainingQueue()
    queue.start("me", plan())
    wait_until(queue, "me", "finished")
    queue.step("me", plan(seed=9))
    progress = wait_until(queue, "me", "paused")
    assert progress.plan == plan(seed=9)
    assert progress.curves.loss.tolist() == pytest.approx(losses(plan(seed=9))[:1])

    queue.reset("me")
    assert queue.progress("me") is None
    queue.step("me", plan(seed=9))
    assert wait_until(queue, "me", "paused").steps == 1


def test_a_reset_leaves_the_queue(turns: Turnstile) -> None:
    queue = TrainingQueue()
    for owner in ("me", "you", "third"):
        queue.start(owner, plan(steps=5))
    turns.wait_for_next()
    queue.reset("you")
    assert seen(queue, "third").place == 1

    resetting = Thread(target=queue.reset, args=["me"])
    resetting.start()
    wait_for(lambda: queue.progress("me") is None)
    assert (seen(queue, "third").state, seen(queue, "third").place) == ("running", 0)
    turns.open()
    resetting.join()
    wait_until(queue, "third", "finished")
    # The current turn, then 5 steps of the third and its test; none of the waiting one.
    assert len(turns.arrived) == 1 + 6
    assert turns.arrived[0] not in turns.arrived[1:]


def test_a_closed_queue_has_forgotten_all_and_its_thread_has_ended(turns: Turnstile) -> None:
    queue = TrainingQueue()
    for owner in ("me", "you"):
        queue.start(owner, plan(steps=500))
    turns.wait_for_next()
    closing = Thread(target=queue.close)
    closing.start()
    wait_for(lambda: queue.progress("me") is None)
    assert closing.is_alive(), "the step that is being taken is waited for"
    turns.open()
    closing.join(timeout=30)
    assert "training" not in [thread.name for thread in enumerate_threads()]
    assert len(turns.arrived) == 1
    assert queue.progress("you") is None

    queue.start("me", plan(steps=2))
    assert wait_until(queue, "me", "finished").steps == 2


def test_nan_ends_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    step, queue = next(plan().begin().steps()), TrainingQueue()
    for field in ("loss", "gradient_norm"):
        steps = [replace(step, **{field: float("nan")})]
        monkeypatch.setattr(Training, "steps", lambda self, steps=steps: iter(steps))
        queue.start(field, plan())
        message = wait_until(queue, field, "failed").message
        assert "the loss or its gradient is no longer finite" in message
        assert "lower learning rate" in message


@pytest.mark.parametrize("somebody_waits", [True, False])
def test_an_abandoned_run_makes_room_only_for_waiting_ones(somebody_waits: bool, turns: Turnstile) -> None:
    now = [0.0]
    queue = TrainingQueue(clock=lambda: now[0])
    queue.start("away", plan())
    turns.let(2)
    now[0] += training_queue.IDLE + 1
    if somebody_waits:
        queue.start("here", plan(seed=4))
    turns.let(2)
    turns.open()
    if somebody_waits:
        wait_until(queue, "here", "finished")
        progress = seen(queue, "away")
        assert (progress.state, progress.steps, progress.message) == ("paused", 3, training_queue.PUT_ASIDE)
        queue.start("away", plan())
    progress = wait_until(queue, "away", "finished")
    assert progress.message == ""
    assert progress.curves.loss.tolist() == pytest.approx(losses(plan()))


def test_a_run_that_is_looked_at_is_not_put_aside(turns: Turnstile) -> None:
    now = [0.0]
    queue = TrainingQueue(clock=lambda: now[0])
    queue.start("here", plan())
    queue.start("next", plan())
    for _ in range(4):
        turns.let(1)
        now[0] += training_queue.IDLE - 1
        assert seen(queue, "here").state == "running"
    turns.open()
    assert wait_until(queue, "here", "finished").message == ""


def test_few_runs_are_kept_and_abandoned_ones_leave_first() -> None:
    now = [0.0]
    queue = TrainingQueue(kept=3, clock=lambda: now[0])
    for owner in ("one", "two", "three"):
        now[0] += 1
        queue.step(owner, plan())
        wait_until(queue, owner, "paused")
    now[0] += 1
    seen(queue, "one")
    queue.step("four", plan())
    assert queue.progress("two") is None
    assert None not in [queue.progress(owner) for owner in ("one", "three", "four")]


def test_a_training_over_the_limit_is_refused(turns: Turnstile) -> None:
    queue = TrainingQueue(kept=2)
    queue.start("one", plan())
    queue.start("two", plan())
    with pytest.raises(QueueFullError, match="2 other visitors train or wait already"):
        queue.start("three", plan())
    turns.open()
    wait_until(queue, "two", "finished")
    queue.start("three", plan())
    wait_until(queue, "three", "finished")


def test_parallel_requests_never_wait_for_ever() -> None:
    queue = TrainingQueue()

    def visit(owner: str) -> None:
        chance = random.Random(owner)
        for _ in range(20):
            act = chance.choice(
                [queue.start, queue.step, queue.pause, queue.reset, queue.progress, queue.model]
            )
            act(*([owner, plan(steps=3)] if act in (queue.start, queue.step) else [owner]))

    visitors = [Thread(target=visit, args=[f"visitor {i}"], daemon=True) for i in range(4)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join(timeout=120)
    assert not any(visitor.is_alive() for visitor in visitors)
    queue.start("last", plan())
    assert wait_until(queue, "last", "finished").curves.loss.tolist() == pytest.approx(losses(plan()))


@pytest.mark.parametrize("error", [RuntimeError("secret path /home/x"), SystemExit(1)], ids=repr)
def test_an_error_ends_as_a_sentence_and_the_next_one_trains(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = TrainingQueue()
    with monkeypatch.context() as broken:
        broken.setattr(TrainingRun, "advance", raising(error))
        queue.start("me", plan(steps=2))
        message = wait_until(queue, "me", "failed").message
    kind = type(error).__name__
    assert message == f"An error ended the training: {kind}. The server's log says more."
    assert queue.model("me") is None

    queue.start("you", plan(steps=2))
    wait_until(queue, "you", "finished")
    queue.start("me", plan(steps=2))
    progress = wait_until(queue, "me", "finished")
    assert (progress.message, progress.steps) == ("", 2)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_was_killed_is_followed_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    queue = TrainingQueue()
    with monkeypatch.context() as broken:
        broken.setattr(TrainingQueue, "_record", raising(SystemExit()))
        queue.start("me", plan(steps=5))
        queue.start("you", plan(steps=2))
        (thread,) = queue._working
        thread.join(timeout=LONGEST_WAIT)
        assert not thread.is_alive()

    assert wait_until(queue, "me", "failed").message == KILLED
    assert wait_until(queue, "you", "finished").steps == 2
    queue.start("me", plan(steps=3))
    assert wait_until(queue, "me", "finished").steps == 3


def raising(error: BaseException) -> Callable[..., None]:
    """A function that does nothing."""

    def fail(*_: object) -> None:
        raise error

    return fail


def test_an_operator_sets_the_number_of_parallel_trainings_and_the_next_knows_its_place(
    turns: Turnstile,
) -> None:
    queue = TrainingQueue(at_once=2)
    assert queue.n_ahead() == 0
    queue.start("one", plan())
    assert queue.n_ahead() == 0, "a place is free"
    queue.start("two", plan(seed=5))
    assert queue.n_ahead() == 1
    queue.start("three", plan(seed=7))
    assert queue.n_ahead() == 2
    wait_for(lambda: len(turns.arrived) == 2)
    assert [seen(queue, one).state for one in ("one", "two", "three")] == ["running", "running", "waiting"]
    assert seen(queue, "three").place == 1
    turns.open()
    for owner, one in (("one", plan()), ("two", plan(seed=5)), ("three", plan(seed=7))):
        wait_until(queue, owner, "finished")
        assert shown(queue, owner) == pytest.approx(losses(one)), "as if it had trained alone"
    wait_for(lambda: not queue._working)


def test_an_operator_sets_how_many_train_at_once_and_are_kept() -> None:
    asked = queue_of({AT_ONCE_SETTING: "3", KEPT_SETTING: "40"})
    assert (asked._at_once, asked._kept) == (3, 40)
    usual = queue_of({AT_ONCE_SETTING: ""})
    assert (usual._at_once, usual._kept) == (1, 16)
    for text in ("0", "65", "-1", "many"):
        with pytest.raises(ValueError, match="TRAININGS_AT_ONCE must be a whole number from 1 to 64, got"):
            queue_of({AT_ONCE_SETTING: text})
