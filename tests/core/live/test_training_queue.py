"""The training slot: one run at a time, each in its turn; no visitor can stop or block another's."""

import random
from collections.abc import Callable
from dataclasses import replace
from threading import Thread, current_thread
from threading import enumerate as enumerate_threads

import pytest
import torch

from core.learning.training import Training
from core.live import Plan, QueueFullError, TrainingQueue, slot_of, training_queue
from core.live.run import TrainingRun
from core.live.training_queue import AT_ONCE_SETTING, KEPT_SETTING, KILLED
from tests.core.live.plans import LONGEST_WAIT, Turnstile, plan, seen, wait_for, wait_until

pytestmark = pytest.mark.usefixtures("measured_briefly")


def losses(one: Plan) -> list[float]:
    """Return the loss of every step of an uninterrupted training."""
    return [step.loss for step in one.begin().steps()]


def shown(slot: TrainingQueue, owner: str) -> list[float]:
    return seen(slot, owner).curves.loss.tolist()


def test_paused_stepped_and_resumed_is_the_same_as_uninterrupted(turns: Turnstile) -> None:
    slot = TrainingQueue()
    slot.start("me", plan())
    turns.let(2)
    pausing = Thread(target=slot.pause, args=["me"])
    pausing.start()
    wait_until(slot, "me", "paused")
    turns.open()
    pausing.join()
    assert len(shown(slot, "me")) == 3

    slot.step("me", plan())
    assert len(wait_until(slot, "me", "paused").curves.loss) == 4
    slot.start("me", plan())
    wait_until(slot, "me", "finished")
    assert shown(slot, "me") == pytest.approx(losses(plan()))


def test_when_a_pause_returns_nothing_moves_any_more(turns: Turnstile) -> None:
    slot = TrainingQueue()
    slot.start("me", plan(steps=500))
    turns.let(1)
    pausing = Thread(target=slot.pause, args=["me"])
    pausing.start()
    wait_until(slot, "me", "paused")
    assert pausing.is_alive(), "the step that is being taken is waited for"

    turns.open()
    pausing.join(timeout=30)
    assert not pausing.is_alive()
    before = seen(slot, "me")
    model = slot.model("me")
    assert model is not None
    assert len(before.curves.step) == 2
    slot.start("you", plan(seed=4))
    wait_until(slot, "you", "finished")
    assert len(shown(slot, "me")) == 2
    for kept, now in zip(model.parameters(), slot.model("me").parameters(), strict=True):
        assert torch.equal(kept, now)


def test_steps_are_taken_one_by_one_from_the_first_to_the_last() -> None:
    slot = TrainingQueue()
    for n in range(1, 4):
        slot.step("me", plan(steps=3))
        wait_for(lambda: not seen(slot, "me").is_active)
        assert seen(slot, "me").steps == n
    assert seen(slot, "me").state == "finished"
    slot.step("me", plan(steps=3))
    slot.start("me", plan(steps=3))
    assert (seen(slot, "me").state, seen(slot, "me").steps) == ("finished", 3)


def test_a_step_asked_for_while_it_runs_does_not_stop_it(turns: Turnstile) -> None:
    slot = TrainingQueue()
    slot.start("me", plan())
    turns.let(1)
    slot.step("me", plan())
    turns.open()
    assert wait_until(slot, "me", "finished").steps == 6


def test_trainings_run_in_the_order_of_arrival_and_know_their_place(turns: Turnstile) -> None:
    slot = TrainingQueue()
    for at, owner in enumerate(["first", "second", "third"]):
        slot.start(owner, plan(steps=2, seed=at))
    turns.let(1)
    assert [(seen(slot, o).state, seen(slot, o).place) for o in ("first", "second", "third")] == [
        ("running", 0),
        ("waiting", 1),
        ("waiting", 2),
    ]

    turns.let(2)  # the second step and the test of the first
    assert [seen(slot, o).state for o in ("first", "second", "third")] == ["finished", "running", "waiting"]
    assert seen(slot, "third").place == 1
    assert seen(slot, "second").steps == 0

    turns.open()
    wait_until(slot, "third", "finished")
    for at, owner in enumerate(["first", "second", "third"]):
        assert shown(slot, owner) == pytest.approx(losses(plan(steps=2, seed=at)))


def test_a_paused_training_makes_room_and_lines_up_at_the_end(turns: Turnstile) -> None:
    slot = TrainingQueue()
    for owner in ("first", "second", "third"):
        slot.start(owner, plan(steps=5))
    turns.wait_for_next()
    pausing = Thread(target=slot.pause, args=["first"])
    pausing.start()
    wait_until(slot, "first", "paused")
    turns.let(1)
    pausing.join()
    assert seen(slot, "second").state == "running"

    slot.start("first", plan(steps=5))
    assert seen(slot, "first").place == 2
    slot.pause("third")
    assert seen(slot, "first").place == 1
    turns.open()
    wait_until(slot, "first", "finished")


