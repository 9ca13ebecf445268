"""Batches: the same stream of numbers everywhere, and less padding without losing a word."""

import pytest
import torch

from core.config import MASKS, Mask, ModelConfig
from core.initialisation import initialise
from core.learning.tasks import IGNORED, MASKED_WORD, NEXT_WORD, Batch
from core.learning.tasks.task import generator, stream
from core.learning.training import ask
from core.models import Transformer


def batch_of(lengths: list[int]) -> Batch:
    """Rows of ones with targets of their own row's number, padded with zeros."""
    width = max(lengths)
    inside = torch.arange(width) < torch.tensor(lengths)[:, None]
    targets = torch.where(inside, torch.arange(len(lengths))[:, None], IGNORED)
    return Batch(inside.long(), targets, inside[:, None, None])


def test_streams_are_told_apart_by_their_keys() -> None:
    assert stream("recall", 1, 23) == stream("recall", 1, 23)
    assert len({stream("recall", 1, 23), stream("recall", 12, 3), stream("masks", 1, 23)}) == 3
    one, other = (torch.rand(5, generator=generator("recall", seed)) for seed in (1, 2))
    assert not torch.equal(one, other)


@pytest.mark.parametrize(
    ("lengths", "shapes"),
    [
        ([5, 5, 5], [(3, 5)]),
        ([3], [(1, 3)]),
        ([2, 50, 3, 2], [(3, 3), (1, 50)]),
        ([7, 2, 7, 2, 7], [(2, 2), (3, 7)]),
    ],
)
def test_a_batch_is_cut_where_it_saves_most_padding(
    lengths: list[int], shapes: list[tuple[int, int]]
) -> None:
    parts = batch_of(lengths).parts()
    assert [tuple(part.tokens.shape) for part in parts] == shapes
    asked = torch.cat([part.targets[part.targets != IGNORED] for part in parts])
    assert asked.bincount().tolist() == lengths
    for part in parts:
        assert torch.equal(part.tokens.bool(), part.allowed[:, 0, 0])
        assert torch.equal(part.tokens.bool(), part.targets != IGNORED)


@pytest.mark.parametrize("mask", MASKS)
def test_a_model_answers_the_parts_as_it_answers_the_whole(mask: Mask) -> None:
    task = {"causal": NEXT_WORD, "bidirectional": MASKED_WORD}[mask]
    config = ModelConfig(vocab_size=len(task.vocabulary()), d_model=14, n_heads=2, mask=mask)
    model = Transformer(config).double()
    initialise(model, seed=1)
    batch = task.batch(2, 0, 11)
    parts = batch.parts()
    assert len(parts) == 2
    whole, answers = ask(model, batch), [ask(model, part) for part in parts]
    torch.testing.assert_close(sum(each.loss for each in answers), whole.loss)
    assert sum(each.n_right for each in answers) == whole.n_right
    assert sum(each.n_asked for each in answers) == whole.n_asked
    assert whole.n_asked == int((batch.targets != IGNORED).sum())
