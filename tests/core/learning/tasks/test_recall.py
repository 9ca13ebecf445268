"""Recall asks for the digit behind a letter, and gives the answer away nowhere else."""

import torch

from core.learning.tasks import IGNORED, RECALL
from core.learning.tasks.recall import MOST_PAIRS, MOST_PAIRS_AT_FIRST, STEPS_PER_PAIR, distances, most_pairs
from tests.covering import each

SIZE = 7
FAR = STEPS_PER_PAIR * MOST_PAIRS
STEPS = [0, 1, FAR, FAR + 1, FAR + 2, FAR + 3, FAR + 4]


def words_of(tokens: torch.Tensor) -> list[str]:
    return RECALL.vocabulary().decode(tokens)


@each("step", STEPS)
def test_every_question_asks_for_the_digit_behind_the_letter_that_stands_there(step: int) -> None:
    batch = RECALL.batch(3, step, SIZE)
    back = distances(batch)
    for tokens, targets, distance in zip(batch.tokens, batch.targets, back, strict=True):
        n_pairs = len(tokens) // 3
        words = words_of(tokens)
        digit_of = dict(zip(words[0 : 2 * n_pairs : 2], words[1 : 2 * n_pairs : 2], strict=True))
        assert len(digit_of) == n_pairs
        assert sorted(words[2 * n_pairs :]) == sorted(digit_of)
        assert (targets[: 2 * n_pairs] == IGNORED).all()
        assert (distance[: 2 * n_pairs] == 0).all()
        for place in range(2 * n_pairs, 3 * n_pairs):
            assert words_of(targets[place : place + 1]) == [digit_of[words[place]]]
            answered_at = place - int(distance[place])
            assert words[answered_at] == digit_of[words[place]]
            assert words[answered_at - 1] == words[place]
            assert answered_at < 2 * n_pairs


def test_training_begins_with_few_pairs_and_tests_have_up_to_the_most() -> None:
    assert most_pairs(0, "train") == MOST_PAIRS_AT_FIRST
    assert most_pairs(STEPS_PER_PAIR - 1, "train") == MOST_PAIRS_AT_FIRST
    assert most_pairs(STEPS_PER_PAIR, "train") == MOST_PAIRS_AT_FIRST + 1
    assert most_pairs(FAR, "train") == most_pairs(10 * FAR, "train") == MOST_PAIRS
    drawn = {
        split: {RECALL.batch(0, step, 1, split=split).tokens.shape[1] // 3 for step in range(200)}
        for split in ("train", "test")
    }
    assert drawn["train"] == {1, 2}
    assert drawn["test"] == set(range(1, MOST_PAIRS + 1))