def test_strangers_see_nothing_and_change_nothing(turns: Turnstile) -> None:
    slot = TrainingQueue()
    slot.start("me", plan())
    turns.let(1)
    slot.pause("stranger")
    slot.reset("stranger")
    assert slot.progress("stranger") is None
    assert slot.model("stranger") is None
    assert seen(slot, "me").state == "running"
    turns.open()
    wait_until(slot, "me", "finished")


def test_another_plan_and_a_reset_start_over() -> None:
    slot = TrainingQueue()
    slot.start("me", plan())
    wait_until(slot, "me", "finished")
    slot.step("me", plan(seed=9))
    progress = wait_until(slot, "me", "paused")
    assert progress.plan == plan(seed=9)
    assert progress.curves.loss.tolist() == pytest.approx(losses(plan(seed=9))[:1])

    slot.reset("me")
    assert slot.progress("me") is None
    slot.step("me", plan(seed=9))
    assert wait_until(slot, "me", "paused").steps == 1


def test_a_reset_leaves_the_queue(turns: Turnstile) -> None:
    slot = TrainingQueue()
    for owner in ("me", "you", "third"):
        slot.start(owner, plan(steps=5))
    turns.wait_for_next()
    slot.reset("you")
    assert seen(slot, "third").place == 1

    resetting = Thread(target=slot.reset, args=["me"])
    resetting.start()
    wait_for(lambda: slot.progress("me") is None)
    assert (seen(slot, "third").state, seen(slot, "third").place) == ("running", 0)
    turns.open()
    resetting.join()
    wait_until(slot, "third", "finished")
    # The current turn, then 5 steps of the third and its test; none of the waiting one.
    assert len(turns.arrived) == 1 + 6
    assert turns.arrived[0] not in turns.arrived[1:]


@pytest.mark.parametrize("others_wait", [True, False])
def test_a_closed_slot_has_forgotten_all_and_its_thread_has_ended(
    others_wait: bool, turns: Turnstile
) -> None:
    slot = TrainingQueue()
    for owner in ("me", "you") if others_wait else ("me",):
        slot.start(owner, plan(steps=500))
    turns.wait_for_next()
    closing = Thread(target=slot.close)
    closing.start()
    wait_for(lambda: slot.progress("me") is None)
    assert closing.is_alive(), "the step that is being taken is waited for"
    turns.open()
    closing.join(timeout=30)
    assert "training" not in [thread.name for thread in enumerate_threads()]
    assert len(turns.arrived) == 1
    assert slot.progress("you") is None

    slot.start("me", plan(steps=2))
    assert wait_until(slot, "me", "finished").steps == 2


def test_an_error_ends_as_a_sentence_and_the_next_one_trains(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Training) -> None:
        raise RuntimeError("secret path /home/x")

    slot = TrainingQueue()
    with monkeypatch.context() as patched:
        patched.setattr(Training, "steps", broken)
        slot.start("me", plan())
        progress = wait_until(slot, "me", "failed")
    assert progress.message == "An error ended the training: RuntimeError. The server's log says more."
    assert slot.model("me") is None

    slot.start("you", plan())
    wait_until(slot, "you", "finished")
    slot.start("me", plan())
    progress = wait_until(slot, "me", "finished")
    assert (progress.message, progress.steps) == ("", 6)


