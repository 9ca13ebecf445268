"""Surprisal of a typed text to a real model, which is shown alone."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from pages.contract.loading import loaded
from pages.generation.surprisal import UNSURPRISED
from tests.covering import each
from tests.llama import llama_folder
from tests.pages.asked import Asked
from tests.real import bert_folder

TEXT = "I don't think the other cats saw the catalogue"


@pytest.fixture(autouse=True)
def decoder(no_real_model: Path) -> None:
    llama_folder(no_real_model / "grouped", trained_on="I don't think the other cats saw the cat")


def opened(**link: Any) -> Asked:
    link = {"view": "surprisal", "model": "real", "real": "grouped", "text": TEXT, **link}
    return Asked("generation", **link)


def nats_of(page: Asked) -> np.ndarray:
    """−log p of each piece, computed from the logits of the model."""
    found = loaded(page.scene.plain, page.scene.switches)
    with torch.inference_mode():
        logs = found.model(found.tokens)[0].double().log_softmax(-1)
    rest = found.tokens[0, 1:]
    return np.array([np.nan, *(-logs[torch.arange(len(rest)), rest]).tolist()])


def drawn(page: Asked) -> np.ndarray:
    return np.array(page.picture("surprisals").shares)[0]


def test_each_piece_has_the_surprisal_that_its_logit_says() -> None:
    page, step = opened(step=3), 3
    nats = nats_of(page)
    assert_allclose(drawn(page), nats, rtol=1e-5)
    assert f"has a surprisal of {nats[step]:.2f} nats for grouped." in str(page.sheet.headline)
    assert f"**grouped {np.exp(np.nanmean(nats)):,.2f}**" in page.prose
    assert_allclose(drawn(opened(measure="probability")), np.exp(-nats), rtol=1e-5)


def test_the_surprisals_of_the_pieces_of_a_word_add_up() -> None:
    page = opened(tokens="words", step=3)
    nats, groups = nats_of(page), page.scene.pieces.groups
    assert max(map(len, groups)) > 1, "a word has several tokens"
    expected = [nats[[*group]].sum() for group in groups]
    assert_allclose(drawn(page), expected, rtol=1e-5)
    perplexity = page.prose.split("of the whole text: **grouped ")[1].split("**")[0].removesuffix(".")
    assert float(perplexity.replace(",", "")) == pytest.approx(np.exp(np.nanmean(expected)), rel=1e-3)
    assert "add up to the surprisal of a word" in page.prose
    assert "add up to the surprisal of a word" not in opened().prose


@each("step", [1, 4])
def test_a_click_on_a_bar_walks_there(step: int) -> None:
    page = opened()
    page.click("surprisals", x=step, y=0, data=[0, step])
    assert page.value("step") == step
    page.click("surprisals", x=0, y=0, data=[0, 0])
    assert page.value("step") == 1


def test_one_piece_has_no_surprisal() -> None:
    assert any("Nothing comes before the first token" in one for one in opened(text="I").infos)


def test_an_encoder_that_fills_in_gives_no_surprisal(no_real_model: Path) -> None:
    bert_folder(no_real_model / "encoder")
    page = opened(real="encoder")
    assert page.infos == [UNSURPRISED]
    assert page.pictures == []
