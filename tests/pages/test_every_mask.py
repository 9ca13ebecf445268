"""Every page that asks a mask something gets an answer from every one of them.

The tests of this file also run over masks that were made up: see `tests/test_made_up.py`.
"""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.measures.masking.painting import mask_of
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.sources import find
from pages.contract.weights import learned
from tests.pages.asked import Asked
from tests.pages.session import computed

TEXT = "the oven cooked the bread so it was warm ."
N = len(TEXT.split())

SHIPPED_MASKS = ("causal", "bidirectional", "prefix")

every_mask = pytest.mark.parametrize("mask", MASKS)


@every_mask
def test_the_switch_offers_it_and_the_explorer_shows_it(mask: str) -> None:
    session = Asked(mask=mask, model="random", text=TEXT, view="heads", head=1)
    assert session.value("mask") == mask
    assert session.warnings == []
    reading = computed(TEXT, source="random", mask=mask)
    shown = session.matrix("matrix")
    assert_allclose(np.nan_to_num(shown), reading.pattern(0, 0), atol=1e-6)
    hidden = ~mask_of(replace(reading.config, mask=mask), N)
    assert np.array_equal(np.isnan(shown), hidden)


@every_mask
def test_a_stack_with_it_is_an_encoder_or_a_decoder_as_it_hides_something_or_nothing(mask: str) -> None:
    session = Asked("architectures", mask=mask, text=TEXT, model="random")
    hidden = int((~mask_of(ModelConfig(vocab_size=1, mask=mask), N)).sum())
    decoder = f"This stack is a decoder: its {mask} mask hides {hidden} of {N * N} weights"
    assert (decoder if hidden else "This stack is an encoder:") in session.prose


@every_mask
def test_its_tasks_can_be_learnt_and_the_others_are_not_offered(mask: str) -> None:
    tasks = Asked("training", mask=mask).options("task")
    other = {"next word": "masked word", "masked word": "next word"}[MASKS[mask].objective]
    assert (MASKS[mask].objective in tasks, other in tasks) == (True, False)


@pytest.mark.parametrize("mask", [*MASKS][[*MASKS].index("prefix") :])
def test_every_page_with_the_switch_takes_it(mask: str) -> None:
    session = Asked("order-invariance", model="random", mask=mask)
    assert session.warnings == []
    assert mask in str(session.figure("verdicts")["layout"])
    for page in ("heads", "masking", "interaction-distance", "step-by-step", "blocks", "scaling"):
        session = Asked(page, mask=mask, text=TEXT, model="random")
        assert session.sheet.parts or session.warnings
    assert Asked("positions", view="alibi", mask=mask).pictures


def test_a_loss_names_its_words_if_a_model_sees_some_of_the_next_words() -> None:
    said = {
        mask: learned(ModelConfig(vocab_size=1, mask=mask), find("trained"), None) for mask in SHIPPED_MASKS
    }
    told = [mask for mask, sentence in said.items() if "of words that the mask hides" in sentence]
    assert told == ["prefix"]


def test_numbers_beside_switched_off_parts_come_from_the_intact_model() -> None:
    intact = ModelConfig(vocab_size=1)
    whole, without = (
        learned(one, find("trained"), None) for one in (intact, replace(intact, residual=False))
    )
    numbers = whole.partition(": ")[2]
    assert "switched off" not in whole
    assert f"Before parts were switched off: {numbers} Without these parts it was not measured." in without
