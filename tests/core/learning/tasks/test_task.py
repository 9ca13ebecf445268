"""Batches: the same stream of numbers everywhere, and less padding without losing a word."""

import math
from hashlib import blake2b

import pytest
import torch

from core.learning.tasks import CLASSIFICATION, IGNORED, TASKS, TRANSLATION, Batch, PairBatch, Task, chance
from core.learning.tasks.task import generator, stream_seed
from core.learning.training import evaluate_batch, scored_positions
from core.model.config import ModelConfig
from core.model.initialisation import initialise
from core.model.masks import MASKS
from core.model.models import Transformer
from core.text import language, translation
from core.text.language import UNKNOWN, Split
from core.text.tokenizer import Vocabulary
from tests.covering import each

EVERY_TASK = {task.name: task for task in (*TASKS.values(), CLASSIFICATION, TRANSLATION)}
AS_TRAINED = {
    "next word": "1d9098d73f9c4bd9",
    "masked word": "1bc8559afb8a0e60",
    "agreement": "81e7696d5ea2257d",
    "recall": "4fdcb06f910de27c",
    "review": "4388b31deb2dbd8f",
    "classification": "607e4bc500f88e44",
    "translation": "c83adcb2f17bd7ab",
}
"""Digests of the first batch with which every task trains, as for the models in `checkpoints/`."""


def batch_of(lengths: list[int]) -> Batch:
    """Rows of ones with their row's number as targets, padded with zeros."""
    width = max(lengths)
    inside = torch.arange(width) < torch.tensor(lengths)[:, None]
    targets = torch.where(inside, torch.arange(len(lengths))[:, None], IGNORED)
    return Batch(inside.long(), targets, inside[:, None, None])


def test_streams_with_different_keys_differ() -> None:
    assert stream_seed("recall", 1, 23) == stream_seed("recall", 1, 23)
    assert len({stream_seed("recall", 1, 23), stream_seed("recall", 12, 3), stream_seed("masks", 1, 23)}) == 3
    one, other = (torch.rand(5, generator=generator("recall", seed)) for seed in (1, 2))
    assert not torch.equal(one, other)


@each(
    ("lengths", "shapes"),
    [
        ([5, 5, 5], [(3, 5)]),
        ([3], [(1, 3)]),
        ([2, 50, 3, 2], [(3, 3), (1, 50)]),
        ([7, 2, 7, 2, 7], [(2, 2), (3, 7)]),
    ],
)
def test_a_batch_is_split_to_save_the_most_padding(lengths: list[int], shapes: list[tuple[int, int]]) -> None:
    parts = batch_of(lengths).parts()
    assert [tuple(part.tokens.shape) for part in parts] == shapes
    asked = torch.cat([part.targets[part.targets != IGNORED] for part in parts])
    assert asked.bincount().tolist() == lengths
    for part in parts:
        assert torch.equal(part.tokens.bool(), part.allowed[:, 0, 0])
        assert torch.equal(part.tokens.bool(), part.targets != IGNORED)


@pytest.mark.parametrize("mask", MASKS)
def test_a_model_answers_the_parts_as_it_answers_the_whole(mask: str) -> None:
    task = TASKS[MASKS[mask].objective]
    config = ModelConfig(vocab_size=len(task.vocabulary()), d_model=14, n_heads=2, mask=mask)
    model = Transformer(config).double()
    initialise(model, seed=1)
    batch = task.batch(2, 0, 11)
    parts = batch.parts()
    assert len(parts) == 2
    whole, answers = evaluate_batch(model, batch), [evaluate_batch(model, part) for part in parts]
    torch.testing.assert_close(sum(each.loss for each in answers), whole.loss)
    assert sum(each.n_right for each in answers) == whole.n_right
    assert sum(each.n_scored for each in answers) == whole.n_scored
    assert whole.n_scored == int(scored_positions(model, batch).sum())


def unknown_in(task: Task, batch: Batch) -> int:
    """Return how many words of a batch, asked for or shown, are unknown."""
    known = translation.vocabulary() if task is TRANSLATION else task.vocabulary()
    if UNKNOWN not in known.words:
        return 0
    number = known.encode([UNKNOWN]).item()
    n = int((batch.tokens == number).sum())
    if batch.targets.shape == batch.tokens.shape:  # else they are labels
        n += int((batch.targets == number).sum())
    if isinstance(batch, PairBatch):
        n += int((batch.source == language.vocabulary().encode([UNKNOWN]).item()).sum())
    return n


@each("name", EVERY_TASK)
def test_no_sentence_that_is_measured_has_an_unknown_word_and_training_has_some(name: str) -> None:
    task = EVERY_TASK[name]
    counts: dict[Split, int] = {
        split: sum(unknown_in(task, task.batch(0, step, 16, split=split)) for step in range(3))
        for split in ("train", "test")
    }
    assert counts["test"] == 0
    assert (counts["train"] > 0) == (name != "recall"), "letters and digits are all known"


@each("name", EVERY_TASK)
def test_a_batch_depends_on_seed_step_and_split_and_on_nothing_else(name: str) -> None:
    task = EVERY_TASK[name]
    one, again = (task.batch(3, 5, 3) for _ in range(2))
    assert torch.equal(one.tokens, again.tokens)
    assert torch.equal(one.targets, again.targets)
    for other in (task.batch(3, 6, 3), task.batch(4, 5, 3), task.batch(3, 5, 3, split="test")):
        assert one.tokens.shape != other.tokens.shape or not torch.equal(one.tokens, other.tokens)


@each("name", EVERY_TASK)
def test_training_batches_equal_those_of_the_shipped_models(name: str) -> None:
    """If a batch changes, the collection must be trained again."""
    batch, digest = EVERY_TASK[name].batch(0, 0, 32), blake2b(digest_size=8)
    for tensor in (batch.tokens, batch.targets, batch.allowed):
        digest.update(tensor.numpy().tobytes())
    assert digest.hexdigest() == AS_TRAINED[name]


def two_to_one(seed: int, step: int, size: int, split: Split) -> Batch:
    """Return a batch in which the answer is 5 twice as often as 3."""
    targets = torch.tensor([[5, IGNORED, 3], [IGNORED, IGNORED, 5]]).repeat(size // 2, 1)
    return Batch(torch.zeros_like(targets), targets, torch.ones(size, 1, 1, 3, dtype=torch.bool))


def test_it_is_the_entropy_of_the_answers_and_the_share_of_the_most_frequent() -> None:
    found = chance(Task("two to one", lambda: Vocabulary(["a"]), two_to_one))
    assert found.loss == pytest.approx(math.log(3) - 2 / 3 * math.log(2))
    assert found.accuracy == pytest.approx(2 / 3)
