"""Blocks: what residual connections and a warm-up are for, said of losses on both sides."""

import pytest

from core.measures.blocks.trainings import POST, POST_WARM, PRE, PRE_BARE, PRE_WARM, SETTINGS, measured
from pages.blocks import trained_once
from tests.pages.asked import Asked
from tests.pages.session import numbers

VIEWS = {
    "residual connections": ("residual_curves", (PRE, PRE_BARE)),
    "warm-up": ("warm_up_curves", (PRE, PRE_WARM, POST, POST_WARM)),
}


@pytest.mark.parametrize("view", VIEWS)
def test_the_curves_are_the_losses_of_the_file(view: str) -> None:
    picture, names = VIEWS[view]
    session = Asked("blocks", view=view)
    for trace, name in zip(session.figure(picture)["data"], names, strict=False):
        assert list(numbers(trace["y"])) == pytest.approx(measured()[name])
    called = trained_once.RESIDUAL_NAMES if view == "residual connections" else {}
    assert list(session.table(picture).columns) == [called.get(name, name) for name in names]


def test_the_loss_without_residual_connections_is_told_beside_that_of_word_frequencies() -> None:
    told = trained_once.residual_answer({PRE: [2.8], PRE_BARE: [4.89]})
    assert told.endswith("without them 4.89. Knowing only how frequent each word is gives 4.91.")


def test_it_is_said_for_each_norm_what_warm_up_changes() -> None:
    losses = {PRE: [2.8], PRE_WARM: [3.06], POST: [4.71], POST_WARM: [3.71]}
    assert trained_once.warm_up_answer(losses) == (
        "Warm-up changes the last loss from 4.71 to 3.71 nats with post-norm and from 2.80 to 3.06 nats with "
        "pre-norm."
    )


@pytest.mark.parametrize("sheet", [trained_once.residual_sheet, trained_once.warm_up_sheet])
def test_without_the_file_a_sentence_says_what_to_do(sheet) -> None:  # type: ignore[no-untyped-def]
    (note,) = sheet(trained_once.Found(None, tuple(SETTINGS)), None).notes
    assert "python -m core.measures.blocks.trainings" in note.markdown
