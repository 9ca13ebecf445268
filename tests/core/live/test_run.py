"""The progress of a run: every number is that of the training itself."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal

from core.learning.checkpoints import load, read_record, round_to_half
from core.learning.collection import MEMBERS
from core.learning.collection.member_training import make_record
from core.learning.tasks import RECALL, TASKS
from core.learning.training import Recipe, measure
from core.live import LARGEST_BATCH, MOST_STEPS, Plan, TrainingQueue, checkpoint
from core.live.plan import MOST_SNAPSHOTS
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.model.trace import Trace
from tests.core.live.plans import finished, plan, seen, wait_for, wait_until
from tests.covering import each

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def done() -> Iterator[TrainingQueue]:
    """A queue whose run of "me" is finished; tests only look at it."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    queue = finished(plan())
    torch.set_num_threads(threads)
    yield queue
    queue.close()


def test_curves_agree_with_the_steps(done: TrainingQueue) -> None:
    progress = seen(done, "me")
    steps = list(plan().begin().steps())
    for name in ("loss", "accuracy", "gradient_norm", "learning_rate"):
        assert_allclose(getattr(progress.curves, name), [getattr(step, name) for step in steps], rtol=1e-6)
    assert_array_equal(progress.curves.step, [step.step for step in steps])


def test_attention_is_recorded_on_the_watched_sentence_as_training_goes(done: TrainingQueue) -> None:
    one = plan()
    snapshots = seen(done, "me").snapshots
    training = one.begin()
    steps = training.steps()
    assert [snapshot.step for snapshot in snapshots] == [0, 1, 2, 3, 4, 5, 6]
    for snapshot in snapshots:
        trace = Trace()
        training.model(RECALL.vocabulary().encode(list("d4k7a2k7d4")), trace=trace)
        patterns = [trace[f"blocks.{i}.attention.pattern"][0].detach() for i in range(2)]
        assert_allclose(snapshot.patterns, torch.stack(patterns), atol=1e-6)
        next(steps, None)


def test_the_finished_model_is_tested_as_it_would_come_back_from_disk_and_given_out_as_a_copy(
    done: TrainingQueue,
) -> None:
    training = plan().begin()
    list(training.steps())
    model = round_to_half(deepcopy(training.model))
    tested = seen(done, "me").tested
    assert tested is not None
    assert (tested.loss, tested.accuracy) == pytest.approx(measure(model, RECALL))
    mine = done.model("me")
    assert mine is not None
    torch.testing.assert_close(mine.state_dict(), model.state_dict(), rtol=0, atol=0)
    assert not mine.training
    assert not any(parameter.requires_grad for parameter in mine.parameters())
    with torch.no_grad():
        mine.embed.weight.zero_()
    assert done.model("me").embed.weight.abs().sum() > 0


def test_progress_paused_after_a_step_tells_the_time_left_and_does_not_change() -> None:
    queue = TrainingQueue()
    queue.step("me", plan(steps=3))
    before = wait_until(queue, "me", "paused")
    assert before.per_second is not None
    assert before.seconds_left == pytest.approx(2 * 2 / before.per_second)
    queue.step("me", plan(steps=3))
    wait_for(lambda: seen(queue, "me").steps == 2)
    assert before.steps == 1
    assert len(before.snapshots) == 2
    for array in (before.curves.loss, before.curves.step, before.snapshots[0].patterns):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


@pytest.mark.usefixtures("little_asked")
def test_the_checkpoint_has_weights_and_record_of_the_finished_model(
    tmp_path: Path, done: TrainingQueue
) -> None:
    model = done.model("me")
    assert model is not None
    path = tmp_path / "mine.safetensors"
    path.write_bytes(checkpoint(model, plan()))
    record = read_record(path)
    assert record == make_record(model, RECALL, plan().recipe)
    assert (record.config, record.task, record.recipe) == (plan().config, "recall", plan().recipe)
    torch.testing.assert_close(load(path).state_dict(), model.state_dict(), rtol=0, atol=0)


def test_attention_is_recorded_at_the_beginning_at_the_end_and_not_too_often() -> None:
    assert plan(steps=3).recorded == (0, 1, 2, 3)
    assert plan(steps=101).recorded == (*range(0, 100, 3), 101)
    assert plan(steps=1500).recorded == tuple(range(0, 1501, 30))
    for steps in range(1, MOST_STEPS, 37):
        assert len(plan(steps=steps).recorded) <= MOST_SNAPSHOTS + 1
        assert plan(steps=steps).recorded[-1] == steps


def test_attention_at_rest_is_that_after_the_step_just_made() -> None:
    one, queue = plan(steps=200), TrainingQueue()
    training = one.begin()
    steps = training.steps()
    for n in range(1, 6):
        queue.step("me", one)
        snapshots = wait_until(queue, "me", "paused").snapshots
        next(steps)
        assert [snapshot.step for snapshot in snapshots] == [*range(0, n, 4), n]
        assert_allclose(snapshots[-1].patterns, one.snapshot(training).patterns, atol=1e-6)


@each("task_name", TASKS)
def test_every_task_has_a_sentence_whose_words_its_models_know(task_name: str) -> None:
    mask = TASKS[task_name].masks[0]
    one = Plan(architecture=ModelConfig(vocab_size=1, mask=mask), task_name=task_name, recipe=Recipe())
    assert set(one.words) <= set(TASKS[task_name].vocabulary().words)
    n = len(one.words)
    assert_array_equal(one.allowed(), MASKS[mask].allowed(n)[0, 0].numpy())


def test_transformers_that_are_shipped_are_the_models_of_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.live.plan.record_of", lambda asked: asked)
    members = [(n, one) for n, one in MEMBERS.items() if isinstance(one.config, ModelConfig)]
    for name, member in members[::7]:
        architecture = replace(member.config, d_model=64, tied=False)
        one = Plan(architecture=architecture, task_name=member.task.name, recipe=Recipe())
        assert one.config == member.config
        assert one.shipped() == name


def test_a_model_that_is_not_shipped_has_no_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise FileNotFoundError(name)

    assert plan(residual=False).shipped() is None
    assert plan(n_heads=2).shipped() is None  # the one for recall has four
    monkeypatch.setattr("core.live.plan.record_of", absent)
    assert plan(n_heads=4).shipped() is None


@each(("field", "most"), [("steps", MOST_STEPS), ("batch_size", LARGEST_BATCH)])
def test_more_than_a_visitor_may_ask_for_is_refused(field: str, most: int) -> None:
    Plan(architecture=plan().architecture, task_name="recall", recipe=Recipe(**{field: most}))
    with pytest.raises(ValueError, match=f"{field} must be at most {most}, got {most + 1}"):
        Plan(architecture=plan().architecture, task_name="recall", recipe=Recipe(**{field: most + 1}))


def test_a_task_whose_answer_the_mask_gives_away_is_refused() -> None:
    architecture = ModelConfig(vocab_size=1, mask="bidirectional")
    with pytest.raises(ValueError, match="next word cannot be learned with the bidirectional mask"):
        Plan(architecture=architecture, task_name="next word", recipe=plan().recipe)
