"""The trainings measured once: the file is theirs, and its numbers say what the views say."""

from itertools import islice

import pytest

from core.learning.tasks import NEXT_WORD, chance
from core.measures.blocks.norms import (
    AVERAGED,
    POST,
    POST_WARM,
    PRE,
    PRE_BARE,
    SETTINGS,
    STEPS,
    means,
    measured,
    train,
)


def test_the_file_has_every_training_to_its_end() -> None:
    assert {name: len(losses) for name, losses in measured().items()} == dict.fromkeys(
        SETTINGS, STEPS // AVERAGED
    )


@pytest.mark.long("files that change only when the collection is trained anew: losses of another training")
@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("name", [PRE_BARE, POST_WARM])
def test_the_first_steps_taken_again_have_the_losses_of_the_file(name: str) -> None:
    (first,) = means(islice(train(SETTINGS[name]), AVERAGED))
    assert first == pytest.approx(measured()[name][0], rel=2e-3)


def test_without_residual_connections_little_more_than_the_word_frequencies_is_learned() -> None:
    last = {name: losses[-1] for name, losses in measured().items()}
    assert last[PRE_BARE] > chance(NEXT_WORD).loss - 0.3
    assert last[PRE] < chance(NEXT_WORD).loss - 1.5
    assert last[POST_WARM] < last[POST] - 0.8
