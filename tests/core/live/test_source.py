"""A model trained on the page as a source: it is that model, for its own switches, while it exists."""

from collections.abc import Iterator

import pytest
import torch
from cachetools import LRUCache

from core.learning.checkpoints import build
from core.learning.tasks import RECALL
from core.learning.training import Recipe, measure
from core.live import Plan, TrainingQueue, register_trained_model
from core.model.config import ModelConfig
from core.sources import UnavailableError, find, load, register, registered
from core.sources.random_weights import RANDOM
from core.text import language
from tests.core.live.plans import Turnstile, finished, plan, seen, wait_until
from tests.covering import each

pytestmark = pytest.mark.usefixtures("measured_briefly")

WORDS = ["d", "4", "k", "7"]


def language_plan(**fields: object) -> Plan:
    architecture = ModelConfig(vocab_size=1, **fields)
    return Plan(architecture=architecture, task_name="next word", recipe=Recipe(steps=1, batch_size=2))


def name_in(queue: TrainingQueue, owner: str = "me") -> str:
    name = register_trained_model(queue, owner)
    assert name is not None
    return name


@pytest.fixture(scope="module")
def done() -> Iterator[TrainingQueue]:
    """A queue whose run of "me" is finished; tests only look at it."""
    queue = finished(plan())
    yield queue
    queue.close()


def test_it_has_the_model_that_was_trained_its_training_and_its_scores(
    done: TrainingQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(
        "core.learning.collection.member_training.measure"
    )  # tested weights are not measured again
    loaded, model = load(name_in(done), plan().architecture, WORDS, seed=0), done.model("me")
    assert model is not None
    assert loaded.unknown == ()
    assert torch.equal(loaded.tokens, RECALL.vocabulary().encode(WORDS))
    assert not loaded.model.training
    torch.testing.assert_close(loaded.model(loaded.tokens), model(loaded.tokens), rtol=0, atol=0)
    record, tested = find(name_in(done)).record(plan().architecture), seen(done, "me").tested
    assert record is not None
    assert (record.config, record.task, record.recipe) == (plan().config, "recall", plan().recipe)
    assert tested is not None
    assert (record.loss, record.accuracy) == (tested.loss, tested.accuracy)


def test_a_paused_model_is_measured_and_gets_another_name_when_it_goes_on() -> None:
    queue = TrainingQueue()
    queue.step("me", plan())
    wait_until(queue, "me", "paused")
    first = name_in(queue)
    assert name_in(queue) == first
    record = find(first).record(plan().architecture)
    assert record is not None
    assert (record.loss, record.accuracy) == measure(queue.model("me"), RECALL)

    queue.step("me", plan())
    wait_until(queue, "me", "paused")
    second = name_in(queue)
    assert second != first
    before, after = (load(name, plan().architecture, WORDS, 0).model.embed.weight for name in (first, second))
    assert not torch.equal(before, after)


def test_there_is_no_model_before_the_first_step_during_training_and_after_a_reset(turns: Turnstile) -> None:
    queue = TrainingQueue()
    assert register_trained_model(queue, "me") is None
    queue.start("me", plan())
    turns.let(2)
    assert register_trained_model(queue, "me") is None
    turns.open()
    queue.step("you", plan())
    wait_until(queue, "me", "finished")
    wait_until(queue, "you", "paused")
    assert register_trained_model(queue, "me") not in (None, name_in(queue, "you"))
    assert register_trained_model(queue, "stranger") is None
    queue.reset("me")
    assert register_trained_model(queue, "me") is None


def test_trained_parts_can_be_ablated() -> None:
    queue = finished(plan(n_layers=3))
    source = find(name_in(queue))
    less = plan(n_layers=2, residual=False, mlp=False, scale=False).architecture
    assert source.most_layers == 3
    assert source.ablated(plan(n_layers=3).architecture) == ()
    assert source.ablated(less) == ("n_layers", "scale", "residual", "mlp")

    loaded = source.load(less, WORDS, 0)
    by_hand = build(loaded.model.config)
    kept = by_hand.state_dict().keys()
    whole = queue.model("me").state_dict()
    by_hand.load_state_dict({name: whole[name] for name in kept})
    torch.testing.assert_close(loaded.model(loaded.tokens), by_hand(loaded.tokens), rtol=0, atol=0)
    assert loaded.model.config.n_layers == 2
    assert not loaded.model.config.mlp


def assert_only_its_own_model(queue: TrainingQueue, asked: dict[str, object], said: str) -> None:
    """Assert that other switches are refused with those of the training."""
    source = find(name_in(queue))
    config = ModelConfig(vocab_size=1, **{"n_heads": 2, **asked})
    for request in (lambda: source.load(config, WORDS, 0), lambda: source.record(config)):
        with pytest.raises(UnavailableError, match=f"Your model was trained with {said}. Set the switches"):
            request()


@each(
    ("asked", "said"),
    [
        ({"positions": "alibi"}, "positions sinusoidal"),
        ({"norm": "post"}, "norm pre"),
        ({"n_heads": 4}, "heads 2"),
        ({"mask": "bidirectional"}, "mask causal"),
        ({"n_layers": 3}, "layers 2"),
    ],
)
def test_only_the_trained_model_is_available(
    asked: dict[str, object], said: str, done: TrainingQueue
) -> None:
    assert_only_its_own_model(done, asked, said)


def test_parts_that_were_not_trained_are_not_available() -> None:
    queue = finished(plan(steps=1, residual=False, mlp=False, scale=False))
    assert_only_its_own_model(queue, {}, "scale off, residual off, feed-forward off")


def test_a_language_model_reads_unknown_words_and_recall_says_what_it_knows(done: TrainingQueue) -> None:
    loaded = load(name_in(finished(language_plan())), language_plan().architecture, ["the", "xylophone"], 0)
    assert loaded.unknown == (1,)
    assert loaded.vocabulary.words == language.vocabulary().words
    with pytest.raises(UnavailableError, match="nothing but single letters and digits"):
        load(name_in(done), plan().architecture, ["the", "<b>"], 0)


def test_the_sources_on_offer_are_few_and_the_one_used_longest_ago_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("core.sources.source._registered", LRUCache(2))
    register("one", RANDOM)
    register("two", RANDOM)
    assert registered("one") is RANDOM
    register("three", RANDOM)
    assert [registered(name) for name in ("one", "two", "three")] == [RANDOM, None, RANDOM]
    with pytest.raises(KeyError, match="there is no source 'two'; there are: trained, random"):
        find("two")