@pytest.mark.parametrize("field", ["loss", "gradient_norm"])
def test_nan_ends_a_run(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    step = next(plan().begin().steps())
    monkeypatch.setattr(Training, "steps", lambda self: iter([replace(step, **{field: float("nan")})]))
    slot = TrainingQueue()
    slot.start("me", plan())
    message = wait_until(slot, "me", "failed").message
    assert "the loss is no longer a number" in message
    assert "lower learning rate" in message


@pytest.mark.parametrize("somebody_waits", [True, False])
def test_an_abandoned_run_makes_room_only_for_waiting_ones(somebody_waits: bool, turns: Turnstile) -> None:
    now = [0.0]
    slot = TrainingQueue(clock=lambda: now[0])
    slot.start("away", plan())
    turns.let(2)
    now[0] += training_queue.IDLE + 1
    if somebody_waits:
        slot.start("here", plan(seed=4))
    turns.let(2)
    turns.open()
    if somebody_waits:
        wait_until(slot, "here", "finished")
        progress = seen(slot, "away")
        assert (progress.state, progress.steps, progress.message) == ("paused", 3, training_queue.PUT_ASIDE)
        slot.start("away", plan())
    progress = wait_until(slot, "away", "finished")
    assert progress.message == ""
    assert progress.curves.loss.tolist() == pytest.approx(losses(plan()))


def test_a_run_that_is_looked_at_is_not_put_aside(turns: Turnstile) -> None:
    now = [0.0]
    slot = TrainingQueue(clock=lambda: now[0])
    slot.start("here", plan())
    slot.start("next", plan())
    for _ in range(4):
        turns.let(1)
        now[0] += training_queue.IDLE - 1
        assert seen(slot, "here").state == "running"
    turns.open()
    assert wait_until(slot, "here", "finished").message == ""


def test_few_runs_are_kept_and_abandoned_ones_leave_first() -> None:
    now = [0.0]
    slot = TrainingQueue(kept=3, clock=lambda: now[0])
    for owner in ("one", "two", "three"):
        now[0] += 1
        slot.step(owner, plan())
        wait_until(slot, owner, "paused")
    now[0] += 1
    seen(slot, "one")
    slot.step("four", plan())
    assert slot.progress("two") is None
    assert None not in [slot.progress(owner) for owner in ("one", "three", "four")]


def test_a_training_over_the_limit_is_refused(turns: Turnstile) -> None:
    slot = TrainingQueue(kept=2)
    slot.start("one", plan())
    slot.start("two", plan())
    with pytest.raises(QueueFullError, match="2 other visitors train or wait already"):
        slot.start("three", plan())
    turns.open()
    wait_until(slot, "two", "finished")
    slot.start("three", plan())
    wait_until(slot, "three", "finished")


def test_parallel_requests_never_wait_for_ever() -> None:
    slot = TrainingQueue()

    def visit(owner: str) -> None:
        chance = random.Random(owner)
        for _ in range(40):
            act = chance.choice([slot.start, slot.step, slot.pause, slot.reset, slot.progress, slot.model])
            act(*([owner, plan(steps=3)] if act in (slot.start, slot.step) else [owner]))

    visitors = [Thread(target=visit, args=[f"visitor {i}"], daemon=True) for i in range(5)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join(timeout=120)
    assert not any(visitor.is_alive() for visitor in visitors)
    slot.start("last", plan())
    assert wait_until(slot, "last", "finished").curves.loss.tolist() == pytest.approx(losses(plan()))


@pytest.mark.parametrize("error", [SystemExit(1), MemoryError()], ids=repr)
def test_every_error_of_a_training_is_reported_and_the_next_one_trains(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    slot = TrainingQueue()
    with monkeypatch.context() as broken:
        broken.setattr(TrainingRun, "advance", raising(error))
        slot.start("me", plan())
        message = wait_until(slot, "me", "failed").message
    assert type(error).__name__ in message

    slot.start("you", plan(steps=2))
    assert wait_until(slot, "you", "finished").steps == 2


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_was_killed_is_followed_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    slot = TrainingQueue()
    with monkeypatch.context() as broken:
        broken.setattr(TrainingQueue, "_record", raising(SystemExit()))
        slot.start("me", plan(steps=5))
        slot.start("you", plan(steps=2))
        (thread,) = slot._working
        thread.join(timeout=LONGEST_WAIT)
        assert not thread.is_alive()

    assert wait_until(slot, "me", "failed").message == KILLED
    assert wait_until(slot, "you", "finished").steps == 2
    slot.start("me", plan(steps=3))
    assert wait_until(slot, "me", "finished").steps == 3


def raising(error: BaseException) -> Callable[..., None]:
    """A function that does nothing."""

    def fail(*_: object) -> None:
        raise error

    return fail


def test_between_two_steps_answers_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    rests = []
    monkeypatch.setattr(training_queue, "give_way", lambda: rests.append(current_thread().name))
    slot = TrainingQueue()
    slot.start("me", plan())
    wait_until(slot, "me", "finished")

    assert rests.count("training") >= plan().recipe.steps


def test_an_operator_sets_the_number_of_parallel_trainings_and_the_next_knows_its_place(
    turns: Turnstile,
) -> None:
    slot = TrainingQueue(at_once=2)
    assert slot.n_ahead() == 0
    slot.start("one", plan())
    assert slot.n_ahead() == 0, "a place is free"
    slot.start("two", plan(seed=5))
    assert slot.n_ahead() == 1
    slot.start("three", plan(seed=7))
    assert slot.n_ahead() == 2
    wait_for(lambda: len(turns.arrived) == 2)
    assert [seen(slot, one).state for one in ("one", "two", "three")] == ["running", "running", "waiting"]
    assert seen(slot, "three").place == 1
    turns.open()
    for owner, seed in (("one", plan().recipe.seed), ("two", 5), ("three", 7)):
        wait_until(slot, owner, "finished")
        assert shown(slot, owner) == pytest.approx(losses(plan(seed=seed))), "as if it had trained alone"
    wait_for(lambda: not slot._working)


def test_an_operator_sets_how_many_train_at_once_and_are_kept() -> None:
    asked = slot_of({AT_ONCE_SETTING: "3", KEPT_SETTING: "40"})
    assert (asked._at_once, asked._kept) == (3, 40)
    usual = slot_of({AT_ONCE_SETTING: ""})
    assert (usual._at_once, usual._kept) == (1, 16)


@pytest.mark.parametrize("text", ["0", "65", "-1", "many", "1.5"])
def test_a_number_of_trainings_that_cannot_be_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="TRAININGS_AT_ONCE must be a whole number from 1 to 64, got"):
        slot_of({AT_ONCE_SETTING: text})
